#pragma once
// The sizes beyond which something is refused, or cut off with a note.

#include <cstddef>

namespace attn {

/// The most tokens of typed text that are shown; the rest is cut off with a note.
inline constexpr std::size_t kMaxTokens = 4096;
/// The most memory that one run may hold, unless it reads a checkpoint and evicts; a larger run is refused, with its
/// size. Every step's value is held, so that viewing any of them is immediate: at 4,096 tokens a matrix of scores is 64
/// MiB, and four masked heads take 1.2 GB. More heads of so long a text are refused rather than recomputed on every
/// view.
inline constexpr double kMaxBytes = 1.5 * (1u << 30);
inline constexpr int kMaxWidth = 8192;
/// The most bytes of a written document. The reader accepts no more, so a larger document is refused when it is
/// checked.
inline constexpr std::size_t kMaxDocumentBytes = std::size_t{16} << 20;
/// The most bytes of a given token; the tokenizers cut longer ones.
inline constexpr std::size_t kMaxTokenBytes = 4096;
inline constexpr int kMaxHeads = 128;
inline constexpr int kMaxLayers = 64;

}  // namespace attn
