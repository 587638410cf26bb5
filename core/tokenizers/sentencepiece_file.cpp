#include "core/tokenizers/sentencepiece_file.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <limits>

#include "core/base/effort.h"
#include "core/io/safe_text.h"
#include "core/text/unicode.h"
#include "core/tokenizers/vocabulary.h"

namespace attn::tokenizing {

namespace {

constexpr std::size_t kLongestPiece = 512;  // in bytes: a longer token is not a word

/// One field of a message: a number, or bytes.
struct Field {
    std::uint32_t number = 0;
    std::uint32_t wire = 0;  ///< 0 varint, 1 eight bytes, 2 length-delimited, 5 four bytes
    std::uint64_t value = 0;
    std::string_view bytes{};
    std::size_t at = 0;  ///< offset of its content in the file
};

/// Iterates over the fields of one message. A nested message needs another one: the depth is that of the functions
/// below.
class Message {
public:
    Message(std::string_view bytes, std::size_t at, std::string& problem)
        : bytes_(bytes), base_(at), problem_(problem) {}

    /// False at the end, and where something is wrong.
    bool next(Field& out) {
        if (!problem_.empty() || at_ == bytes_.size()) return false;
        count_step();
        const std::uint64_t key = number();
        out.number = static_cast<std::uint32_t>(std::min<std::uint64_t>(key >> 3, 0xFFFFFFFFU));
        out.wire = static_cast<std::uint32_t>(key & 7U);
        out.at = base_ + at_;
        if (problem_.empty() && out.number == 0) fail("a field has the number 0");
        switch (out.wire) {
            case 0:
                out.value = number();
                break;
            case 1:
                out.value = fixed(8);
                break;
            case 2: {
                const std::uint64_t size = number();
                out.at = base_ + at_;
                if (problem_.empty() && size > bytes_.size() - at_)
                    fail(fmt::format("a field of {} bytes begins where {} are left", size, bytes_.size() - at_));
                if (!problem_.empty()) return false;
                out.bytes = bytes_.substr(at_, static_cast<std::size_t>(size));
                at_ += static_cast<std::size_t>(size);
                break;
            }
            case 5:
                out.value = fixed(4);
                break;
            default:
                fail(fmt::format("a field is of the kind {}, which there is not", out.wire));
        }
        return problem_.empty();
    }

private:
    std::uint64_t number() {
        std::uint64_t out = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            if (at_ == bytes_.size()) {
                fail("it ends within a number");
                return 0;
            }
            const auto byte = static_cast<unsigned char>(bytes_[at_++]);
            out |= static_cast<std::uint64_t>(byte & 127U) << shift;
            if (byte < 128) return out;
        }
        fail("a number has more than ten bytes");
        return 0;
    }

    std::uint64_t fixed(std::size_t size) {
        if (bytes_.size() - at_ < size) {
            fail("it ends within a number");
            return 0;
        }
        std::uint64_t out = 0;
        for (std::size_t i = 0; i < size; ++i)
            out |= static_cast<std::uint64_t>(static_cast<unsigned char>(bytes_[at_ + i])) << (8 * i);
        at_ += size;
        return out;
    }

    void fail(const std::string& what) {
        if (problem_.empty())
            problem_ = fmt::format("this is no SentencePiece model: {} (at byte {})", what, base_ + at_);
    }

    std::string_view bytes_;
    std::size_t base_;
    std::size_t at_ = 0;
    std::string& problem_;
};

SentencePieceEntry read_entry(const Field& from, std::string& problem) {
    SentencePieceEntry out;
    Message message(from.bytes, from.at, problem);
    Field field;
    while (message.next(field)) {
        if (field.number == 1 && field.wire == 2)
            out.piece = field.bytes;
        else if (field.number == 2 && field.wire == 5)
            out.score = std::bit_cast<float>(static_cast<std::uint32_t>(field.value));
        else if (field.number == 3 && field.wire == 0 && field.value >= 1 && field.value <= 6)
            out.type = static_cast<SentencePieceType>(field.value);
    }
    if (!problem.empty()) return out;
    if (out.piece.empty() || out.piece.size() > kLongestPiece)
        problem = fmt::format("a piece has {} bytes; they have 1 to {} (at byte {})", out.piece.size(), kLongestPiece,
                              from.at);
    else if (clean_utf8(out.piece).replaced > 0)
        problem = fmt::format("the piece {} is not UTF-8 (at byte {})", in_quotes(out.piece), from.at);
    else if (!std::isfinite(out.score))
        problem = fmt::format("the score of the piece {} is no number (at byte {})", in_quotes(out.piece), from.at);
    return out;
}

void read_trainer(const Field& from, SentencePieceFile& out, std::string& problem) {
    Message message(from.bytes, from.at, problem);
    Field field;
    while (message.next(field)) {
        if (field.wire != 0) continue;
        if (field.number == 3 && field.value >= 1 && field.value <= 4)
            out.kind = static_cast<SentencePieceKind>(field.value);
        if (field.number == 24) out.space_as_suffix = field.value != 0;
        if (field.number == 35) out.byte_fallback = field.value != 0;
    }
}

void read_normalizer_spec(const Field& from, SentencePieceFile& out, std::string& problem) {
    Message message(from.bytes, from.at, problem);
    Field field;
    while (message.next(field)) {
        if (field.number == 2 && field.wire == 2) out.charsmap = field.bytes;
        if (field.wire != 0) continue;
        if (field.number == 3) out.add_dummy_prefix = field.value != 0;
        if (field.number == 4) out.remove_extra_spaces = field.value != 0;
        if (field.number == 5) out.escape_spaces = field.value != 0;
    }
}

}  // namespace

Result<SentencePieceFile> read_sentencepiece_file(std::string_view bytes) {
    SentencePieceFile out;
    std::string problem;
    Message message(bytes, 0, problem);
    Field field;
    while (message.next(field)) {
        if (field.wire != 2) continue;
        if (field.number == 1) out.pieces.push_back(read_entry(field, problem));
        if (field.number == 2) read_trainer(field, out, problem);
        if (field.number == 3) read_normalizer_spec(field, out, problem);
        if (out.pieces.size() > static_cast<std::size_t>(kLargestId)) problem = "there are more than 4 million pieces";
    }
    if (problem.empty() && out.pieces.empty()) problem = "this is no SentencePiece model: it has no pieces";
    if (!problem.empty()) return Error{problem, "", "", 0};
    return out;
}

}  // namespace attn::tokenizing
