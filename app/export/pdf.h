#pragma once
// A frame as PDF: its SVG, set by librsvg on a page of its own size. Text stays text, and the typefaces are inside.

#include <string>
#include <string_view>

#include "app/draw/vocab.h"
#include "core/base/result.h"

namespace app {

/// `points`: of the page, 1/72 inch. Errors: the SVG cannot be read, there is no memory, or the program
/// was built without librsvg.
attn::Result<std::string> pdf_of_svg(std::string_view svg, Size points);

}  // namespace app
