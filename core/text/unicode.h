#pragma once
// Text as it arrives (any bytes), and text that is safe to process and to show. Everything after `clean_utf8` may rely
// on valid UTF-8; only `visible` takes anything, because byte-level tokens are not UTF-8.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

/// Valid UTF-8 made from any bytes. `replaced` counts the ill-formed sequences that became U+FFFD.
struct CleanText {
    std::string text;
    int replaced = 0;
};

/// Replaces every ill-formed sequence (overlong, surrogate, cut short, beyond U+10FFFF) by one U+FFFD and drops a
/// leading byte-order mark. One U+FFFD per "maximal subpart", as the Unicode Standard recommends (3.9, table 3-8). The
/// text is not normalised.
CleanText clean_utf8(std::string_view bytes);

/// One decoded code point: `length` in bytes, at least 1. If the bytes are ill-formed, `valid` is false, `value` is
/// U+FFFD and `length` covers the maximal ill-formed part.
struct CodePoint {
    char32_t value = 0;
    std::size_t length = 1;
    bool valid = false;
};

/// The code point that begins at byte `at` (which must be inside `text`). Advance by its `length`.
CodePoint decode_utf8(std::string_view text, std::size_t at);

/// All code points of a text.
std::u32string to_code_points(std::string_view text);

/// How many code points a text has.
std::size_t code_points(std::string_view text);

/// UTF-8 of one code point; of U+FFFD where `code` is a surrogate or beyond U+10FFFF.
std::string encode_utf8(char32_t code);

/// For comparing words without regard to case: full case folding, composed (NFC). "STRASSE" and "straße" agree. Bytes
/// that are not UTF-8 are returned unchanged.
std::string fold_case(std::string_view text);
/// Replaces the typographic apostrophe of phones and word processors by '.
std::string with_plain_apostrophes(std::string_view text);

/// The class of a code point for tokenizing. `Character` is a letter of a script without spaces between words (Han,
/// kana, hangul, Thai, Khmer ...): each stands alone.
enum class CharKind : std::uint8_t { Letter, Character, Digit, Mark, Space, Punctuation, Symbol, Emoji, Control };

CharKind kind_of(char32_t code);

/// The length in bytes of the grapheme cluster (what a person calls one character, UAX #29) that begins at byte `at`.
std::size_t grapheme_length(std::string_view text, std::size_t at);

/// All grapheme clusters, as views into `text`.
std::vector<std::string_view> graphemes(std::string_view text);

/// A token as it is shown anywhere: in labels, on a terminal, in SVG and CSV. One line, no control, bidi or zero-width
/// character; takes any bytes.
///   space ␣, newline ↵, other controls as pictures (␀ ␉ ␛ ...) or U+0085;
///   invisible, unassigned, private and those beyond U+FFFF (no glyph in a 16-bit font) as U+20BB7;
///   bytes that are not UTF-8 in hexadecimal (E6).
/// A space separates such a code from its neighbours, and likewise the pieces of a character that was split between
/// tokens ("早 1/3"). More than 8 marks on one letter, and anything longer than 64 signs, end in "…".
std::string visible(std::string_view token);

}  // namespace attn
