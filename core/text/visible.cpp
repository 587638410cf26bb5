// visible(): a token made safe and readable for labels, terminals, SVG and CSV.
#include <fmt/format.h>
#include <utf8proc.h>

#include "core/text/unicode.h"

namespace attn {
namespace {

constexpr int kMostMarks = 8;   // per letter; no writing in use has more
constexpr int kMostSigns = 64;  // longer than any word that a picture has room for
constexpr std::string_view kEllipsis = "…";
constexpr std::string_view kDottedCircle = "◌";  // carries a mark that has no base letter

bool is_variation_selector(char32_t code) { return code >= 0xFE00 && code <= 0xFE0F; }

/// True where a font has no glyph, or where the glyph would move or hide its neighbours.
bool needs_code(char32_t code, const utf8proc_property_t& property) {
    constexpr char32_t kBrailleBlank = 0x2800;
    if (code > 0xFFFF || property.ignorable || code == kBrailleBlank) return true;
    switch (property.category) {
        case UTF8PROC_CATEGORY_CN:
        case UTF8PROC_CATEGORY_CC:
        case UTF8PROC_CATEGORY_CF:
        case UTF8PROC_CATEGORY_CS:
        case UTF8PROC_CATEGORY_CO:
        case UTF8PROC_CATEGORY_ZS:
        case UTF8PROC_CATEGORY_ZL:
        case UTF8PROC_CATEGORY_ZP:
            return true;
        default:
            return false;
    }
}

/// The one-glyph pictures: ␣, ↵ and the control pictures of U+2400. 0 where there is none.
char32_t picture_of(char32_t code) {
    if (code == ' ') return U'␣';
    if (code == '\n') return U'↵';
    if (code < 0x20) return 0x2400 + code;
    return code == 0x7F ? 0x2421 : 0;
}

/// Writes one token, sign by sign.
class Writer {
public:
    bool full() const { return signs_ >= kMostSigns; }

    void code(std::string_view text) {
        if (!out_.empty()) out_ += ' ';
        out_ += text;
        after_code_ = true;
        has_letter_ = false;
        ++signs_;
    }

    void gap() {
        out_ += ' ';
        after_code_ = has_letter_ = false;
        ++signs_;
    }

    void letter(std::string_view utf8) {
        if (after_code_) out_ += ' ';
        out_ += utf8;
        after_code_ = false;
        has_letter_ = true;
        marks_ = 0;
        ++signs_;
    }

    void mark(std::string_view utf8) {
        if (!has_letter_) letter(kDottedCircle);
        if (++marks_ <= kMostMarks) out_ += utf8;
        if (marks_ == kMostMarks + 1) out_ += kEllipsis;
    }

    bool has_letter() const { return has_letter_; }
    void clip() { out_ += kEllipsis; }
    std::string take() { return std::move(out_); }

private:
    std::string out_;
    int signs_ = 0;
    int marks_ = 0;
    bool after_code_ = false;
    bool has_letter_ = false;
};

void write_bytes(Writer& writer, std::string_view bytes) {
    for (const char byte : bytes) writer.code(fmt::format("{:02X}", static_cast<unsigned char>(byte)));
}

void write_point(Writer& writer, char32_t code, std::string_view utf8) {
    const utf8proc_property_t& property = *utf8proc_get_property(static_cast<utf8proc_int32_t>(code));
    if (const char32_t picture = picture_of(code)) return writer.letter(encode_utf8(picture));
    // A variation selector only chooses between two forms of the preceding letter.
    if (is_variation_selector(code) && writer.has_letter()) return;
    if (needs_code(code, property)) return writer.code(fmt::format("U+{:04X}", static_cast<unsigned>(code)));
    if (kind_of(code) == CharKind::Mark) return writer.mark(utf8);
    writer.letter(utf8);
}

bool is_digit(char c, char least, char most) { return c >= least && c <= most; }
/// Which piece of a character: "2/3".
bool is_part(std::string_view text) { return text.size() == 3 && is_digit(text[0], '1', '4') && text[1] == '/' && is_digit(text[2], '2', '4'); }
/// A byte that is not a character: "E6".
bool is_byte(std::string_view text) {
    const auto is_hex = [](char c) { return is_digit(c, '0', '9') || is_digit(c, 'A', 'F'); };
    return text.size() == 2 && (is_digit(text[0], '8', '9') || is_digit(text[0], 'A', 'F')) && is_hex(text[1]);
}

/// Whether the space at this place was inserted to separate a piece of a character from its neighbours
/// (core/tokenizers/parts.cpp), and is not part of the token itself.
bool parts_pieces(std::string_view token, std::size_t at) {
    const std::string_view before = token.substr(0, at), after = token.substr(at + 1);
    const std::string_view left = before.substr(before.rfind(' ') + 1), right = after.substr(0, after.find(' '));
    const bool has_left = before.size() > left.size() + 1;  // a piece needs a character before it
    return at > 0 && (is_part(right) || is_byte(right) || is_byte(left) || (has_left && is_part(left)));
}

}  // namespace

std::string visible(std::string_view token) {
    Writer writer;
    for (std::size_t at = 0; at < token.size();) {
        const CodePoint point = decode_utf8(token, at);
        const std::string_view bytes = token.substr(at, point.length);
        if (writer.full() && kind_of(point.value) != CharKind::Mark) {
            writer.clip();
            break;
        }
        if (bytes == " " && parts_pieces(token, at)) {
            writer.gap();
        } else if (point.valid) {
            write_point(writer, point.value, bytes);
        } else {
            write_bytes(writer, bytes);
        }
        at += point.length;
    }
    return writer.take();
}

}  // namespace attn
