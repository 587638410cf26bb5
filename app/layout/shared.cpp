// Arrangements that several operations share: matrices side by side, a result in place of its input, a row as bars.

#include <algorithm>
#include <cmath>
#include <numeric>

#include "app/layout/parts.h"

namespace app::stage {
namespace {

using attn::StepId;

/// A matrix by itself may have larger cells.
constexpr float kLargePlainCell = 1.3f;
/// The share of a bar's line that the bar fills.
constexpr float kBarShare = 0.5f;
/// Matrices are stacked if that reduces the cell size to no less than this share.
constexpr float kNearlyAsLarge = 0.8f;
/// The gap between a legend and the column next to its matrix.
constexpr float kBeforeAside = 14;
/// The share of the width next to a matrix that the names of bars may take, and the least width of the bars.
constexpr float kBarNames = 0.24f, kLeastBars = 40;
/// Room right of stacked matrices for their captions.
constexpr float kCaptionBeside = 136;

float middle(float from, float room, float wanted) { return from + std::max(0.0f, (room - wanted) / 2); }

}  // namespace

bool same_left(const Builder& b, StepId a, StepId z) {
    const attn::Step &x = b.step(a), &y = b.step(z);
    return (b.columns() ? x.cols == y.cols : x.rows == y.rows) && b.lines(a) == b.lines(z);
}

bool same_top(const Builder& b, StepId a, StepId z) {
    const attn::Step &x = b.step(a), &y = b.step(z);
    return (b.columns() ? x.rows == y.rows : x.cols == y.cols) && b.uprights(a) == b.uprights(z);
}

float names_between(const Builder& b, const std::vector<StepId>& steps, std::size_t i) {
    return i == 0 || same_left(b, steps[0], steps[i]) ? 0 : b.left_space(steps[i]);
}

void SideBySide::names(Builder& b, std::size_t i, Hue hue, Spot lit) const {
    const attn::Step& step = b.step(steps[i]);
    if (i == 0 || stacked || !same_left(b, steps[0], steps[i])) b.left_labels(grids[i], step, hue, lit);
    if (i == 0 || !stacked || !same_top(b, steps[0], steps[i])) b.top_labels(grids[i], step, hue, lit);
    if (step.rows.kind == attn::Axis::Kind::Pairs) b.pair_heading(steps[i], grids[i]);
}

void SideBySide::caption(Builder& b, std::size_t i) const {
    if (stacked && i + 1 < steps.size())
        b.caption_beside(steps[i], grids[i]);
    else
        b.caption(steps[i], grids[i]);
}

float SideBySide::bottom() const {
    float lowest = 0;
    for (const Grid& grid : grids) lowest = std::max(lowest, grid.area().bottom());
    return lowest;
}

SideBySide side_by_side(const Builder& b, const std::vector<StepId>& steps, Apart apart) {
    const StageStyle& s = b.style();
    float rows = 1, cols = 0, fixed = apart.apart * static_cast<float>(steps.size() - 1);
    for (std::size_t i = 0; i < steps.size(); ++i) {
        rows = std::max(rows, static_cast<float>(b.lines(steps[i])));
        cols += static_cast<float>(b.uprights(steps[i]));
        if (i > 0 && !same_left(b, steps[0], steps[i])) fixed += b.left_space(steps[i]);
    }
    const auto labels_above = [&](float cell) {
        float space = 0;
        for (const StepId id : steps) space = std::max(space, b.top_space(id, cell));
        return space;
    };
    Margins m{b.left_space(steps[0]) + apart.left, labels_above(s.cell_max) + apart.above,
              24 * s.scale + fixed + apart.aside, s.caption + s.legend_h * 3.2f + apart.below};
    float cell = fit_cell(b, rows, cols, m, kLargePlainCell);
    m.top = labels_above(cell) + apart.above;
    cell = std::min(cell, fit_cell(b, rows, cols, m, kLargePlainCell));
    const float w = m.left + cell * b.narrow() * cols + m.right, h = m.top + cell * rows + m.bottom;
    Point at{b.in.area.x + std::max(0.0f, (b.in.area.w - w) / 2) + m.left,
             b.in.area.y + std::max(0.0f, (b.in.area.h - h) / 2) + m.top};
    SideBySide out{steps, {}, false};
    for (std::size_t i = 0; i < steps.size(); ++i) {
        if (i > 0) at.x += apart.apart;
        if (i > 0 && !same_left(b, steps[0], steps[i])) at.x += b.left_space(steps[i]);
        out.grids.push_back(b.grid(steps[i], at, cell));
        at.x = out.grids.back().area().right();
    }
    return out;
}

SideBySide below_each_other(const Builder& b, const std::vector<StepId>& steps, Apart apart) {
    const StageStyle& s = b.style();
    float rows = 0, cols = 1, left = 0;
    for (const StepId id : steps) {
        rows += static_cast<float>(b.lines(id));
        cols = std::max(cols, static_cast<float>(b.uprights(id)));
        left = std::max(left, b.left_space(id));
    }
    const auto own_names = [&](std::size_t i) { return i > 0 && !same_top(b, steps[0], steps[i]); };
    const auto margins = [&](float cell) {
        Margins m{left + apart.left, b.top_space(steps[0], cell) + apart.above, kCaptionBeside * s.scale + apart.aside,
                  s.caption + s.legend_h * 3.2f + apart.below + apart.apart * static_cast<float>(steps.size() - 1)};
        for (std::size_t i = 0; i < steps.size(); ++i)
            if (own_names(i)) m.bottom += b.top_space(steps[i], cell);
        return m;
    };
    float cell = fit_cell(b, rows, cols, margins(s.cell_max), kLargePlainCell);
    const Margins m = margins(cell);
    cell = std::min(cell, fit_cell(b, rows, cols, m, kLargePlainCell));
    Point at{middle(b.in.area.x, b.in.area.w, m.left + cell * b.narrow() * cols + m.right) + m.left,
             middle(b.in.area.y, b.in.area.h, m.top + cell * rows + m.bottom) + m.top};
    SideBySide out{steps, {}, true};
    for (std::size_t i = 0; i < steps.size(); ++i) {
        if (i > 0) at.y += apart.apart;
        if (own_names(i)) at.y += b.top_space(steps[i], cell);
        out.grids.push_back(b.grid(steps[i], at, cell));
        at.y = out.grids.back().area().bottom();
    }
    return out;
}

SideBySide larger(SideBySide across, SideBySide stacked) {
    return stacked.grids[0].cell >= kNearlyAsLarge * across.grids[0].cell ? stacked : across;
}

SideBySide arranged(const Builder& b, const std::vector<StepId>& steps, Apart apart) {
    SideBySide across = side_by_side(b, steps, apart);
    return b.columns() ? larger(std::move(across), below_each_other(b, steps, apart)) : across;
}

namespace {

/// Placed where the scores were computed. The column `aside` replaces the operand that was left of them.
void place_on(Builder& b, const ScoreSheet& sheet, float aside_width, float least, InPlace& p) {
    const StageStyle& s = b.style();
    p.grid = b.grid(p.result, sheet.grid.origin, sheet.grid.cell);
    const float names = p.grid.origin.y - b.top_space(p.result, p.grid.cell);
    const float top = std::max(b.in.area.y, std::min(sheet.top, names));
    p.free_above = names - top;
    const float end = p.grid.origin.x - b.left_space(p.result) - s.aside_gap, free = end - b.in.area.x;
    const float wide = aside_width > 0 && free >= std::max(1.0f, least) ? std::min(aside_width, free) : 0;
    p.aside = {end - wide, top, wide, b.in.area.bottom() - top};
}

}  // namespace

InPlace place_in(Builder& b, float aside_width, float least, float above) {
    constexpr float kGrudging = 0.6f;  // of the requested width, if it stays though there is no room
    InPlace p;
    p.result = b.in.pose.step;
    p.from = b.step(p.result).inputs[0];
    p.first_row = b.rows_of(p.result).first;
    p.cell = b.focus_in(p.result);
    if (b.focused(p.from)) p.cell = {p.result, b.in.focus->row, b.in.focus->col};
    if (b.folding && b.folding->sheet) {
        place_on(b, *b.folding->sheet, aside_width, least, p);
        return p;
    }
    const auto rows = static_cast<float>(b.lines(p.result)), cols = static_cast<float>(b.uprights(p.result));
    const StageStyle& s = b.style();
    Margins m;
    m.left = b.left_space(p.result);
    // When presenting, what is drawn aside gives way before words fold.
    if (s.presenting && least >= 0 && !b.shows(Omittable::Context)) aside_width = 0;
    if (s.figure > 0 && !s.presenting && aside_width > 0) {
        const float cell = std::max(figure_width(b.in, p.from), figure_width(b.in, p.result)) + s.gap;
        const float left = b.in.area.w - m.left - cols * cell - s.aside_gap * 1.4f;
        const bool stays = least < 0;
        if (stays) least = aside_width * kGrudging;
        aside_width = left < least && !stays ? 0 : std::clamp(left, least, std::max(least, aside_width));
    }
    m.top = b.top_space(p.result, s.cell_max) + above;
    p.free_above = above;
    m.right = aside_width > 0 ? aside_width + s.aside_gap * 1.4f : 0;
    m.bottom = s.caption + s.legend_h * 3.2f;
    float cell = fit_cell(b, rows, cols, m, kLargePlainCell);
    m.top = b.top_space(p.result, cell) + above;
    cell = std::min(cell, fit_cell(b, rows, cols, m, kLargePlainCell));
    const float width = m.left + cell * b.narrow() * cols + m.right, height = m.top + cell * rows + m.bottom;
    const float x = b.in.area.x + std::max(0.0f, (b.in.area.w - width) / 2) + m.left;
    const float y = b.in.area.y + std::max(0.0f, (b.in.area.h - height) / 2) + m.top;
    p.grid = b.grid(p.result, {x, y}, cell);
    const float top = b.in.area.y + 8 * s.scale;
    p.aside = {p.grid.area().right() + s.aside_gap * 1.4f, y, aside_width, b.in.area.bottom() - std::max(y, top)};
    return p;
}

void surround(Builder& b, const InPlace& p) {
    const attn::Step& step = b.step(p.result);
    // For scores, rows are queries and columns are keys; otherwise rows have the hue of the matrix itself.
    const bool square = step.cols.kind != attn::Axis::Kind::Units && step.cols.kind != attn::Axis::Kind::Features;
    const Hue own = hue_of(step.tag);
    const Hue rows = !square ? own : b.has_projections() ? Hue::Query : Hue::Input;
    const Hue cols = !square ? own : b.has_projections() ? Hue::Key : Hue::Input;
    b.row_labels(p.grid, step, rows, p.row());
    if (step.rows.kind == attn::Axis::Kind::Pairs) b.pair_heading(p.result, p.grid);
    b.col_labels(p.grid, step, cols, p.cell.col);
    // The range of the figures shown at this moment.
    const attn::StepId shown = step.op == attn::Op::Scale && b.progress() < kScaledFrom ? p.from : p.result;
    if (b.folding && b.folding->sheet)
        return b.caption_with_legend(p.result, p.grid, shown, p.cell.row);
    b.caption(p.result, p.grid);
    const float end = p.aside.w > 0 ? p.aside.x - kBeforeAside * b.style().scale : 1e9f;
    const float below = p.grid.area().bottom() + b.style().caption + b.style().legend_h * 2;
    if (step.op == attn::Op::Scale)
        return b.legend_of_row(shown, p.cell.row, p.grid.origin.x, std::min(end, p.grid.origin.x + b.style().legend_w * 1.5f), below);
    b.legend(p.result, {p.grid.origin.x, p.grid.area().bottom() + b.style().caption + b.style().legend_h}, end);
}

MatrixSprite& reveal_in_place(Builder& b, const InPlace& p, const Pace& pc) {
    if (pc.rest < 1) b.matrix(p.from, p.grid).pickable = false;  // at rest the result covers it
    if (pc.rest < 1)
        b.scene.bands.push_back({p.grid.row(p.row()), hue_of(b.step(p.result).tag), 0.12f, 8 * b.style().scale});
    MatrixSprite& result = b.matrix(p.result, p.grid);
    result.reveal = reveal_of(pc, {p.result, p.row(), p.cell.col}, p.grid);
    result.ring = p.cell;
    return result;
}

float BarChart::x(float value) const {
    const float left = rect.x + label_w + number_w;
    return left + (rect.right() - left) * std::clamp((value - low) / std::max(1e-12f, high - low), 0.0f, 1.0f);
}

Rect BarChart::lane(std::size_t i) const { return {rect.x, rect.y + line * static_cast<float>(i), rect.w, line}; }

Rect BarChart::bar(std::size_t i, float from, float to) const {
    const float a = x(std::min(from, to)), z = x(std::max(from, to)), high_px = line * kBarShare;
    return {a, lane(i).center().y - high_px / 2, std::max(1.0f, z - a), high_px};
}

BarChart bar_chart(const Builder& b, Rect rect, const std::vector<float>& weight, float low, float high) {
    const StageStyle& s = b.style();
    BarChart chart;
    chart.rect = rect;
    // Numbers are never truncated: if there is little room the bars become shorter, then the names.
    const float number = b.in.measure("-0.00", Type::NumberStrong) + 12 * s.scale;
    chart.number_w = std::max(number, std::min(66 * s.scale, rect.w * 0.22f));
    const float room = rect.w - chart.number_w - kLeastBars * s.scale;
    chart.label_w = std::max(std::min(76 * s.scale, room), std::min(76 * s.scale, rect.w * kBarNames));
    chart.low = low;
    chart.high = high;
    const auto count = static_cast<int>(weight.size());
    chart.line = std::clamp(rect.h / std::max(1.0f, static_cast<float>(count)), 22 * s.scale, 32 * s.scale);
    const int fitting = std::max(1, static_cast<int>(rect.h / chart.line));
    chart.columns.resize(weight.size());
    std::iota(chart.columns.begin(), chart.columns.end(), 0);
    if (count > fitting) {
        const auto size = [&](int i) { return weight[static_cast<std::size_t>(i)]; };
        std::stable_sort(chart.columns.begin(), chart.columns.end(), [&](int i, int j) { return size(i) > size(j); });
        chart.columns.resize(static_cast<std::size_t>(fitting));
        std::sort(chart.columns.begin(), chart.columns.end());
    }
    return chart;
}

void bar_label(Builder& b, const BarChart& chart, std::size_t i, const attn::Step& step, bool lit, std::string number,
               Hue hue, float alpha) {
    const Rect lane = chart.lane(i);
    const float base = lane.center().y + b.style().label * 0.36f, gap = 10 * b.style().scale;
    b.text({lane.x + chart.label_w - gap, base}, b.label(step.cols, chart.columns[i]),
           lit ? Type::BodyStrong : Type::Body, lit ? hue : Hue::Ink, Align::Right);
    b.scene.labels.back().fit = chart.label_w - gap;
    b.text({lane.x + chart.label_w + chart.number_w - gap, base}, std::move(number),
           lit ? Type::NumberStrong : Type::Number, hue, Align::Right, alpha);
}

void bar_mark(Builder& b, const BarChart& chart, float value, std::string name, Hue hue, float alpha) {
    const float x = chart.x(value), s = b.style().scale;
    const float high = chart.line * static_cast<float>(chart.columns.size());
    b.scene.bars.push_back({{x - s, chart.rect.y - 4 * s, 2 * s, high + 8 * s}, hue, 0.8f * alpha, 0});
    const bool right = x > chart.rect.center().x;
    b.text({x, chart.rect.y - 10 * s}, std::move(name), Type::NumberSmall, hue, right ? Align::Right : Align::Left,
           alpha);
}

}  // namespace app::stage
