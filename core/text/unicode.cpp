#include "core/text/unicode.h"

#include <utf8proc.h>

#include <cassert>
#include <cstdlib>
#include <memory>

#include "core/base/effort.h"
#include "core/text/byte_order_mark.h"

namespace attn {
namespace {

constexpr char32_t kReplacement = 0xFFFD;

unsigned byte_at(std::string_view text, std::size_t at) { return static_cast<unsigned char>(text[at]); }

/// What the lead byte implies: how many bytes follow, its own bits, and which second bytes are well-formed (the narrow
/// ranges exclude overlong forms, surrogates and code points beyond U+10FFFF).
struct Lead {
    std::size_t following = 0;
    char32_t bits = 0;
    unsigned second_low = 0x80;
    unsigned second_high = 0xBF;
};

Lead lead_of(unsigned byte) {
    if (byte >= 0xC2 && byte <= 0xDF) return {1, byte & 0x1Fu};
    if (byte >= 0xE0 && byte <= 0xEF) {
        return {2, byte & 0x0Fu, byte == 0xE0 ? 0xA0u : 0x80u, byte == 0xED ? 0x9Fu : 0xBFu};
    }
    if (byte >= 0xF0 && byte <= 0xF4) {
        return {3, byte & 0x07u, byte == 0xF0 ? 0x90u : 0x80u, byte == 0xF4 ? 0x8Fu : 0xBFu};
    }
    return {};
}

const utf8proc_uint8_t* as_utf8proc(std::string_view text) {
    return reinterpret_cast<const utf8proc_uint8_t*>(text.data());
}

bool is_ascii(std::string_view text) {
    for (const char c : text) {
        if (static_cast<unsigned char>(c) >= 0x80) return false;
    }
    return true;
}

std::string fold_ascii(std::string_view text) {
    std::string folded(text);
    for (char& c : folded) {
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    return folded;
}

}  // namespace

CodePoint decode_utf8(std::string_view text, std::size_t at) {
    assert(at < text.size());
    count_step();
    const unsigned first = byte_at(text, at);
    if (first < 0x80) return {first, 1, true};
    const Lead lead = lead_of(first);
    if (lead.following == 0) return {kReplacement, 1, false};
    char32_t value = lead.bits;
    unsigned low = lead.second_low;
    unsigned high = lead.second_high;
    for (std::size_t i = 1; i <= lead.following; ++i) {
        if (at + i >= text.size()) return {kReplacement, i, false};
        const unsigned byte = byte_at(text, at + i);
        if (byte < low || byte > high) return {kReplacement, i, false};
        value = (value << 6) | (byte & 0x3Fu);
        low = 0x80;
        high = 0xBF;
    }
    return {value, lead.following + 1, true};
}

CleanText clean_utf8(std::string_view bytes) {
    bytes = without_byte_order_mark(bytes);
    CleanText clean;
    clean.text.reserve(bytes.size());
    for (std::size_t at = 0; at < bytes.size();) {
        const CodePoint point = decode_utf8(bytes, at);
        if (point.valid) {
            clean.text.append(bytes.substr(at, point.length));
        } else {
            clean.text += "\xEF\xBF\xBD";
            ++clean.replaced;
        }
        at += point.length;
    }
    return clean;
}

std::u32string to_code_points(std::string_view text) {
    std::u32string points;
    for (std::size_t at = 0; at < text.size();) {
        const CodePoint point = decode_utf8(text, at);
        points.push_back(point.value);
        at += point.length;
    }
    return points;
}

std::size_t code_points(std::string_view text) {
    std::size_t count = 0;
    for (std::size_t at = 0; at < text.size(); ++count) at += decode_utf8(text, at).length;
    return count;
}

std::string encode_utf8(char32_t code) {
    const bool scalar = code < 0xD800 || (code > 0xDFFF && code <= 0x10FFFF);
    utf8proc_uint8_t buffer[4];
    const auto length = utf8proc_encode_char(static_cast<utf8proc_int32_t>(scalar ? code : kReplacement), buffer);
    return {reinterpret_cast<const char*>(buffer), static_cast<std::size_t>(length)};
}

std::string fold_case(std::string_view text) {
    if (is_ascii(text)) return fold_ascii(text);
    constexpr auto kOptions = static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_CASEFOLD);
    utf8proc_uint8_t* raw = nullptr;
    const auto length = utf8proc_map(as_utf8proc(text), static_cast<utf8proc_ssize_t>(text.size()), &raw, kOptions);
    const std::unique_ptr<utf8proc_uint8_t, decltype(&std::free)> owner(raw, &std::free);
    if (length < 0) return std::string(text);
    return {reinterpret_cast<const char*>(raw), static_cast<std::size_t>(length)};
}

std::size_t grapheme_length(std::string_view text, std::size_t at) {
    CodePoint before = decode_utf8(text, at);
    std::size_t end = at + before.length;
    utf8proc_int32_t state = 0;
    while (end < text.size()) {
        const CodePoint next = decode_utf8(text, end);
        const bool ascii = before.value < 0x80 && next.value < 0x80 && before.value != '\r';
        if (ascii || utf8proc_grapheme_break_stateful(static_cast<utf8proc_int32_t>(before.value),
                                                      static_cast<utf8proc_int32_t>(next.value), &state)) {
            break;
        }
        end += next.length;
        before = next;
    }
    return end - at;
}

std::vector<std::string_view> graphemes(std::string_view text) {
    std::vector<std::string_view> clusters;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t length = grapheme_length(text, at);
        clusters.push_back(text.substr(at, length));
        at += length;
    }
    return clusters;
}

std::string with_plain_apostrophes(std::string_view text) {
    constexpr std::string_view kCurly = "\u2019";
    std::string plain;
    for (std::size_t at = 0; at < text.size();) {
        const bool curly = text.substr(at).starts_with(kCurly);
        plain += curly ? '\'' : text[at];
        at += curly ? kCurly.size() : 1;
    }
    return plain;
}

}  // namespace attn
