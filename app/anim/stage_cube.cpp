// A product of matrices as a cube: the factor that stands left of the result is a wall of it, the one above it a roof,
// the result its back. Behind a row of the wall and below a column of the roof two sheets cross in a line, and on that
// line stand the products of one cell: they run along it to the back, and there they are their sum.

#include <algorithm>
#include <array>
#include <cmath>

#include "app/anim/stage_parts.h"
#include "core/explain.h"

namespace app::stage {
namespace {

using attn::Cell;
using attn::StepId;

/// At most so many lines, uprights and inner numbers stand; of more those around the cell, and it is said which.
constexpr int kMostLines = 24, kMostInner = 48;
/// Of a cell: how far one step towards the eye goes to the left and up.
constexpr float kAcross = 0.74f, kUp = 0.42f;
/// The inner dimension is drawn at most so many times as long as the longest other one.
constexpr float kDeepest = 1.5f;
/// A matrix in space may have larger cells: numbers on slanted faces need them.
constexpr float kLargeCell = 1.45f;
/// Of a cell: the space around its slanted face, and the side of a product's cube.
constexpr float kFaceGap = 0.06f, kCube = 0.5f;
/// What is not lit is this strong.
constexpr float kUnlit = 0.5f;
/// Moments of the slow cell: the sheets have come, all products are there, they have run to the back.
constexpr double kSheets = 0.12, kProducts = 0.62, kArrived = 0.96;
/// More cubes than this are not shown at once.
constexpr int kMostCubes = 700;

/// What of a side of the cube stands.
struct Span {
    int first = 0, count = 0, all = 0;
    bool whole() const { return count == all; }
};
Span around(int at, int all, int most) {
    const int count = std::min(all, most);
    return {std::clamp(at - count / 2, 0, all - count), count, all};
}

/// Words of what is seen: line, upright, and inner index; each from 0 in the part that stands.
struct Cube {
    Builder& b;
    StepId left, right, result;
    Span lines, uprights, inner;
    Point back;  ///< the result's left top corner
    float cell = 0;
    Point depth;     ///< one step towards the eye
    float wall = 0;  ///< between the factors and the result
    Pace pace;
    Spot lit;            ///< line and upright of the explained cell
    int names_from = 0;  ///< of pairs: the row of the value that is the first of their query's
    Cell shown;
    ColorScale products;

    bool columns() const { return b.columns(); }
    StepId beside() const { return columns() ? right : left; }
    StepId above() const { return columns() ? left : right; }
    Cell beside_cell(int line, int f) const {
        const int l = lines.first + line, k = inner.first + f;
        return columns() ? Cell{right, k, l} : Cell{left, l, k};
    }
    Cell above_cell(int f, int upright) const {
        const int u = uprights.first + upright, k = inner.first + f;
        return columns() ? Cell{left, u, k} : Cell{right, k, u};
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

/// A small cube about `middle`: its face towards the eye, the side right of it and the one below.
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

/// A factor on its way from its wall along its sheet to the line.
void ghost(Cube& c, Cell cell, Point from, Point to, double t) {
    if (t <= 0 || t >= 1) return;
    cube(c, between(from, to, static_cast<float>(ease(phase(t, 0, 0.8)))), c.cell * kCube * 0.8f, c.b.value(cell),
         c.b.colors(cell.step), 1 - static_cast<float>(phase(t, 0.8, 1)), true);
}

/// The products of one cell, from the one farthest back to the nearest: nearer ones lie over it. `there`: how many of
/// them have come; `run`: how far they are on their way to the back.
void line_of_products(Cube& c, int line, int upright, double there, double run, float alpha, bool numbers) {
    const auto u = static_cast<float>(upright) + 0.5f, l = static_cast<float>(line) + 0.5f;
    const auto moved = static_cast<float>(ease(run));
    for (int f = c.inner.count - 1; f >= 0; --f) {
        const auto k = static_cast<float>(f) + 0.5f;
        const double t = there - f;
        const Point stand = c.at(u, l, c.steps_of(k));
        if (run <= 0 && t < 1) {
            ghost(c, c.beside_cell(line, f), c.at(0, l, c.steps_of(k)), stand, t);
            ghost(c, c.above_cell(f, upright), c.at(u, 0, c.steps_of(k)), stand, t);
        }
        const auto come = static_cast<float>(phase(t, 0.8, 1));
        if (come <= 0) continue;
        const Point now = c.at(u, l, c.steps_of(k) * (1 - moved));
        cube(c, now, c.cell * kCube * (0.6f + 0.4f * come), product(c, line, f, upright), c.products, alpha * come,
             numbers);
    }
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

/// The sheet of a row of the result's value: it lies, or stands upright where the value is transposed.
void sheet_of_row(Cube& c, int row, float alpha) {
    c.columns() ? sheet_of_upright(c, row, alpha) : sheet_of_line(c, row, alpha);
}

/// A whole row's products at once, running to the back.
void row_of_products(Cube& c, int row, double run, float alpha) {
    const int count = c.columns() ? c.lines.count : c.uprights.count;
    const int every = std::max(1, (count * c.inner.count + kMostCubes - 1) / kMostCubes);
    for (int i = count - 1; i >= 0; --i) {
        if (i % every != 0) continue;
        line_of_products(c, c.columns() ? i : row, c.columns() ? row : i, 1e9, run, alpha, false);
    }
}

void products(Cube& c) {
    const Pace& p = c.pace;
    constexpr float kSheet = 0.11f;
    const double slow = p.cell;
    const auto come = static_cast<float>(phase(slow, 0, kSheets));
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
        const double there = phase(slow, kSheets, kProducts) * (c.inner.count + 0.5);
        const double run = phase(slow, kProducts, kArrived);
        return line_of_products(c, c.lit.row, c.lit.col, there, run, 1 - static_cast<float>(phase(run, 0.9, 1)), true);
    }
    // At rest the explained cell's products stand where they were made; what they come to lies over them.
    line_of_products(c, c.lit.row, c.lit.col, 1e9, 0, 1, true);
    const Grid result = c.result_grid();
    const Spot at = c.columns() ? Spot{c.lit.col, c.lit.row} : c.lit;
    c.b.scene.cells.push_back({c.shown, result.at(at.row, at.col), c.b.colors(c.result)});
}

/// A number that a cube hides in part is not written.
void hide_covered_numbers(Cube& c) {
    if (c.pace.rest < 1 || c.cell < 30 * c.b.style().scale) return;
    std::vector<Rect> fronts;
    for (const QuadSprite& q : c.b.scene.quads)
        if (q.cell.step == attn::kNoStep) fronts.push_back(q.bounds());
    for (QuadSprite& q : c.b.scene.quads) {
        if (q.cell.step == attn::kNoStep) continue;
        const Rect number = rect_around(q.center(), q.bounds().w * 0.7f, c.b.style().label);
        q.number = std::none_of(fronts.begin(), fronts.end(), [&](const Rect& r) { return r.overlaps(number); });
    }
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
    const auto fit = [&] { return fit_cell(b.in, n + k * up, m + k * across, margins, kLargeCell); };
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

/// A grid that stands where names are wanted: at the wall's and the roof's edges towards the eye.
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

/// What stands of a large product.
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
    b.scene.captions.back().room = result.area().w;  // left of it stands the wall's
    const float deep = -c.depth.x * static_cast<float>(c.inner.count),
                high = -c.depth.y * static_cast<float>(c.inner.count);
    // The wall's name stands left of the result's, on the same line.
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

/// One range for all products of the explained cell.
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
    if (b.step(result).rows.kind == attn::Axis::Kind::Pairs) {  // those of one query
        Span& block = b.columns() ? c.uprights : c.lines;
        block = around(c.shown.row - rows.first, rows.count, kMostLines);
        block.first += rows.first;
        c.names_from = rows.first;
    }
    c.inner = around(0, static_cast<int>(b.step(c.left).value.cols()), kMostInner);
    c.lit = {line - c.lines.first, upright - c.uprights.first};
    size_up(c);
    c.products = scale_of_products(c);
    const auto light = static_cast<float>(phase(c.pace.cell, 0, kSheets));
    names(c, light);
    captions(c);
    part_in_words(c);
    result_wall(c);
    factors(c, light);
    products(c);
    hide_covered_numbers(c);
}

}  // namespace app::stage
