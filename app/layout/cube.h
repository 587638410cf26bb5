#pragma once
// A matrix product drawn as a cube, as seen by the parts that draw it. Internal to cube.cpp and cube_products.cpp.

#include "app/layout/parts.h"

namespace app::stage {

/// The shown part of one side of the cube.
struct Span {
    int first = 0, count = 0, all = 0;
    bool whole() const { return count == all; }
};
/// Coordinates as they appear on the screen: line, upright, and inner index, each from 0 within the shown part.
struct Cube {
    Builder& b;
    attn::StepId left, right, result;
    Span lines, uprights, inner;
    Point back;  ///< top left corner of the result
    float cell = 0;
    Point depth;     ///< one step towards the viewer
    float wall = 0;  ///< gap between the factors and the result
    Pace pace;
    Spot lit;            ///< line and upright of the explained cell
    int names_from = 0;  ///< of pairs: the value's row at which their query's rows begin
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
    /// The offset `steps` in front of the back face. The f-th inner number is centred at steps_of(f + 0.5).
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

/// Phases of the slow cell: the sheets have appeared, all products are there, they have moved to the back.
inline constexpr double kSheetsCome = 0.12, kProductsCome = 0.62, kProductsArrive = 0.96;

/// The sheets and the products at this moment.
void place_products(Cube& c);
/// At rest, numbers that are partly hidden by a product are not written.
void hide_covered_numbers(Cube& c);

}  // namespace app::stage
