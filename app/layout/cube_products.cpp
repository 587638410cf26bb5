// The products in a cube: made where a row and a column intersect, moving to the back, and at rest.

#include <algorithm>
#include <array>
#include <cmath>

#include "app/layout/cube.h"

namespace app::stage {
namespace {

using attn::Cell;

/// Side of a product's cube, in cells: while moving, and at rest, when it must not hide anything.
constexpr float kCube = 0.5f, kBead = 0.2f;
/// At most this many cubes are shown at once.
constexpr int kMostCubes = 700;

/// A small cube centred at `middle`: its front, its right side and its bottom.
void cube(Cube& c, Point middle, float side, float value, const ColorScale& scale, float alpha, bool number) {
    if (alpha <= 0.01f || !std::isfinite(value)) return;
    const float h = side / 2;
    const float length = std::min(0.6f, side / std::max(1.0f, 2 * std::hypot(c.depth.x, c.depth.y)));
    const Point out = c.depth * length, far = middle - out * 0.5f, near = middle + out * 0.5f;
    const auto corner = [&](Point p, float x, float y) { return p + Point{x * h, y * h}; };
    const std::array<Point, 4> front{corner(near, -1, -1), corner(near, 1, -1), corner(near, 1, 1),
                                     corner(near, -1, 1)};
    const std::array<Point, 4> right{front[1], corner(far, 1, -1), corner(far, 1, 1), front[2]};
    const std::array<Point, 4> below{front[3], front[2], corner(far, 1, 1), corner(far, -1, 1)};
    QuadSprite q;
    q.value = value;
    q.cell.step = attn::kNoStep;
    q.scale = scale;
    q.alpha = alpha;
    const auto put = [&](const std::array<Point, 4>& corners, float shade, bool with_number) {
        q.corners = corners;
        q.shade = shade;
        q.number = with_number;
        c.b.scene.quads.push_back(q);
    };
    put(right, 0.22f, false);
    put(below, 0.34f, false);
    put(front, 0, number);
}

float product(const Cube& c, int line, int f, int upright) {
    return c.b.value(c.beside_cell(line, f)) * c.b.value(c.above_cell(f, upright));
}

/// A factor moving from its wall along its sheet to the line.
void ghost(Cube& c, Cell cell, Point from, Point to, double t) {
    if (t <= 0 || t >= 1) return;
    cube(c, between(from, to, static_cast<float>(ease(phase(t, 0, 0.8)))), c.cell * kCube * 0.8f, c.b.value(cell),
         c.b.colors(cell.step), 1 - static_cast<float>(phase(t, 0.8, 1)), true);
}

/// The products of one cell, drawn from back to front so that nearer ones cover others. `there`: how many have
/// appeared; `run`: how far they have moved to the back.
void line_of_products(Cube& c, int line, int upright, double there, double run, float alpha, bool numbers) {
    const auto u = static_cast<float>(upright) + 0.5f, l = static_cast<float>(line) + 0.5f;
    const auto moved = static_cast<float>(ease(run));
    for (int f = c.inner.count - 1; f >= 0; --f) {
        const auto k = static_cast<float>(f) + 0.5f;
        const double t = there - f;
        const Point product_at = c.at(u, l, c.steps_of(k));
        if (run <= 0 && t < 1) {
            ghost(c, c.beside_cell(line, f), c.at(0, l, c.steps_of(k)), product_at, t);
            ghost(c, c.above_cell(f, upright), c.at(u, 0, c.steps_of(k)), product_at, t);
        }
        const auto come = static_cast<float>(phase(t, 0.8, 1));
        if (come <= 0) continue;
        const Point now = c.at(u, l, c.steps_of(k) * (1 - moved));
        cube(c, now, c.cell * kCube * (0.6f + 0.4f * come), product(c, line, f, upright), c.products, alpha * come,
             numbers);
    }
}

/// The products of the explained cell, on the line where its sheets intersect.
void beads(Cube& c) {
    const auto u = static_cast<float>(c.lit.col) + 0.5f, l = static_cast<float>(c.lit.row) + 0.5f;
    const auto deep = static_cast<float>(c.inner.count);
    c.b.path({c.at(u, l, deep), c.at(u, l, 0)}, Hue::Accent, 1.2f * c.b.style().scale, 0.5f);
    for (int f = c.inner.count - 1; f >= 0; --f)
        cube(c, c.at(u, l, c.steps_of(static_cast<float>(f) + 0.5f)), c.cell * kBead,
             product(c, c.lit.row, f, c.lit.col), c.products, 1, false);
}

/// The sheet behind a line of the wall, and the one below an upright of the roof.
void sheet_of_line(Cube& c, int line, float alpha) {
    const auto l = static_cast<float>(line) + 0.5f, u = static_cast<float>(c.uprights.count),
               k = static_cast<float>(c.inner.count);
    c.b.scene.planes.push_back(
        {{c.at(0, l, k), c.at(u, l, k), c.at(u, l, 0), c.at(0, l, 0)}, c.b.colors(c.beside()).hue, alpha});
}
void sheet_of_upright(Cube& c, int upright, float alpha) {
    const auto u = static_cast<float>(upright) + 0.5f, l = static_cast<float>(c.lines.count),
               k = static_cast<float>(c.inner.count);
    c.b.scene.planes.push_back(
        {{c.at(u, 0, k), c.at(u, 0, 0), c.at(u, l, 0), c.at(u, l, k)}, c.b.colors(c.above()).hue, alpha});
}

/// The sheet of a row of the result's value: horizontal, or vertical where the value is transposed.
void sheet_of_row(Cube& c, int row, float alpha) {
    c.columns() ? sheet_of_upright(c, row, alpha) : sheet_of_line(c, row, alpha);
}

/// The products of a whole row at once, moving to the back.
void row_of_products(Cube& c, int row, double run, float alpha) {
    const int count = c.columns() ? c.lines.count : c.uprights.count;
    const int every = std::max(1, (count * c.inner.count + kMostCubes - 1) / kMostCubes);
    for (int i = count - 1; i >= 0; --i) {
        if (i % every != 0) continue;
        line_of_products(c, c.columns() ? i : row, c.columns() ? row : i, 1e9, run, alpha, false);
    }
}

}  // namespace

void place_products(Cube& c) {
    const Pace& p = c.pace;
    constexpr float kSheet = 0.11f;
    const double slow = p.cell;
    const auto come = static_cast<float>(phase(slow, 0, kSheetsCome));
    const int rows = c.columns() ? c.uprights.count : c.lines.count, own = c.columns() ? c.lit.col : c.lit.row;
    if (p.rest > 0 && p.rest < 1) {  // row after row
        const double passed = ease(p.rest) * (rows - 1);
        const int row = (own + 1 + static_cast<int>(passed)) % rows;
        sheet_of_row(c, row, kSheet);
        return row_of_products(c, row, passed - std::floor(passed), 0.9f);
    }
    sheet_of_line(c, c.lit.row, kSheet * come);
    sheet_of_upright(c, c.lit.col, kSheet * come);
    if (p.row > 0 && p.row < 1) return row_of_products(c, own, p.row, 0.9f);
    if (slow < 1) {
        const double there = phase(slow, kSheetsCome, kProductsCome) * (c.inner.count + 0.5);
        const double run = phase(slow, kProductsCome, kProductsArrive);
        return line_of_products(c, c.lit.row, c.lit.col, there, run, 1 - static_cast<float>(phase(run, 0.9, 1)), true);
    }
    // At rest, the explained cell's products are shown where they were made, small enough not to hide their factors;
    // the result's number is drawn over them.
    beads(c);
    const Grid result = c.result_grid();
    const Spot at = c.columns() ? Spot{c.lit.col, c.lit.row} : c.lit;
    c.b.scene.cells.push_back({c.shown, result.at(at.row, at.col), c.b.colors(c.result)});
}

void hide_covered_numbers(Cube& c) {
    if (c.pace.rest < 1) return;
    std::vector<Rect> fronts;
    for (const QuadSprite& q : c.b.scene.quads)
        if (q.cell.step == attn::kNoStep) fronts.push_back(q.bounds());
    for (QuadSprite& q : c.b.scene.quads) {
        if (q.cell.step == attn::kNoStep) continue;
        const Rect number =
            rect_around(q.center(), c.b.in.measure(number_text(q.value), Type::NumberSmall), c.b.style().label);
        q.number = std::none_of(fronts.begin(), fronts.end(), [&](const Rect& r) { return r.overlaps(number); });
    }
}

}  // namespace app::stage
