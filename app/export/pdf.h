#pragma once
// A frame as PDF: its SVG, rendered by librsvg on a page of the same size. Text stays text, and the fonts are embedded.

#include <string>
#include <string_view>

#include "app/draw/vocab.h"
#include "core/base/result.h"

namespace app {

/// `points`: the page size, in 1/72 inch. Errors: the SVG cannot be read, memory ran out, or the program was built
/// without librsvg.
attn::Result<std::string> pdf_of_svg(std::string_view svg, Size points);

}  // namespace app
