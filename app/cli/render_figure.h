#pragma once
// `render --figure`: a figure for a publication, as wide as a column. Internal to render_*.cpp.

#include <string>
#include <vector>

#include "app/cli/render_command.h"
#include "app/draw/vocab.h"
#include "app/state/state.h"
#include "core/base/result.h"

namespace app {

/// Resolution of the layout: on paper one of its pixels is half a point, the smallest type 5.5 points and the usual one
/// 6.5.
inline constexpr float kPixelsPerInch = 144;

struct Figure {
    Screen screen = Screen::Stage;
    std::string page{};        ///< of the heads screen
    bool map = false;          ///< the flow zoomed out to the whole model
    Size size{};               ///< of the layout, in its pixels; the picture is cropped to the rows with content
    float millimetres = 0;     ///< width on paper
    FigureLook look{};
};

std::vector<std::string_view> figure_names();
/// The figure that the options describe. Errors: a width that is no length, or one that no figure can have.
attn::Result<Figure> figure_of(const RenderOptions& options);

}  // namespace app
