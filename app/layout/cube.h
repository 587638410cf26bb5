#pragma once
// A product in space as its parts see it. Internal to stage_cube*.cpp.

#include "app/layout/parts.h"

namespace app::stage {

/// What of a side of the cube stands.
struct Span {
    int first = 0, count = 0, all = 0;
    bool whole() const { return count == all; }
};
/// Words of what is seen: line, upright, and inner index; each from 0 in the part that stands.
struct Cube {
    Builder& b;
    attn::StepId left, right, result;
    Span lines, uprights, inner;
    Point back;  ///< the result's left top corner
    float cell = 0;
    Point depth;     ///< one step towards the eye
    float wall = 0;  ///< between the factors and the result
    Pace pace;
    Spot lit;            ///< line and upright of the explained cell
    int names_from = 0;  ///< of pairs: the row of the value that is the first of their query's
    attn::Cell shown;
    ColorScale products;

    bool columns() const { return b.columns(); }
    attn::StepId beside() const { return columns() ? right : left; }
    attn::StepId above() const { return columns() ? left : right; }
    attn::Cell beside_cell(int line, int f) const {
        const int l = lines.first + line, k = inner.first + f;
        return columns() ? attn::Cell{right, k, l} : attn::Cell{left, l, k};
    }
    attn::Cell above_cell(int f, int upright) const {
        const int u = uprights.first + upright, k = inner.first + f;
        return columns() ? attn::Cell{left, u, k} : attn::Cell{right, k, u};
    }
    /// So many steps before the back; of the f-th inner number its middle is half a step on.
    Point before(float steps) const { return depth * steps; }
    float steps_of(float f) const { return static_cast<float>(inner.count) - f; }
    Point at(float upright, float line, float steps) const {
        return back + Point{cell * upright, cell * line} + before(steps);
    }
    Grid result_grid() const {
        Grid g = b.grid(result, back, cell);
        g.rows = columns() ? uprights.count : lines.count;
        g.cols = columns() ? lines.count : uprights.count;
        return g;
    }
};

/// Moments of the slow cell: the sheets have come, all products are there, they have run to the back.
inline constexpr double kSheetsCome = 0.12, kProductsCome = 0.62, kProductsArrive = 0.96;

/// The sheets and the products of this moment.
void place_products(Cube& c);
/// At rest: a number that a product hides in part is not written.
void hide_covered_numbers(Cube& c);

}  // namespace app::stage
