#pragma once
// A SentencePiece model on disk: a Protocol Buffers message (sentencepiece_model.proto), of which only the fields
// needed for splitting are read.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace attn::tokenizing {

enum class SentencePieceType : std::uint8_t {
    Normal = 1,
    Unknown = 2,
    Control = 3,
    UserDefined = 4,
    Unused = 5,
    Byte = 6
};

struct SentencePieceEntry {
    std::string piece;
    float score = 0;
    SentencePieceType type = SentencePieceType::Normal;
};

enum class SentencePieceKind : std::uint8_t { Unigram = 1, Bpe = 2, Word = 3, Char = 4 };

struct SentencePieceFile {
    std::vector<SentencePieceEntry> pieces;  ///< the index is the id
    SentencePieceKind kind = SentencePieceKind::Unigram;
    bool byte_fallback = false;
    bool space_as_suffix = false;
    std::string charsmap;          ///< precompiled replacements; empty: none
    bool add_dummy_prefix = true;  ///< a space before the text
    bool remove_extra_spaces = true;
    bool escape_spaces = true;  ///< as U+2581
};

/// Reads the message; an error names its byte offset.
Result<SentencePieceFile> read_sentencepiece_file(std::string_view bytes);

}  // namespace attn::tokenizing
