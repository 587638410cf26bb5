// Which keys count: a box or a Gaussian that slides along them, a threshold over a row's bars, the simplex of
// sparsemax.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/layout/parts.h"
#include "core/ops/explain.h"

namespace app::stage {
namespace {

using attn::Op;
using attn::StepId;

constexpr float kCurveHeight = 64;  ///< design pixels above the matrix
constexpr int kBellPoints = 96;
constexpr float kOutside = 0.72f;  ///< how strongly cells outside the window are faded

/// The weight of a position, also between keys, for a window around `center`.
float counted(const attn::Step& step, float center, float place) {
    const float away = place - center;
    if (step.op == Op::Window) return std::abs(away) <= step.as<attn::WindowParams>().reach ? 1.0f : 0.0f;
    const float sigma = step.as<attn::GaussianParams>().sigma;
    return std::exp(-away * away / (2 * sigma * sigma));
}

/// The curve over the columns, and its centre; left of them where tokens are columns.
void gaussian(Builder& b, const Grid& grid, float high, float center) {
    const attn::Step& step = b.step(b.in.pose.step);
    std::vector<Point> line;
    const auto cols = static_cast<float>(grid.cols);
    const Point origin = b.turned(grid.origin);
    const float pitch = b.columns() ? grid.cell : grid.pitch_x();
    const float base = origin.y - 3 * b.style().scale;
    for (int i = 0; i <= kBellPoints; ++i) {
        const float place = -0.5f + cols * static_cast<float>(i) / kBellPoints;
        line.push_back(
            b.turned(Point{origin.x + pitch * (place + 0.5f), base - high * counted(step, center, place)}));
    }
    b.path(std::move(line), Hue::Score, 2.2f * b.style().scale);
    const float x = origin.x + pitch * (std::clamp(center, -0.5f, cols - 0.5f) + 0.5f);
    b.path({b.turned(Point{x, base}), b.turned(Point{x, base - high})}, Hue::Accent, 1.5f * b.style().scale, 0.7f);
    // Cells are dimmed where the curve is low: below it, and in the row that it belongs to.
    for (int j = 0; j < grid.cols; ++j) {
        const float inside = counted(step, center, static_cast<float>(j));
        const Rect col = b.turned(grid.col(j));
        b.scene.bands.push_back({b.turned(Rect{col.x, base - high, col.w, high}), Hue::Score, 0.12f * inside, 0});
    }
}

/// Fades what lies outside the window as far as the curve is low there; the row that it belongs to is framed.
void dim_outside(Builder& b, const Grid& grid, int row, float center, float alpha) {
    const attn::Step& step = b.step(b.in.pose.step);
    for (int j = 0; j < grid.cols; ++j) {
        const float outside = 1 - counted(step, center, static_cast<float>(j));
        if (outside * alpha > 0.01f) b.scene.bars.push_back({grid.col(j), Hue::Back, kOutside * outside * alpha, 0});
    }
    b.scene.bars.push_back({grid.row(row).inset(-1), Hue::Accent, 0.8f * alpha, 5 * b.style().scale, true});
}

/// The range of a row's finite numbers.
struct Range {
    float low = 0, high = 0;
};
Range range_of_row(const attn::Matrix& value, int row) {
    Range range;
    bool first = true;
    for (Eigen::Index j = 0; j < value.cols(); ++j) {
        const float v = value(row, j);
        if (!std::isfinite(v)) continue;
        range = {first ? v : std::min(range.low, v), first ? v : std::max(range.high, v)};
        first = false;
    }
    return range;
}

std::vector<float> row_weights(const attn::Matrix& value, int row) {
    std::vector<float> out;
    for (Eigen::Index j = 0; j < value.cols(); ++j)
        out.push_back(std::isfinite(value(row, j)) ? value(row, j) : -1e30f);
    return out;
}

/// The row's scores as bars from the lowest one, with the threshold; what is below it drops out.
void threshold_bars(Builder& b, const InPlace& p, const attn::Explanation& e, double t) {
    const float s = b.style().scale;
    const attn::Matrix& from = b.step(p.from).value;
    const Range range = range_of_row(from, p.cell.row);
    const float span = std::max(1e-6f, range.high - range.low), low = range.low - span * 0.08f;
    const BarChart chart =
        bar_chart(b, {p.aside.x, p.aside.y + 20 * s, p.aside.w, std::max(30 * s, p.aside.h - 40 * s)},
                  row_weights(from, p.cell.row), low, range.high);
    const auto threshold = static_cast<float>(e.named(attn::Name::Least));
    const auto fall = static_cast<float>(ease(phase(t, 0.4, 0.9)));
    for (std::size_t i = 0; i < chart.columns.size(); ++i) {
        const int j = chart.columns[i];
        const float v = from(p.cell.row, j), after = b.step(p.result).value(p.cell.row, j);
        const bool dropped = !std::isfinite(after);
        const Hue hue = dropped ? Hue::Masked : Hue::Score;
        if (std::isfinite(v)) {
            const Rect bar = chart.bar(i, low, v);
            b.scene.bars.push_back({bar.moved(0, dropped ? fall * chart.line * 0.4f : 0),
                                    dropped && t > 0.4 ? Hue::Masked : Hue::Score,
                                    dropped           ? 0.6f * (1 - fall)
                                    : j == p.cell.col ? 1.0f
                                                      : 0.7f,
                                    3 * s});
        }
        bar_label(b, chart, i, b.step(p.result), j == p.cell.col, number_text(t > 0.75 ? after : v),
                  t > 0.75 ? hue : Hue::Score);
    }
    bar_mark(b, chart, threshold, "≥ " + number_text(threshold), Hue::Accent, static_cast<float>(phase(t, 0.1, 0.3)));
}

/// z − τ, clipped at 0: the rest sums to 1.
void sparse_bars(Builder& b, const InPlace& p, const attn::Explanation& e, double t) {
    const auto maximum = static_cast<float>(e.named(attn::Name::Maximum)), threshold = static_cast<float>(e.named(attn::Name::Threshold));
    const float s = b.style().scale;
    const attn::Matrix& from = b.step(p.from).value;
    if (e.state) return b.say_masked_row(p.aside.top_left());
    const float own = e.as<attn::SoftmaxParams>().temperature;
    const float temperature = own > 0 ? own : 1;
    const auto z_of = [&](int j) { return (from(p.cell.row, j) - maximum) / temperature; };
    float lowest = threshold;
    for (int j = 0; j < static_cast<int>(from.cols()); ++j)
        if (std::isfinite(z_of(j))) lowest = std::min(lowest, z_of(j));
    // Extends left to three times the threshold, so that what falls away is visible.
    const float low = std::max(lowest, 3 * threshold) * 1.1f, high = std::max(0.05f, -threshold) * 1.05f;
    const BarChart chart =
        bar_chart(b, {p.aside.x, p.aside.y + 20 * s, p.aside.w, std::max(30 * s, p.aside.h - 40 * s)},
                  row_weights(from, p.cell.row), low, high);
    const auto slid = static_cast<float>(ease(phase(t, 0.35, 0.85)));
    for (std::size_t i = 0; i < chart.columns.size(); ++i) {
        const int j = chart.columns[i];
        const attn::Term& term = e.terms[static_cast<std::size_t>(j)];
        const bool lit = j == p.cell.col;
        if (!term.masked) {
            const float z = z_of(j) - threshold * slid;
            const float begin = low + (0 - low) * slid;  // bars begin at the left, then at the threshold, now 0
            if (z > begin) b.scene.bars.push_back({chart.bar(i, begin, z), Hue::Score, lit ? 1.0f : 0.6f, 3 * s});
        }
        const bool done = t > 0.7;
        bar_label(b, chart, i, b.step(p.result), lit,
                  done || term.masked ? number_text(b.step(p.result).value(p.cell.row, j)) : number_text(z_of(j)),
                  term.masked ? Hue::Masked : Hue::Score);
    }
    bar_mark(b, chart, threshold * (1 - slid), "τ = " + number_text(threshold), Hue::Accent,
             static_cast<float>(phase(t, 0.1, 0.3)));
}

}  // namespace

void lay_out_window(Builder& b) {
    const StepId id = b.in.pose.step, centers = b.step(id).inputs[0];
    const float s = b.style().scale, high = std::min(kCurveHeight * s, b.in.area.h * 0.2f);
    const float over = high + 6 * s;  // height of the curve and its gap above the cells
    const float apart = b.style().between * 1.6f;
    const SideBySide at = b.columns() ? below_each_other(b, {centers, id}, {apart, 0, 0, 0, over})
                                      : side_by_side(b, {centers, id}, {apart, 0, over, 0});
    const Grid &column = at.grids[0], &grid = at.grids[1];
    const attn::Cell focus = b.focus_in(id);
    const Pace pc = pace(b.progress());
    // The curve is over the explained row, then moves on to the others.
    const int ahead = pc.rest > 0 && pc.rest < 1 ? static_cast<int>(ease(pc.rest) * (grid.rows - 1)) : 0;
    const int row = (focus.row + ahead) % std::max(1, grid.rows);
    const float from = b.step(centers).value(focus.row, 0), center = b.step(centers).value(row, 0);
    const auto slide = static_cast<float>(ease(phase(pc.cell, 0.1, 0.8)));
    b.row_labels(column, b.step(centers), b.has_projections() ? Hue::Query : Hue::Input, row);
    at.caption(b, 0);
    at.caption(b, 1);
    b.legend(id, {at.left(), at.bottom() + b.style().caption + b.style().legend_h});
    const Point away = b.turned(Point{0, -over});
    b.col_labels(grid.moved(away.x, away.y), b.step(id), b.has_projections() ? Hue::Key : Hue::Input,
                 b.focused(id) ? focus.col : -1);
    gaussian(b, grid, high, pc.cell < 1 ? from * slide : center);
    MatrixSprite& left = b.matrix(centers, column);
    if (b.focused(centers)) left.ring = *b.in.focus;
    MatrixSprite& result = b.matrix(id, grid);
    result.placeholders = true;
    result.reveal = reveal_of(pc, {id, focus.row, focus.col}, grid.rows, grid.cols);
    if (pc.cell >= 0.85) result.reveal.cells = 1e9f;
    result.ring = focus;
    if (b.progress() >= 1) return;
    const auto leaves = static_cast<float>(phase(pc.rest, 0.9, 1));
    dim_outside(b, grid, row, pc.cell < 1 ? from * slide : center,
                static_cast<float>(phase(pc.cell, 0, 0.1)) * (1 - leaves));
}

void lay_out_threshold(Builder& b) {
    const InPlace p = place_in(b, std::min(330 * b.style().scale, b.in.area.w * 0.42f));
    const Pace pc = pace(b.progress());
    surround(b, p);
    MatrixSprite& result = reveal_in_place(b, p, pc);
    if (pc.cell >= 0.9) result.reveal.cells = 1e9f;
    const attn::Explanation e = attn::explain(b.trace(), p.cell);
    const double t = b.progress() >= 1 ? 1 : pc.cell;
    if (e.op == Op::Sparsemax)
        sparse_bars(b, p, e, t);
    else
        threshold_bars(b, p, e, t);
}

}  // namespace app::stage
