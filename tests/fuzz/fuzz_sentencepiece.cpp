// Any bytes as a SentencePiece model. Oracle: an error says what is wrong; a text is cut into pieces that have their
// places in it.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "core/tokenizers/tokenizer_model.h"

namespace {

void require(bool holds) {
    if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    constexpr std::string_view kText = "Hello  ab 早上好 <s> ﬁn";
    const auto model = attn::read_tokenizer({.sentencepiece = std::string(reinterpret_cast<const char*>(data), size)});
    if (!model) {
        require(!model.error().message.empty());
        return 0;
    }
    const auto pieces = (*model)->encode(kText, true);
    if (!pieces) {
        require(!pieces.error().message.empty());
        return 0;
    }
    for (const attn::Piece& piece : *pieces) {
        require(piece.begin <= piece.end && piece.end <= kText.size());
        require((*model)->token(piece.id) == piece.token);
    }
    return 0;
}
