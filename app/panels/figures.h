#pragma once
// Pictures for somebody's page: a table, for `render --figure` and for the export panel, which offers the one that is shown.

#include <span>
#include <string_view>

#include "app/state/derived.h"
#include "app/state/state.h"

namespace app {

struct FigureKind {
    std::string_view name;
    Screen screen;
    std::string_view page;  ///< of the heads
    bool map;               ///< the flow from afar
    float high;             ///< height of the layout, as a share of its width
};
std::span<const FigureKind> figure_kinds();
/// The one of what is on the screen; null: it is no figure.
const FigureKind* figure_shown(const ViewState& view, const Derived& derived);
/// As `--ground` names it.
std::string_view ground_id(FigureLook::Ground ground);

/// Millimetres: the narrowest column that figures can be read in, and the widest sheet.
inline constexpr int kLeastFigure = 60, kMostFigure = 900;

}  // namespace app
