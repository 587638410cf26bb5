#include "core/io/safe_text.h"

#include <fmt/format.h>
#include <utf8proc.h>

#include <algorithm>
#include <cassert>

namespace attn {

namespace {

constexpr char32_t kReplacement = 0xFFFD;
constexpr std::string_view kReplacementBytes = "\xEF\xBF\xBD";

bool is_break(char32_t c) { return c == '\t' || c == '\n' || c == '\r'; }

/// U+2400 + c is the picture of the control character c; U+2421 that of DEL.
void append_picture(std::string& out, char32_t c) {
    const char32_t picture = c == 0x7F ? 0x2421 : 0x2400 + c;
    out += static_cast<char>(0xE0 | (picture >> 12));
    out += static_cast<char>(0x80 | ((picture >> 6) & 0x3F));
    out += static_cast<char>(0x80 | (picture & 0x3F));
}

}  // namespace

CodePoint take_code_point(std::string_view& text) {
    assert(!text.empty());
    utf8proc_int32_t value = 0;
    const auto* data = reinterpret_cast<const utf8proc_uint8_t*>(text.data());
    // At most four bytes belong to one code point; the cut also keeps the length within utf8proc's signed type.
    const auto limit = static_cast<utf8proc_ssize_t>(std::min<std::size_t>(text.size(), 4));
    const utf8proc_ssize_t used = utf8proc_iterate(data, limit, &value);
    const bool valid = used > 0;
    const std::size_t length = valid ? static_cast<std::size_t>(used) : 1;
    const CodePoint taken{valid ? static_cast<char32_t>(value) : kReplacement, text.substr(0, length), valid};
    text.remove_prefix(length);
    return taken;
}

bool is_active(char32_t c) {
    const bool control = c < 0x20 || (c >= 0x7F && c <= 0x9F);
    const bool direction =
        c == 0x061C || c == 0x200E || c == 0x200F || (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
    const bool line = c == 0x2028 || c == 0x2029;
    return control || direction || line;
}

std::string visible_text(std::string_view text, bool keep_breaks) {
    std::string out;
    out.reserve(text.size());
    while (!text.empty()) {
        const CodePoint c = take_code_point(text);
        if (!c.valid)
            out += kReplacementBytes;
        else if (!is_active(c.value) || (keep_breaks && is_break(c.value)))
            out += c.bytes;
        else if (c.value < 0x80)
            append_picture(out, c.value);
        else
            out += fmt::format("<U+{:04X}>", static_cast<std::uint32_t>(c.value));
    }
    return out;
}

std::string in_quotes(std::string_view text, int max_characters) {
    std::string_view rest = text;
    for (int i = 0; i < max_characters && !rest.empty(); ++i) take_code_point(rest);
    const std::string shown = visible_text(text.substr(0, text.size() - rest.size()));
    return '"' + shown + (rest.empty() ? "\"" : "…\"");
}

}  // namespace attn
