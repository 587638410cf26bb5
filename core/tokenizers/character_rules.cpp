#include "core/tokenizers/character_rules.h"

#include <utf8proc.h>

#include <algorithm>
#include <array>

namespace attn::tokenizing {

namespace {

utf8proc_category_t category_of(char32_t code) { return utf8proc_category(static_cast<utf8proc_int32_t>(code)); }

bool between(char32_t code, char32_t low, char32_t high) { return low <= code && code <= high; }

bool is_letter(char32_t code) {
    const auto category = category_of(code);
    return category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_LO;
}

int order_of(utf8proc_int32_t code) { return utf8proc_get_property(code)->combining_class; }

/// A character's full decomposition.
std::vector<utf8proc_int32_t> decomposed(char32_t code, bool compatible) {
    std::array<utf8proc_int32_t, 32> buffer{};
    int boundary = 0;
    const auto options =
        static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_DECOMPOSE | (compatible ? UTF8PROC_COMPAT : 0));
    const auto length = utf8proc_decompose_char(static_cast<utf8proc_int32_t>(code), buffer.data(),
                                                static_cast<utf8proc_ssize_t>(buffer.size()), options, &boundary);
    if (length <= 0 || length > static_cast<utf8proc_ssize_t>(buffer.size()))
        return {static_cast<utf8proc_int32_t>(code)};
    return {buffer.begin(), buffer.begin() + length};
}

/// True where nothing before can combine or be reordered with this character, unlike marks and the later letters of
/// Hangul syllables.
bool begins_run(utf8proc_int32_t first) {
    const auto code = static_cast<char32_t>(first);
    if (order_of(first) != 0 || is_mark(code)) return false;
    return !between(code, 0x1160, 0x11FF) && !between(code, 0xD7B0, 0xD7FB);
}

/// Finishes a run of decomposed characters: marks in canonical order, composed if requested.
std::string finish(std::vector<utf8proc_int32_t>& run, bool compose) {
    for (std::size_t at = 0; at < run.size();) {
        std::size_t end = at;
        while (end < run.size() && order_of(run[end]) != 0) ++end;
        std::stable_sort(run.begin() + static_cast<std::ptrdiff_t>(at), run.begin() + static_cast<std::ptrdiff_t>(end),
                         [](auto a, auto b) { return order_of(a) < order_of(b); });
        at = end + 1;
    }
    auto length = static_cast<utf8proc_ssize_t>(run.size());
    if (compose) {
        const auto options = static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE);
        length = utf8proc_normalize_utf32(run.data(), length, options);
    }
    std::string out;
    for (utf8proc_ssize_t i = 0; i < length; ++i)
        out += encode_utf8(static_cast<char32_t>(run[static_cast<std::size_t>(i)]));
    return out;
}

}  // namespace

bool is_white(char32_t code) {
    return between(code, 9, 13) || code == ' ' || code == 0x85 || code == 0xA0 || code == 0x1680 ||
           between(code, 0x2000, 0x200A) || code == 0x2028 || code == 0x2029 || code == 0x202F || code == 0x205F ||
           code == 0x3000;
}

bool is_mark(char32_t code) {
    const auto category = category_of(code);
    return category == UTF8PROC_CATEGORY_MN || category == UTF8PROC_CATEGORY_MC || category == UTF8PROC_CATEGORY_ME;
}

bool is_nonspacing(char32_t code) { return category_of(code) == UTF8PROC_CATEGORY_MN; }

bool is_word(char32_t code) {
    const auto category = category_of(code);
    // Circled and squared letters are alphabetic although they are symbols; the two joiners count, too.
    const bool ringed = between(code, 0x24B6, 0x24E9) || between(code, 0x1F130, 0x1F149) ||
                        between(code, 0x1F150, 0x1F169) || between(code, 0x1F170, 0x1F189);
    return is_letter(code) || is_mark(code) || category == UTF8PROC_CATEGORY_ND || category == UTF8PROC_CATEGORY_NL ||
           category == UTF8PROC_CATEGORY_PC || ringed || code == 0x200C || code == 0x200D;
}

bool is_numeric(char32_t code) {
    const auto category = category_of(code);
    return category == UTF8PROC_CATEGORY_ND || category == UTF8PROC_CATEGORY_NL || category == UTF8PROC_CATEGORY_NO;
}

bool is_punctuation(char32_t code) {
    const bool ascii =
        between(code, 33, 47) || between(code, 58, 64) || between(code, 91, 96) || between(code, 123, 126);
    const auto category = category_of(code);
    return ascii || (category >= UTF8PROC_CATEGORY_PC && category <= UTF8PROC_CATEGORY_PO);
}

bool is_control(char32_t code) {
    if (code == '\t' || code == '\n' || code == '\r') return false;
    const auto category = category_of(code);
    return category == UTF8PROC_CATEGORY_CC || category == UTF8PROC_CATEGORY_CF || category == UTF8PROC_CATEGORY_CO;
}

bool is_han(char32_t code) {
    return between(code, 0x4E00, 0x9FFF) || between(code, 0x3400, 0x4DBF) || between(code, 0x20000, 0x2A6DF) ||
           between(code, 0x2A700, 0x2B73F) || between(code, 0x2B740, 0x2B81F) || between(code, 0x2B920, 0x2CEAF) ||
           between(code, 0xF900, 0xFAFF) || between(code, 0x2F800, 0x2FA1F);
}

std::u32string lower(char32_t code) {
    if (code == 0x130) return U"i\u0307";  // the only character whose lower case has two
    return {static_cast<char32_t>(utf8proc_tolower(static_cast<utf8proc_int32_t>(code)))};
}

AlignedText normal_form(const AlignedText& text, NormalForm form) {
    const bool compatible = form == NormalForm::KC || form == NormalForm::KD;
    const bool compose = form == NormalForm::C || form == NormalForm::KC;
    AlignedText out;
    std::vector<utf8proc_int32_t> run;
    std::size_t begin = 0;
    const auto end_run = [&](std::size_t end) {
        if (begin == end) return;
        const std::string made = finish(run, compose);
        if (std::string_view(text.text).substr(begin, end - begin) == made)
            out.append(text, begin, end);
        else
            out.append(made, text.span(begin, end));
        run.clear();
        begin = end;
    };
    each_character(text.text, [&](char32_t code, std::size_t at, std::size_t /*end*/) {
        const std::vector<utf8proc_int32_t> parts = decomposed(code, compatible);
        if (begins_run(parts.front())) end_run(at);
        run.insert(run.end(), parts.begin(), parts.end());
    });
    end_run(text.text.size());
    return out;
}

}  // namespace attn::tokenizing
