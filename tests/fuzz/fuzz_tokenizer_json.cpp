// The bytes up to the first zero byte are a tokenizer.json; the bytes after it are the text that it tokenizes. Oracle:
// an error says what is wrong; tokens are in the vocabulary, their spans in the text, and their texts are UTF-8.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "core/text/unicode.h"
#include "core/tokenizers/tokenizer_model.h"

namespace {

void require(bool holds) {
    if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    const std::size_t end = std::min(bytes.find('\0'), bytes.size());
    const std::string_view text =
        end < bytes.size() ? bytes.substr(end + 1) : std::string_view("Hello, 早上好  <s> 12 ﬁn");
    const auto model = attn::read_tokenizer({.tokenizer_json = std::string(bytes.substr(0, end))});
    if (!model) {
        require(!model.error().message.empty());
        return 0;
    }
    const auto tokens = (*model)->encode(text, true);
    if (!tokens) {
        require(!tokens.error().message.empty());
        return 0;
    }
    std::vector<int> ids;
    for (const attn::ModelToken& token : *tokens) {
        require(token.begin <= token.end && token.end <= text.size());
        require(token.id >= 0 && token.id < (*model)->size());
        require(attn::clean_utf8("." + token.text).replaced == 0);
        ids.push_back(token.id);
    }
    require(attn::clean_utf8("." + (*model)->decode(ids)).replaced == 0);
    return 0;
}
