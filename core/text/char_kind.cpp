// kind_of(): which code points stand alone, which form words, and which separate them.
#include <utf8proc.h>

#include "core/text/unicode.h"

namespace attn {
namespace {

struct Range {
    char32_t first;
    char32_t last;
};

/// Scripts written without spaces between words. Without a dictionary, the character is the only reliable unit.
constexpr Range kCharacterScripts[] = {
    {0x0E00, 0x0EFF},    // Thai, Lao
    {0x0F00, 0x0FFF},    // Tibetan
    {0x1000, 0x109F},    // Myanmar
    {0x1100, 0x11FF},    // Hangul jamo
    {0x1780, 0x17FF},    // Khmer
    {0x2E80, 0x2FDF},    // Han radicals
    {0x3005, 0x3007},    // Han iteration mark, zero
    {0x3021, 0x312F},    // Hangzhou numerals, kana, bopomofo
    {0x3130, 0x318F},    // Hangul compatibility jamo
    {0x31A0, 0x31FF},    // bopomofo, strokes, small kana
    {0x3400, 0x4DBF},    // Han extension A
    {0x4E00, 0xA4CF},    // Han, Yi
    {0xA960, 0xA97F},    // Hangul jamo
    {0xAC00, 0xD7FF},    // Hangul syllables
    {0xF900, 0xFAFF},    // Han compatibility
    {0xFF66, 0xFFDC},    // half-width kana and hangul
    {0x1AFF0, 0x1B16F},  // kana
    {0x20000, 0x3FFFF},  // Han extensions B and on
};

bool is_character_script(char32_t code) {
    for (const Range& range : kCharacterScripts) {
        if (code < range.first) return false;
        if (code <= range.last) return true;
    }
    return false;
}

bool is_emoji(const utf8proc_property_t& property) {
    return property.boundclass == UTF8PROC_BOUNDCLASS_EXTENDED_PICTOGRAPHIC ||
           property.boundclass == UTF8PROC_BOUNDCLASS_REGIONAL_INDICATOR;
}

bool is_control_space(char32_t code) { return (code >= 0x09 && code <= 0x0D) || code == 0x85; }

CharKind kind_of_other(char32_t code, const utf8proc_property_t& property) {
    if (property.category == UTF8PROC_CATEGORY_CC) return is_control_space(code) ? CharKind::Space : CharKind::Control;
    if (property.category == UTF8PROC_CATEGORY_CN && is_emoji(property)) return CharKind::Emoji;
    // Private use and unassigned: of unknown meaning, so each stands alone.
    return property.category == UTF8PROC_CATEGORY_CO || property.category == UTF8PROC_CATEGORY_CN ? CharKind::Symbol
                                                                                                  : CharKind::Control;
}

}  // namespace

CharKind kind_of(char32_t code) {
    const utf8proc_property_t& property = *utf8proc_get_property(static_cast<utf8proc_int32_t>(code));
    switch (property.category) {
        case UTF8PROC_CATEGORY_LU:
        case UTF8PROC_CATEGORY_LL:
        case UTF8PROC_CATEGORY_LT:
        case UTF8PROC_CATEGORY_LM:
        case UTF8PROC_CATEGORY_LO:
            return is_character_script(code) ? CharKind::Character : CharKind::Letter;
        case UTF8PROC_CATEGORY_NL:
            return is_character_script(code) ? CharKind::Character : CharKind::Digit;
        case UTF8PROC_CATEGORY_ND:
            return CharKind::Digit;
        case UTF8PROC_CATEGORY_MN:
        case UTF8PROC_CATEGORY_MC:
        case UTF8PROC_CATEGORY_ME:
            return CharKind::Mark;
        case UTF8PROC_CATEGORY_ZS:
        case UTF8PROC_CATEGORY_ZL:
        case UTF8PROC_CATEGORY_ZP:
            return CharKind::Space;
        case UTF8PROC_CATEGORY_PC:
        case UTF8PROC_CATEGORY_PD:
        case UTF8PROC_CATEGORY_PS:
        case UTF8PROC_CATEGORY_PE:
        case UTF8PROC_CATEGORY_PI:
        case UTF8PROC_CATEGORY_PF:
        case UTF8PROC_CATEGORY_PO:
            return is_emoji(property) ? CharKind::Emoji : CharKind::Punctuation;
        case UTF8PROC_CATEGORY_NO:
        case UTF8PROC_CATEGORY_SM:
        case UTF8PROC_CATEGORY_SC:
        case UTF8PROC_CATEGORY_SK:
        case UTF8PROC_CATEGORY_SO:
            return is_emoji(property) ? CharKind::Emoji : CharKind::Symbol;
        default:
            return kind_of_other(code, property);
    }
}

}  // namespace attn
