#include "core/model/attention_file/numbered_name.h"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace attn {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// The letters before a number, ignoring one separator.
std::string word_before(std::string_view name, std::size_t at) {
    if (at > 0 && !std::isalnum(static_cast<unsigned char>(name[at - 1]))) --at;
    std::size_t begin = at;
    while (begin > 0 && std::isalpha(static_cast<unsigned char>(name[begin - 1]))) --begin;
    std::string out(name.substr(begin, at - begin));
    std::transform(out.begin(), out.end(), out.begin(), lower);
    return out;
}

}  // namespace

NumberedName numbers_of_name(std::string_view name) {
    NumberedName out;
    // From the end, so that earlier positions stay valid.
    out.stem = name;
    for (std::size_t end = name.size(); end > 0;) {
        if (!is_digit(name[end - 1])) {
            --end;
            continue;
        }
        std::size_t begin = end;
        while (begin > 0 && is_digit(name[begin - 1])) --begin;
        const std::string word = word_before(name, begin);
        std::optional<std::int64_t>& counts = word.ends_with("head") ? out.head : word.ends_with("step") ? out.step : out.layer;
        std::int64_t number = 0;
        if (!counts && std::from_chars(name.data() + begin, name.data() + end, number).ec == std::errc{}) {
            counts = number;
            out.stem.replace(begin, end - begin, "#");
        }
        end = begin;
    }
    return out;
}

}  // namespace attn
