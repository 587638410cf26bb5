#include "app/ui/field_text.h"

#include <algorithm>

#include "core/text/unicode.h"

namespace app::gui {
namespace {

constexpr char32_t kFirstPrivate = 0xE000, kLastPrivate = 0xF8FF, kReturnSign = 0x21B5;  // ↵

bool is_private(char32_t sign) { return sign >= kFirstPrivate && sign <= kLastPrivate; }

/// The character that a sign of the text is shown as while that character is free; none: it needs a stand-in.
std::optional<char32_t> natural(char32_t sign) {
    if (sign == U'\n') return kReturnSign;
    return is_private(sign) || sign == kReturnSign ? std::optional(sign) : std::nullopt;
}

/// Calls `take` with each character, and with each byte that is not part of one; stops when it returns false.
template <class Take>
bool each_sign(std::string_view text, Take take) {
    for (std::size_t at = 0; at < text.size();) {
        const attn::CodePoint code = attn::decode_utf8(text, at);
        if (code.valid) {
            if (!take(code.value)) return false;
        } else {
            for (const char byte : text.substr(at, code.length))
                if (!take(FieldText::kFirstByte + static_cast<unsigned char>(byte))) return false;
        }
        at += code.length;
    }
    return true;
}

void append(std::string& out, char32_t sign) {
    if (sign >= FieldText::kFirstByte)
        out += static_cast<char>(sign - FieldText::kFirstByte);
    else if (sign < 0x80)
        out += static_cast<char>(sign);
    else
        out += attn::encode_utf8(sign);
}

}  // namespace

/// Whether the field shows the sign as it is, whatever else is in the text.
bool FieldText::holds(char32_t sign) const {
    const bool control = sign < 0x20 && sign != U'\t';
    return !control && sign <= highest_ && !natural(sign);
}

void FieldText::keep(char32_t sign, char32_t stand_in) {
    stand_ins_.emplace(sign, stand_in);
    meant_.emplace(stand_in, sign);
}

std::optional<char32_t> FieldText::stand_in(char32_t sign) {
    if (holds(sign)) return sign;
    if (const auto known = stand_ins_.find(sign); known != stand_ins_.end()) return known->second;
    if (const auto own = natural(sign); own && !meant_.contains(*own)) {
        keep(sign, *own);
        return own;
    }
    // A character gets the same stand-in in every field, unless that one is taken.
    constexpr char32_t kCount = kLastPrivate - kFirstPrivate + 1, kStep = 2477;  // separates neighbours; is coprime
    char32_t at = sign * kStep % kCount;
    for (char32_t tried = 0; tried < kCount; ++tried, at = (at + 1) % kCount)
        if (const char32_t free = kFirstPrivate + at; !meant_.contains(free)) {
            keep(sign, free);
            return free;
        }
    return std::nullopt;
}

std::map<char32_t, char32_t> FieldText::stand_ins() const {
    std::map<char32_t, char32_t> out;
    for (const auto& [shown, sign] : meant_)
        if (is_private(shown)) out.emplace(shown, sign);
    return out;
}

char32_t FieldText::meant(char32_t shown) const {
    const auto found = meant_.find(shown);
    return found == meant_.end() ? shown : found->second;
}

std::optional<std::string> FieldText::shown(std::string_view text) {
    // First the characters that stand for themselves, so that they are not used as stand-ins.
    each_sign(text, [&](char32_t sign) {
        if (natural(sign) == sign) stand_in(sign);
        return true;
    });
    std::string out;
    out.reserve(text.size());
    const bool all = each_sign(text, [&](char32_t sign) {
        const auto replacement = stand_in(sign);
        if (replacement) append(out, *replacement);
        return replacement.has_value();
    });
    return all ? std::optional(std::move(out)) : std::nullopt;
}

std::string FieldText::text_of(std::string_view shown) const {
    if (plain()) return std::string(shown);
    std::string out;
    out.reserve(shown.size());
    each_sign(shown, [&](char32_t sign) {
        append(out, meant(sign));
        return true;
    });
    return out;
}

std::string on_one_line(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text[at] == '\r' && at + 1 < text.size() && text[at + 1] == '\n') continue;
        if (text[at] == '\n' || text[at] == '\r' || text[at] == '\t') {
            out += ' ';
        } else if (static_cast<unsigned char>(text[at]) >= 0x20) {
            out += text[at];
        }
    }
    return out;
}

}  // namespace app::gui
