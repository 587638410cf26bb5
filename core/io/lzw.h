#pragma once
// What compress(1) writes, without its three bytes of heading: codes of 9 to 16 bits, the lowest bit first. [Welch 1984]
// Old data files are packed so, and no library of Debian's main archive reads a part of such a file.

#include <cstddef>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace attn {

/// The text that the codes stand for. Refused: a code that names nothing yet, and more than `most_bytes` of text.
Result<std::string> unpack_lzw(std::string_view codes, std::size_t most_bytes);

}  // namespace attn
