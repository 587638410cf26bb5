#pragma once
// Interventions: a head's output, its weights, what a sub-layer adds or the residual stream is replaced by something else.
// Internal to the document; what a run does with it is a Replacement of its trace.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/trace/trace.h"

namespace attn {

/// Where: a head's output; its weights; what attention, the feed-forward layer or both add to the residual stream (behind a norm that stands
/// there); the residual stream itself.
enum class Site : std::uint8_t { Head, Pattern, Attention, FeedForward, Layer, Residual };
inline constexpr std::array<std::string_view, 6> kSites = {"head", "pattern", "attention", "feed_forward", "layer", "residual"};
inline std::string_view site_id(Site site) { return kSites[static_cast<std::size_t>(site)]; }
inline bool is_of_a_head(Site site) { return site == Site::Head || site == Site::Pattern; }

/// By what: zeros; the mean of its rows in the same run, by which what all tokens have in common stays [Wang et al. 2022,
/// "Interpretability in the Wild", 3.1, over one text]; what the same model makes of another text there: activation patching
/// [Vig et al. 2020; Meng et al. 2022], which with an unrelated text is resampling [Chan et al. 2022].
enum class PutBy : std::uint8_t { Zero, Mean, Text };
inline constexpr std::array<std::string_view, 3> kPutBy = {"zero", "mean", "text"};
inline std::string_view put_by_id(PutBy by) { return kPutBy[static_cast<std::size_t>(by)]; }

struct Intervention {
    Site at = Site::Head;
    PutBy by = PutBy::Zero;
    Part part = Part::Main;   ///< Cross: of the attention that looks into the encoder; Encoder: of the encoder's blocks
    int layer = 0;            ///< from 0; of the residual stream: behind so many layers
    int head = kNoHead;       ///< from 0; of a head and its pattern alone
    std::vector<int> tokens;  ///< from 0, in order; empty: all
    std::string text;         ///< of Text: of as many tokens as the document's own
    bool operator==(const Intervention&) const = default;
};

}  // namespace attn
