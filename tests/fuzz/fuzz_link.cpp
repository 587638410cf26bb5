// Any text as a link. Oracle: a document read from a link makes a link that reads as the same document.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "core/document/fields.h"
#include "core/document/link.h"

namespace {

void require(bool holds) {
    if (!holds) std::abort();
}

void check(std::string_view text) {
    const auto document = attn::document_from_link(text);
    if (!document) {
        require(!document.error().message.empty());
        return;
    }
    const std::string link = attn::document_link(*document);
    const auto again = attn::document_from_link(link);
    require(again.ok() && attn::document_link(*again) == link);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text(reinterpret_cast<const char*>(data), size);
    check(text);
    check("attenscope:1:" + text);  // gets past the scheme, which random bytes rarely contain
    if (const auto document = attn::document_from_json(text, "")) check(attn::document_link(*document));  // past the checksum
    return 0;
}
