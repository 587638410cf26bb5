#pragma once
// A frame as SVG: text as text, heatmaps as embedded PNG, everything else as shapes.

#include <optional>
#include <string>

#include "app/draw/drawing.h"
#include "core/base/result.h"

namespace app {

struct SvgOptions {
    Size size;               ///< the frame's, in pixels
    std::string title;       ///< for screen readers
    std::string metadata{};  ///< the document, embedded in the file
    std::optional<Rect> part{};  ///< the part of the frame to export; none: all of it
    float millimetres = 0;       ///< width on paper; 0: by its pixels
    bool ground = true;          ///< draw what fills the whole frame
};

/// The rows of the frame in which anything but the ground is drawn, at full width; whole pixels.
Rect inked_rows(const Drawing& drawing, Size size);

/// SVG 1.1. Fonts are given by family name with a generic fallback. The start of the baseline (or its middle or end, by
/// alignment) is exact, whatever font is substituted. Characters that XML does not allow become U+FFFD. Error: an
/// embedded picture cannot be encoded.
attn::Result<std::string> drawing_svg(const Drawing& drawing, const SvgOptions& options);

}  // namespace app
