#pragma once
// PNG in memory. The same picture and texts give the same bytes: no date is written.

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "app/gfx/image.h"
#include "core/base/result.h"

namespace app {

/// Keyword and value, as in a PNG's text chunks: {"Software", "attenscope 0.1"}.
using PngText = std::pair<std::string, std::string>;

/// 8-bit sRGB, without an alpha channel if every pixel is opaque. `text`: keywords of 1 to 79 printable ASCII
/// characters, values in UTF-8. `dots`: dots per inch, for printing; 0: not written. Errors: a picture without area or
/// whose size and bytes disagree, a bad keyword.
attn::Result<std::vector<std::uint8_t>> encode_png(const gfx::Image& image, std::span<const PngText> text = {}, float dots = 0);

}  // namespace app
