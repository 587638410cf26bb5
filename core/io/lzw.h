#pragma once
// The output of compress(1) without its three-byte header: codes of 9 to 16 bits, the lowest bit first. [Welch 1984]
// Old data files are packed this way, and no library of Debian's main archive can read a part of such a file.

#include <cstddef>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace attn {

/// The decoded text. Refused: a code that is not defined yet, and more than `most_bytes` of text.
Result<std::string> unpack_lzw(std::string_view codes, std::size_t most_bytes);

}  // namespace attn
