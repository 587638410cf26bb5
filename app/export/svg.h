#pragma once
// A frame as SVG: text as text, heatmaps as embedded PNG, everything else as shapes.

#include <optional>
#include <string>

#include "app/draw/drawing.h"
#include "core/base/result.h"

namespace app {

struct SvgOptions {
    Size size;               ///< the frame's, pixels
    std::string title;       ///< what readers of the screen are told
    std::string metadata{};  ///< the document, for whoever looks into the file
    std::optional<Rect> part{};  ///< of the frame that is kept; none: all of it
    float millimetres = 0;       ///< how wide it is on paper; 0: its pixels
    bool ground = true;          ///< what fills the whole frame is drawn
};

/// Where anything but the ground is drawn, from the top to the bottom of the frame, as wide as that is; whole pixels.
Rect inked_rows(const Drawing& drawing, Size size);

/// SVG 1.1. Fonts by family name with a generic one behind; the baseline's beginning (or middle, or end, as it was
/// aligned) is exact, whatever font stands in. Characters that XML does not take become U+FFFD. Error: a picture inside
/// cannot be encoded.
attn::Result<std::string> drawing_svg(const Drawing& drawing, const SvgOptions& options);

}  // namespace app
