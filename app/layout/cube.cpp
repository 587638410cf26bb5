// A matrix product as a cube: the factor on the left of the result is one of its walls, the one above is its roof, and
// the result is its back. The sheet of a row of the wall and that of a column of the roof intersect in a line, on which
// the products of one cell are drawn; they move along it to the back, where they add up to the cell.

#include <algorithm>
#include <array>
#include <cmath>

#include "app/layout/cube.h"
#include "core/ops/explain.h"

namespace app::stage {
namespace {

using attn::Cell;
using attn::StepId;

/// The most lines, uprights and inner numbers that are shown; of a larger product the part around the cell, and a text
/// says which.
constexpr int kMostLines = 24, kMostInner = 48;
/// How far one step towards the viewer goes to the left and up, in cells.
constexpr float kAcross = 0.74f, kUp = 0.42f;
/// The inner dimension is drawn at most this many times as long as the longer of the other two.
constexpr float kDeepest = 1.5f;
/// A cube may have larger cells, because numbers on slanted faces need them.
constexpr float kLargeCubeCell = 1.45f;
/// The gap around a slanted face, in cells.
constexpr float kFaceGap = 0.06f;
/// Opacity of what is not highlighted.
constexpr float kUnlit = 0.5f;
Span around(int at, int all, int most) {
    const int count = std::min(all, most);
    return {std::clamp(at - count / 2, 0, all - count), count, all};
}

std::array<Point, 4> inset(std::array<Point, 4> q, float share) {
    const Point middle = (q[0] + q[1] + q[2] + q[3]) * 0.25f;
    for (Point& p : q) p = between(p, middle, share);
    return q;
}

std::array<Point, 4> beside_face(const Cube& c, int line, int f) {
    const auto l = static_cast<float>(line), k = static_cast<float>(f);
    const Point away{-c.wall, 0};
    return {c.at(0, l, c.steps_of(k)) + away, c.at(0, l, c.steps_of(k + 1)) + away,
            c.at(0, l + 1, c.steps_of(k + 1)) + away, c.at(0, l + 1, c.steps_of(k)) + away};
}

std::array<Point, 4> above_face(const Cube& c, int f, int upright) {
    const auto u = static_cast<float>(upright), k = static_cast<float>(f);
    const Point away{0, -c.wall};
    return {c.at(u, 0, c.steps_of(k)) + away, c.at(u + 1, 0, c.steps_of(k)) + away,
            c.at(u + 1, 0, c.steps_of(k + 1)) + away, c.at(u, 0, c.steps_of(k + 1)) + away};
}

void face(Cube& c, Cell cell, const std::array<Point, 4>& corners, bool lit, float light) {
    QuadSprite q;
    q.corners = inset(corners, kFaceGap);
    q.cell = cell;
    q.value = c.b.value(cell);
    q.scale = c.b.colors(cell.step);
    q.alpha = lit ? 1 : 1 - (1 - kUnlit) * light;
    q.number = true;
    q.lit = lit && light > 0.5f;
    q.ring = c.b.in.focus && *c.b.in.focus == cell;
    c.b.scene.quads.push_back(q);
}

void factors(Cube& c, float light) {
    for (int l = 0; l < c.lines.count; ++l)
        for (int f = 0; f < c.inner.count; ++f)
            face(c, c.beside_cell(l, f), beside_face(c, l, f), l == c.lit.row, light);
    for (int f = 0; f < c.inner.count; ++f)
        for (int u = 0; u < c.uprights.count; ++u)
            face(c, c.above_cell(f, u), above_face(c, f, u), u == c.lit.col, light);
}

void size_up(Cube& c) {
    Builder& b = c.b;
    const StageStyle& s = b.style();
    const auto n = static_cast<float>(c.lines.count), m = static_cast<float>(c.uprights.count),
               k = static_cast<float>(c.inner.count);
    const float shorter = std::min(1.0f, kDeepest * std::max({n, m, 4.0f}) / std::max(1.0f, k));
    const float across = kAcross * shorter, up = kUp * shorter;
    Margins margins{b.left_space(c.beside()), b.top_space(c.above(), s.cell_max), 120 * s.scale,
                    s.caption + s.legend_h * 3.2f + 22 * s.scale};
    const auto fit = [&] { return fit_cell(b, n + k * up, m + k * across, margins, kLargeCubeCell); };
    float cell = fit();
    margins.top = b.top_space(c.above(), cell);
    cell = std::min(cell, fit());
    c.cell = cell;
    c.depth = {-cell * across, -cell * up};
    c.wall = std::min(s.gap * 2, cell * 0.1f);
    const float w = margins.left + cell * (m + k * across) + margins.right,
                h = margins.top + cell * (n + k * up) + margins.bottom;
    c.back = {b.in.area.x + std::max(0.0f, (b.in.area.w - w) / 2) + margins.left + cell * k * across,
              b.in.area.y + std::max(0.0f, (b.in.area.h - h) / 2) + margins.top + cell * k * up};
}

/// A grid for the names: at the front edges of the wall and the roof.
Grid edge(const Cube& c, StepId id, int lines, int uprights) {
    const Point front = c.before(static_cast<float>(c.inner.count));
    Grid g = c.b.grid(id, c.back + front - Point{c.wall, c.wall}, c.cell);
    g.rows = g.transposed ? uprights : lines;
    g.cols = g.transposed ? lines : uprights;
    return g;
}

void inner_names(Cube& c) {
    Builder& b = c.b;
    const attn::Step& step = b.step(c.beside());
    const Names names{step, b.columns(), c.inner.first};
    const float room = -c.depth.x - 3 * b.style().scale;
    for (int f = 0; f < c.inner.count; ++f)
        if (b.in.measure(names.at(b.in.labels, f), Type::Small) > room) return;
    for (int f = 0; f < c.inner.count; ++f) {
        const Point foot = c.at(0, static_cast<float>(c.lines.count), c.steps_of(static_cast<float>(f) + 0.5f));
        b.text(foot + Point{-c.wall, 15 * b.style().scale}, names.at(b.in.labels, f), Type::Small, Hue::Soft,
               Align::Center);
    }
}

void names(Cube& c, float light) {
    Builder& b = c.b;
    const Spot lit = light > 0.5f ? c.lit : Spot{-1, -1};
    const Grid left = edge(c, c.beside(), c.lines.count, c.inner.count),
               top = edge(c, c.above(), c.inner.count, c.uprights.count);
    if (b.columns()) {
        b.col_labels(left, b.step(c.beside()), b.colors(c.beside()).hue, lit.row, 1, c.lines.first);
        b.row_labels(top, b.step(c.above()), b.colors(c.above()).hue, lit.col, 1, c.uprights.first - c.names_from);
    } else {
        b.row_labels(left, b.step(c.beside()), b.colors(c.beside()).hue, lit.row, 1, c.lines.first - c.names_from);
        b.col_labels(top, b.step(c.above()), b.colors(c.above()).hue, lit.col, 1, c.uprights.first);
    }
    inner_names(c);
}

/// Says which part of a large product is shown.
void part_in_words(Cube& c) {
    if (c.lines.whole() && c.uprights.whole() && c.inner.whole()) return;
    Builder& b = c.b;
    const auto part = [](const Span& s) {
        return std::to_string(s.first + 1) + "–" + std::to_string(s.first + s.count);
    };
    const std::string words =
        fill_in(b.words(Str::cube_part), {part(c.lines), std::to_string(c.lines.all), part(c.uprights),
                                          std::to_string(c.uprights.all), part(c.inner), std::to_string(c.inner.all)});
    const float x = b.in.area.x + 8 * b.style().scale;
    b.text({x, b.in.area.bottom() - 2 * b.style().scale}, words, Type::Small, Hue::Soft);
    b.scene.labels.back().fit = b.in.area.w - 16 * b.style().scale;
}

void captions(Cube& c) {
    Builder& b = c.b;
    const StageStyle& s = b.style();
    const Grid result = c.result_grid();
    b.caption(c.result, result);
    b.scene.captions.back().room = result.area().w;  // the wall's caption is left of it
    const float deep = -c.depth.x * static_cast<float>(c.inner.count),
                high = -c.depth.y * static_cast<float>(c.inner.count);
    // The wall's caption is left of the result's, on the same line.
    b.caption(c.beside(), result);
    CaptionSprite& wall = b.scene.captions.back();
    const float end = c.back.x - s.between * 0.4f, begin = c.back.x - deep - b.left_space(c.beside());
    wall.at.x = (begin + end) / 2;
    wall.room = end - begin;
    Grid roof = edge(c, c.above(), c.inner.count, c.uprights.count);
    roof.origin = {c.back.x, c.back.y - high * 0.5f - s.label * 2.2f};
    b.caption_beside(c.above(), roof);
    b.legend(c.result, {result.origin.x, result.area().bottom() + s.caption + s.legend_h});
}

void result_wall(Cube& c) {
    Builder& b = c.b;
    MatrixSprite& sprite = b.matrix(c.result, c.result_grid());
    const int row_shift = c.columns() ? c.uprights.first : c.lines.first,
              col_shift = c.columns() ? c.lines.first : c.uprights.first;
    sprite.first_row = row_shift;
    sprite.first_col = col_shift;
    sprite.smallest = 0;
    sprite.placeholders = true;
    sprite.reveal = reveal_of(c.pace, {c.result, c.shown.row - row_shift, c.shown.col - col_shift}, sprite.grid.rows,
                              sprite.grid.cols);
    sprite.ring = c.shown;
}

/// One colour range for all products of the explained cell.
ColorScale scale_of_products(const Cube& c) {
    ColorScale scale = c.b.colors(c.result);
    scale.diverging = true;
    float most = 1e-6f;
    for (const attn::Term& term : attn::explain(c.b.trace(), c.shown).terms)
        if (std::isfinite(term.value)) most = std::max(most, std::abs(term.value));
    scale.low = -most;
    scale.high = most;
    return scale;
}

}  // namespace

void lay_out_cube(Builder& b) {
    const StepId result = b.in.pose.step;
    Cube c{b, b.step(result).inputs[0], b.step(result).inputs[1], result, {}, {}, {}, {}, 0, {}, 0, {}, {}, 0, {}, {}};
    c.pace = pace(b.progress());
    c.shown = b.focus_in(result);
    const Rows rows = b.rows_of(result);
    const int line = b.columns() ? c.shown.col : c.shown.row, upright = b.columns() ? c.shown.row : c.shown.col;
    c.lines = around(line, static_cast<int>(b.columns() ? b.step(result).value.cols() : b.step(result).value.rows()),
                     kMostLines);
    c.uprights = around(
        upright, static_cast<int>(b.columns() ? b.step(result).value.rows() : b.step(result).value.cols()), kMostLines);
    if (b.step(result).rows.kind == attn::Axis::Kind::Pairs) {  // only the pairs of one query
        Span& block = b.columns() ? c.uprights : c.lines;
        block = around(c.shown.row - rows.first, rows.count, kMostLines);
        block.first += rows.first;
        c.names_from = rows.first;
    }
    c.inner = around(0, static_cast<int>(b.step(c.left).value.cols()), kMostInner);
    c.lit = {line - c.lines.first, upright - c.uprights.first};
    size_up(c);
    c.products = scale_of_products(c);
    const auto light = static_cast<float>(phase(c.pace.cell, 0, kSheetsCome));
    names(c, light);
    captions(c);
    part_in_words(c);
    result_wall(c);
    factors(c, light);
    place_products(c);
    hide_covered_numbers(c);
}

}  // namespace app::stage
