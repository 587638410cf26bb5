#pragma once
// Tokenizers small enough to follow by hand, and SentencePiece models encoded byte by byte.

#include <gtest/gtest.h>

#include <bit>

#include "core/tokenizers/byte_letters.h"
#include "core/tokenizers/readers.h"
#include "core/tokenizers/tokenizer_model.h"

namespace attn::test {

/// A tokenizer.json with a model and, optionally, other members: R"("decoder": {…})".
inline std::string tokenizer_json(const std::string& model, const std::string& more = "") {
    return "{\"model\": " + model + (more.empty() ? "" : ",\n" + more) + "}";
}

inline Result<std::shared_ptr<const TokenizerModel>> read_json_tokenizer(std::string json) {
    return read_tokenizer({.where = "here", .tokenizer_json = std::move(json)});
}

inline std::shared_ptr<const TokenizerModel> valid_tokenizer(std::string json) {
    auto model = read_json_tokenizer(std::move(json));
    EXPECT_TRUE(model) << model.error().text();
    return model ? *model : nullptr;
}

/// A byte-level BPE model: all 256 byte letters, then the results of the merges ("a b").
inline std::string byte_model(const std::vector<std::pair<std::string, std::string>>& merges) {
    std::string vocab, list;
    int id = 0;
    for (int byte = 0; byte < 256; ++byte) {
        std::string letter = encode_utf8(tokenizing::byte_letter(static_cast<std::uint8_t>(byte)));
        if (letter == "\"" || letter == "\\") letter.insert(0, "\\");
        vocab += (id > 0 ? ", \"" : "\"") + letter + "\": " + std::to_string(id);
        ++id;
    }
    for (const auto& [left, right] : merges) {
        vocab += ", \"" + left + right + "\": " + std::to_string(id++);
        list += (list.empty() ? "[\"" : ", [\"") + left + "\", \"" + right + "\"]";
    }
    return R"({"type": "BPE", "vocab": {)" + vocab + "}, \"merges\": [" + list + "]}";
}
inline const std::string kByteParts =
    R"("pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": false}, "decoder": {"type": "ByteLevel"})";

inline std::vector<std::string> texts_of(const TokenizerModel& model, std::string_view text,
                                         bool with_special = false) {
    const auto pieces = model.encode(text, with_special);
    EXPECT_TRUE(pieces) << pieces.error().text();
    std::vector<std::string> out;
    if (pieces)
        for (const ModelToken& piece : *pieces) out.push_back(piece.text);
    return out;
}

// Protocol Buffers, as far as a SentencePiece model needs them.
inline std::string proto_number(std::uint64_t value) {
    std::string out;
    for (; value > 127; value >>= 7) out += static_cast<char>((value & 127U) | 128U);
    return out + static_cast<char>(value);
}
inline std::string proto_bytes(int field, std::string_view bytes) {
    return proto_number(static_cast<std::uint64_t>(field) << 3 | 2U) + proto_number(bytes.size()) + std::string(bytes);
}
inline std::string proto_int(int field, std::uint64_t value) {
    return proto_number(static_cast<std::uint64_t>(field) << 3) + proto_number(value);
}
inline std::string proto_piece(std::string_view piece, float score, int type = 1) {
    std::string inner = proto_bytes(1, piece) + proto_number(2U << 3 | 5U);
    const auto bits = std::bit_cast<std::uint32_t>(score);
    for (int i = 0; i < 4; ++i) inner += static_cast<char>(bits >> (8 * i) & 255U);
    return proto_bytes(1, inner + proto_int(3, static_cast<std::uint64_t>(type)));
}

}  // namespace attn::test
