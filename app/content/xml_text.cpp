#include "app/content/xml_text.h"

#include "core/text/unicode.h"

namespace app {
namespace {

constexpr std::string_view kReplaced = "\uFFFD";

bool is_refused(char32_t c) {
    return (c < 0x20 && c != '\t' && c != '\n' && c != '\r') || c == 0xFFFE || c == 0xFFFF || c == 0x7f;
}

}  // namespace

std::string xml_escaped(std::string_view text) {
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
        const attn::CodePoint code = attn::decode_utf8(text, at);
        const std::string_view bytes = text.substr(at, code.length);
        at += code.length;
        if (bytes == "&")
            out += "&amp;";
        else if (bytes == "<")
            out += "&lt;";
        else if (bytes == ">")
            out += "&gt;";
        else if (bytes == "\"")
            out += "&quot;";
        else if (is_refused(code.value) || code.value == 0xFFFD)
            out += kReplaced;
        else
            out += bytes;
    }
    return out;
}

}  // namespace app
