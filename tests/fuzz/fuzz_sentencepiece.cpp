// Any bytes as a SentencePiece model. Oracle: an error says what is wrong; the spans of a text's tokens lie in it.

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
    const auto tokens = (*model)->encode(kText, true);
    if (!tokens) {
        require(!tokens.error().message.empty());
        return 0;
    }
    for (const attn::ModelToken& token : *tokens) {
        require(token.begin <= token.end && token.end <= kText.size());
        require((*model)->token(token.id) == token.spelling);
    }
    return 0;
}
