#pragma once
// Figures for publications: a table for `render --figure` and for the export panel, which offers the one on the screen.

#include <span>
#include <string_view>

#include "app/state/derived.h"
#include "app/state/state.h"

namespace app {

struct FigureKind {
    std::string_view name;
    Screen screen;
    std::string_view page;  ///< of the heads screen
    bool map;               ///< the flow zoomed out to the whole model
    float high;             ///< height of the layout, relative to its width
};
std::span<const FigureKind> figure_kinds();
/// The figure that the screen shows; null: none.
const FigureKind* figure_shown(const ViewState& view, const Derived& derived);
/// The name that `--ground` uses.
std::string_view ground_id(FigureLook::Ground ground);

/// In millimetres: the narrowest column in which a figure is readable, and the widest sheet.
inline constexpr int kLeastFigure = 60, kMostFigure = 900;

}  // namespace app
