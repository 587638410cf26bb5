// Operations that move whole matrices: vectors dropping in, transposing, adding, splitting and joining heads.

#include <algorithm>
#include <cmath>

#include "app/anim/stage_parts.h"
#include "core/explain.h"

namespace app::stage {
namespace {

using attn::Cell;

/// More cells than this do not fly one by one.
constexpr int kFlyAtMost = 700;
/// A matrix alone has room for larger cells.
constexpr float kLargeCell = 1.3f;

float gap_of(const Builder& b, float cell) { return std::min(b.style().gap, cell * 0.08f); }

/// A grid of `cell` pixels, its left top corner at `origin`.
Grid grid_of(const Builder& b, attn::StepId id, Point origin, float cell) {
    const attn::Matrix& value = b.step(id).value;
    return {origin, cell, static_cast<int>(value.rows()), static_cast<int>(value.cols()), gap_of(b, cell)};
}

/// Margins of a single row of matrices with labels left and above.
Margins usual_margins(const Builder& b, attn::StepId id, float cell) {
    const StageStyle& s = b.style();
    return {b.row_label_space(b.step(id)), b.col_label_space(b.step(id), cell), 20 * s.scale,
            s.caption + s.legend_h * 3.2f};
}

/// The cell size for `cols` columns in all and `rows` rows, and where the first matrix begins.
struct Placing {
    float cell;
    Point origin;
};
Placing place_row(const Builder& b, attn::StepId labels, float rows, float cols, float extra_w, float extra_h = 0,
                  float most = 1, attn::StepId row_labels = attn::kNoStep) {
    Margins m = usual_margins(b, labels, b.style().cell_max);
    if (row_labels != attn::kNoStep) m.left = b.row_label_space(b.step(row_labels));
    m.right += extra_w;
    m.bottom += extra_h;
    float cell = fit_cell(b.in, rows, cols, m, most);
    m.top = b.col_label_space(b.step(labels), cell);
    cell = std::min(cell, fit_cell(b.in, rows, cols, m, most));
    const float w = m.left + cell * cols + m.right, h = m.top + cell * rows + m.bottom;
    return {cell,
            {b.in.area.x + std::max(0.0f, (b.in.area.w - w) / 2) + m.left,
             b.in.area.y + std::max(0.0f, (b.in.area.h - h) / 2) + m.top}};
}

void legend_below(Builder& b, attn::StepId id, const Grid& grid) {
    b.legend(id, {grid.origin.x, grid.area().bottom() + b.style().caption + b.style().legend_h});
}

void sign_between(Builder& b, const Grid& left, const Grid& right, const char* sign) {
    const float x = (left.area().right() + right.area().x) / 2;
    b.text({x, left.area().center().y + 7 * b.style().scale}, sign, Type::TitleStrong, Hue::Soft, Align::Center);
}

}  // namespace

void lay_out_input(Builder& b) {
    const attn::StepId id = b.in.pose.step;
    const attn::Matrix& value = b.step(id).value;
    const Placing at =
        place_row(b, id, static_cast<float>(value.rows()), static_cast<float>(value.cols()), 0, 0, kLargeCell);
    const Grid grid = grid_of(b, id, at.origin, at.cell);
    const Cell focus = b.focus_in(id);
    const Hue hue = b.colors(id).hue;
    const bool done = b.progress() >= 1;
    b.row_labels(grid, b.step(id), hue, b.focused(id) ? focus.row : -1);
    b.col_labels(grid, b.step(id), hue, b.focused(id) ? focus.col : -1);
    b.caption(id, grid);
    legend_below(b, id, grid);
    if (done || grid.rows * grid.cols > kFlyAtMost) {
        MatrixSprite& sprite = b.matrix(id, grid);
        if (b.focused(id)) sprite.ring = focus;
        sprite.reveal.rows = done ? 1e9f : 1 + static_cast<float>(b.progress()) * static_cast<float>(grid.rows);
        return;
    }
    // Rows drop in one after the other.
    for (int r = 0; r < grid.rows; ++r) {
        const double begin = 0.7 * r / std::max(1, grid.rows);
        const auto t = static_cast<float>(ease(phase(b.progress(), begin, begin + 0.3)));
        if (t <= 0) continue;
        for (int c = 0; c < grid.cols; ++c)
            b.scene.cells.push_back({{id, r, c}, grid.at(r, c).moved(0, -(1 - t) * grid.cell * 0.8f), b.colors(id), t});
    }
}

void lay_out_transpose(Builder& b) {
    const attn::StepId id = b.in.pose.step, from = b.step(id).inputs[0];
    const attn::Step& source = b.step(from);
    const auto n = static_cast<float>(source.value.rows()), f = static_cast<float>(source.value.cols());
    const float side = std::max(n, f);
    // Room for both: the rows' labels before, the columns' after.
    const Placing at = place_row(b, id, side, side, 0, 0, 1, from);
    const Grid before = grid_of(b, from, at.origin, at.cell), after = grid_of(b, id, at.origin, at.cell);
    const auto t = static_cast<float>(ease(phase(b.progress(), 0.15, 0.85)));
    const Hue hue = b.colors(id).hue;
    const Cell focus = b.focus_in(id);
    if (t < 0.5f) {
        b.row_labels(before, source, hue, -1, 1 - 2 * t);
        b.caption(from, before, 1 - 2 * t);
    } else {
        b.col_labels(after, b.step(id), hue, b.focused(id) ? focus.col : -1, 2 * t - 1);
        b.caption(id, after, 2 * t - 1);
    }
    legend_below(b, id, after);
    if (t >= 1) {
        MatrixSprite& sprite = b.matrix(id, after);
        if (b.focused(id)) sprite.ring = focus;
        return;
    }
    if (before.rows * before.cols > kFlyAtMost) {
        (t < 0.5f ? b.matrix(from, before) : b.matrix(id, after)).alpha = std::abs(2 * t - 1);
        return;
    }
    for (int r = 0; r < before.rows; ++r)
        for (int c = 0; c < before.cols; ++c) {
            const Rect a = before.at(r, c), z = after.at(c, r);
            // Over the diagonal, on an arc: the matrix turns like a sheet.
            const float lift = std::sin(3.14159265f * t) * 0.12f * static_cast<float>(std::abs(r - c)) * before.cell;
            b.scene.cells.push_back(
                {{from, r, c}, {a.x + (z.x - a.x) * t + lift, a.y + (z.y - a.y) * t + lift, a.w, a.h}, b.colors(from)});
        }
}

void lay_out_sum(Builder& b) {
    const attn::StepId id = b.in.pose.step, left = b.step(id).inputs[0], right = b.step(id).inputs[1];
    const auto rows = static_cast<float>(b.step(id).value.rows()), cols = static_cast<float>(b.step(id).value.cols());
    const float between = b.style().between * 1.1f;
    const Placing at = place_row(b, id, rows, cols * 3, 2 * between);
    const float step = at.cell * cols + between;
    const Grid a = grid_of(b, left, at.origin, at.cell), c = a.moved(step, 0), sum = a.moved(2 * step, 0);
    const Cell focus = b.focus_in(id);
    const int lit = b.focused(id) ? focus.row : -1;
    b.row_labels(a, b.step(left), b.colors(left).hue, lit);
    for (const auto& [step_id, grid] : {std::pair{left, a}, {right, c}, {id, sum}}) {
        b.col_labels(grid, b.step(step_id), b.colors(step_id).hue, b.focused(id) ? focus.col : -1);
        b.caption(step_id, grid);
    }
    sign_between(b, a, c, "+");
    sign_between(b, c, sum, "=");
    legend_below(b, id, a);
    b.matrix(left, a);
    b.matrix(right, c);
    const double t = b.progress();
    // Both sheets slide to the place of the sum, one onto the other, and become it.
    const auto first = static_cast<float>(ease(phase(t, 0.08, 0.4))),
               second = static_cast<float>(ease(phase(t, 0.42, 0.74)));
    if (t < 1) {
        MatrixSprite& one = b.matrix(left, a.moved(2 * step * first, 0));
        one.pickable = false;
        one.alpha = 1 - static_cast<float>(phase(t, 0.74, 0.9));
        MatrixSprite& two = b.matrix(right, c.moved(step * second, 0));
        two.pickable = false;
        two.alpha = (1 - 0.4f * second) * (1 - static_cast<float>(phase(t, 0.74, 0.9)));
    }
    MatrixSprite& result = b.matrix(id, sum);
    result.alpha = static_cast<float>(phase(t, 0.72, 0.92));
    if (b.focused(id)) result.ring = focus;
}

void lay_out_bias(Builder& b) {
    const attn::StepId id = b.in.pose.step, left = b.step(id).inputs[0], bias = b.step(id).inputs[1];
    const auto rows = static_cast<float>(b.step(id).value.rows()), cols = static_cast<float>(b.step(id).value.cols());
    const float between = b.style().between;
    const Placing at = place_row(b, id, rows + 1, cols * 2, between + 90 * b.style().scale, between);
    const Point below = at.origin + Point{0, at.cell + between};
    const Grid a = grid_of(b, left, below, at.cell),
               row = grid_of(b, bias, at.origin + Point{at.cell * cols + between, 0}, at.cell);
    const Grid sum = a.moved(at.cell * cols + between, 0);
    const Cell focus = b.focus_in(id);
    const bool on = b.focused(id);
    b.row_labels(a, b.step(left), b.colors(left).hue, on ? focus.row : -1);
    b.col_labels(row, b.step(bias), b.colors(bias).hue, on ? focus.col : -1);
    b.caption(left, a);
    b.caption_beside(bias, row);
    b.caption(id, sum);
    legend_below(b, id, a);
    b.matrix(left, a).lit_row = on ? focus.row : -1;
    b.matrix(bias, row).lit_col = on ? focus.col : -1;
    MatrixSprite& result = b.matrix(id, sum);
    result.placeholders = true;
    // The bias slides down over the rows and leaves their sums behind.
    const auto t = static_cast<float>(ease(phase(b.progress(), 0.1, 0.9)));
    if (b.progress() < 1) {
        result.reveal.cells = t > 0 ? 1e9f : 0;
        result.reveal.rows = std::max(t > 0 ? 1.0f : 0.0f, t * rows);
        if (t > 0) {
            MatrixSprite& sliding = b.matrix(bias, row.moved(0, (at.cell + between) * std::min(1.0f, t * rows) +
                                                                    at.cell * std::max(0.0f, t * rows - 1)));
            sliding.pickable = false;
            sliding.alpha = 1 - static_cast<float>(phase(b.progress(), 0.8, 1.0));
        }
    }
    if (on) b.scene.matrices[2].ring = focus;
}

void lay_out_slice(Builder& b) {
    const attn::StepId id = b.in.pose.step, whole = b.step(id).inputs[0];
    const attn::Step& step = b.step(id);
    const int first = step.params.first;
    const auto rows = static_cast<float>(step.value.rows()), cols = static_cast<float>(b.step(whole).value.cols()),
               own = static_cast<float>(step.value.cols());
    const float between = b.style().between * 1.6f;
    const Placing at = place_row(b, whole, rows, cols + own, between);
    const Grid all = grid_of(b, whole, at.origin, at.cell);
    const Point start{all.origin.x + at.cell * static_cast<float>(first), all.origin.y};
    const Point end{all.area().right() + between, all.origin.y};
    const auto t = static_cast<float>(ease(phase(b.progress(), 0.2, 0.9)));
    const Grid part = grid_of(b, id, between > 0 ? app::between(start, end, t) : end, at.cell);
    const Cell focus = b.focus_in(id);
    const Hue hue = b.colors(id).hue;
    b.row_labels(all, b.step(whole), hue, b.focused(id) ? focus.row : -1);
    b.col_labels(all, b.step(whole), hue, -1);
    b.caption(whole, all);
    legend_below(b, id, all);
    MatrixSprite& source = b.matrix(whole, all);
    source.alpha = 1 - 0.55f * static_cast<float>(phase(b.progress(), 0, 0.3));
    b.scene.bars.push_back(
        {{start.x - 2, start.y - 2, at.cell * own + 4, at.cell * rows + 4}, hue, 0.9f, 8 * b.style().scale, true});
    MatrixSprite& block = b.matrix(id, part);
    if (b.focused(id)) block.ring = focus;
    if (t >= 1) {
        b.col_labels(part, step, hue, b.focused(id) ? focus.col : -1);
        b.caption(id, part);
    }
}

void lay_out_concat(Builder& b) {
    const attn::StepId id = b.in.pose.step;
    const attn::Step& step = b.step(id);
    const auto rows = static_cast<float>(step.value.rows()), cols = static_cast<float>(step.value.cols());
    const float apart = b.style().between;
    const auto parts = static_cast<float>(step.inputs.size());
    const Placing at = place_row(b, id, rows, cols, apart * (parts - 1));
    const auto joined = static_cast<float>(ease(phase(b.progress(), 0.15, 0.8)));
    const float centre = apart * (parts - 1) / 2;  // the blocks meet in the middle of where they stood
    float x = at.origin.x + centre * joined;
    const Grid whole = grid_of(b, id, {at.origin.x + centre, at.origin.y}, at.cell);
    for (const attn::StepId input : step.inputs) {
        const Grid part = grid_of(b, input, {x, at.origin.y}, at.cell);
        MatrixSprite& sprite = b.matrix(input, part);
        sprite.pickable = joined < 1;
        b.text({part.area().center().x, part.origin.y - 12 * b.style().scale},
               std::to_string(b.step(input).tag.head + 1), Type::SmallStrong, b.colors(id).hue, Align::Center,
               1 - joined);
        x = part.area().right() + apart * (1 - joined);
    }
    const Cell focus = b.focus_in(id);
    const Grid labelled = grid_of(b, step.inputs[0], {at.origin.x + centre * joined, at.origin.y}, at.cell);
    b.row_labels(labelled, step, b.colors(id).hue, b.focused(id) ? focus.row : -1);
    legend_below(b, id, labelled);
    if (joined < 1) return;
    MatrixSprite& result = b.matrix(id, whole);
    if (b.focused(id)) result.ring = focus;
    b.col_labels(whole, step, b.colors(id).hue, b.focused(id) ? focus.col : -1);
    b.caption(id, whole);
}

}  // namespace app::stage
