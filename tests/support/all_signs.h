#pragma once
// All characters that can be typed: every code point from U+0020 to U+10FFFF.

#include <string>
#include <vector>

#include "core/text/unicode.h"

namespace test_support {

/// All valid code points from U+0020 on, in pieces that fit into a text field.
inline std::vector<std::string> all_signs() {
    constexpr std::size_t kMost = 5800;  // bytes: a field holds twice as many, and no more are typed in one frame
    std::vector<std::string> out(1);
    for (char32_t sign = 0x20; sign <= 0x10FFFF; ++sign) {
        if (sign >= 0xD800 && sign <= 0xDFFF) continue;
        if (out.back().size() > kMost) out.emplace_back();
        out.back() += attn::encode_utf8(sign);
    }
    return out;
}

}  // namespace test_support
