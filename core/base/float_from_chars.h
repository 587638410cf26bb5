#pragma once
// std::from_chars for floating-point numbers, which LLVM's library lacks before version 20; included before every
// file where the program is compiled with that library (page.cmake, macos.cmake). As in the standard: no locale, no leading blanks, rounded once; but without inf, nan
// and hexadecimal.

#include <charconv>

#if !defined(__cpp_lib_to_chars) && defined(_LIBCPP_VERSION) && _LIBCPP_VERSION < 200000

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>

namespace std {

template <class Number>
from_chars_result attenscope_read(const char* first, const char* last, Number& value) {
    // The C library accepts more than this, and needs a terminating zero, which a text in memory may not have.
    const char* at = first;
    const auto digits = [&] {
        const char* const begin = at;
        at = std::find_if(at, last, [](char c) { return c < '0' || c > '9'; });
        return at != begin;
    };
    const auto is = [&](char a, char b) { return at != last && (*at == a || *at == b); };
    if (is('-', '-')) ++at;
    bool any = digits();
    if (is('.', '.')) {
        ++at;
        any = digits() || any;
    }
    if (!any) return {first, errc::invalid_argument};
    const char* const mantissa = at;
    if (is('e', 'E')) {
        ++at;
        if (is('-', '+')) ++at;
        if (!digits()) at = mantissa;
    }
    const string text(first, at);
    Number read;
    if constexpr (sizeof(Number) == sizeof(float))
        read = std::strtof(text.c_str(), nullptr);
    else
        read = std::strtod(text.c_str(), nullptr);
    const bool none = std::none_of(first, mantissa, [](char c) { return c >= '1' && c <= '9'; });
    if (std::isinf(read) || (std::fpclassify(read) == FP_ZERO && !none)) return {at, errc::result_out_of_range};
    value = read;
    return {at, errc()};
}

inline from_chars_result from_chars(const char* first, const char* last, double& value) { return attenscope_read(first, last, value); }
inline from_chars_result from_chars(const char* first, const char* last, float& value) { return attenscope_read(first, last, value); }

}  // namespace std

#endif
