#pragma once
// `render --figure`: a picture for somebody's page, as wide as a column of it. Internal to render_*.cpp.

#include <string>
#include <vector>

#include "app/cli/render_command.h"
#include "app/draw/vocab.h"
#include "app/state/state.h"
#include "core/base/result.h"

namespace app {

/// On paper a pixel of the layout is half a point: the smallest type is 5.5 points high, the usual 6.5.
inline constexpr float kPixelsPerInch = 144;

struct Figure {
    Screen screen = Screen::Stage;
    std::string page{};        ///< of the heads
    bool map = false;          ///< the flow from afar
    Size size{};               ///< of the layout, in its pixels; the picture is cut to the rows that are drawn in
    float millimetres = 0;     ///< how wide it is on paper
    FigureLook look{};
};

std::vector<std::string_view> figure_names();
/// What the options ask for. Errors: a width that is no length, or one that no figure can have.
attn::Result<Figure> figure_of(const RenderOptions& options);

}  // namespace app
