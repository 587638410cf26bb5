#pragma once
// The grid of one matrix, in which everything else gives way to the figures of the row and the column in focus, in the
// order of the stage (omission.h). Pure; lengths are in pixels.

#include <functional>
#include <optional>

#include "app/draw/scene.h"
#include "app/layout/omission.h"

namespace app {

struct FiguresRoom {
    int rows = 0, cols = 0;  ///< of the value
    bool transposed = false;
    Rect area;                      ///< available to the cells
    float largest_cell = 0;         ///< gap included
    float gap = 0;
    Spot lit;                       ///< the row in focus; column −1: none
    float whole = 0, in_row = 0;    ///< widths of a figure, and of a shortened one in the focused row
    float high = 0;                 ///< height of a figure
    float least = 0;                ///< height of a row of colours
    /// Of a column in the focused row: the largest stay when columns fold. Empty: none may fold.
    std::function<float(int)> weight = {};
};

/// The grid in which the focused row and, where there is room, the focused column have their figures; nothing if even
/// folding all that may fold is not enough.
std::optional<Grid> figures_grid(const FiguresRoom& room);

}  // namespace app
