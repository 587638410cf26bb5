#pragma once
// The mark that some editors put at the start of UTF-8 text. Every reader of a text file removes it with this.

#include <string_view>

namespace attn {

inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

constexpr std::string_view without_byte_order_mark(std::string_view bytes) {
    return bytes.starts_with(kByteOrderMark) ? bytes.substr(kByteOrderMark.size()) : bytes;
}

}  // namespace attn
