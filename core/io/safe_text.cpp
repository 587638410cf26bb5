#include "core/io/safe_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "core/text/unicode.h"

namespace attn {

namespace {

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
    for (std::size_t at = 0; at < text.size();) {
        const CodePoint c = decode_utf8(text, at);
        if (!c.valid)
            out += kReplacementBytes;
        else if (!is_active(c.value) || (keep_breaks && is_break(c.value)))
            out += text.substr(at, c.length);
        else if (c.value < 0x80)
            append_picture(out, c.value);
        else
            out += fmt::format("<U+{:04X}>", static_cast<std::uint32_t>(c.value));
        at += c.length;
    }
    return out;
}

std::string in_quotes(std::string_view text, int max_characters) {
    std::size_t end = 0;
    for (int i = 0; i < max_characters && end < text.size(); ++i) end += decode_utf8(text, end).length;
    return '"' + visible_text(text.substr(0, end)) + (end == text.size() ? "\"" : "…\"");
}

bool is_web_address(std::string_view text) {
    std::string begin(text.substr(0, std::string_view("https://").size()));
    for (char& c : begin) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    const std::size_t scheme = begin.starts_with("https://") ? 8 : begin.starts_with("http://") ? 7 : 0;
    if (scheme == 0 || text.size() == scheme || text[scheme] == '/') return false;
    constexpr std::string_view kNever = "\"'<>\\^`{}| ";
    return std::all_of(text.begin(), text.end(), [&](char c) {
        return static_cast<unsigned char>(c) > 0x20 && c != 0x7f && kNever.find(c) == std::string_view::npos;
    }) && visible_text(text) == text;
}

}  // namespace attn
