#pragma once
// The mark that some editors put in front of a text in UTF-8. Whatever reads a text file takes it off here.

#include <string_view>

namespace attn {

inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

constexpr std::string_view without_byte_order_mark(std::string_view bytes) {
    return bytes.starts_with(kByteOrderMark) ? bytes.substr(kByteOrderMark.size()) : bytes;
}

}  // namespace attn
