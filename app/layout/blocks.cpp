// Operations that move whole matrices: vectors dropping in, transposing, adding, splitting and joining heads.

#include <algorithm>
#include <cmath>

#include "app/layout/parts.h"
#include "core/ops/explain.h"

namespace app::stage {
namespace {

using attn::Cell;

/// With more cells than this, they do not fly one by one.
constexpr int kFlyAtMost = 700;
/// A matrix by itself may have larger cells.
constexpr float kLargeCell = 1.3f;

/// Margins of a single row of matrices with labels left and above.
Margins usual_margins(const Builder& b, attn::StepId id, float cell) {
    const StageStyle& s = b.style();
    return {b.left_space(id), b.top_space(id, cell), 20 * s.scale, s.caption + s.legend_h * 3.2f};
}

/// The cell size for `rows` × `cols` cells, as drawn, and the origin of the first matrix.
struct Placing {
    float cell;
    Point origin;
};
/// `top` is the step named above, `left` (by default the same one) the step named on the left.
Placing place_row(const Builder& b, attn::StepId top, float rows, float cols, float extra_w, float extra_h = 0,
                  float most = 1, attn::StepId left = attn::kNoStep) {
    Margins m = usual_margins(b, top, b.style().cell_max);
    if (left != attn::kNoStep) m.left = b.left_space(left);
    m.right += extra_w;
    m.bottom += extra_h;
    float cell = fit_cell(b, rows, cols, m, most);
    m.top = b.top_space(top, cell);
    cell = std::min(cell, fit_cell(b, rows, cols, m, most));
    const float w = m.left + cell * b.narrow() * cols + m.right, h = m.top + cell * rows + m.bottom;
    return {cell,
            {b.in.area.x + std::max(0.0f, (b.in.area.w - w) / 2) + m.left,
             b.in.area.y + std::max(0.0f, (b.in.area.h - h) / 2) + m.top}};
}

float lines(const Builder& b, attn::StepId id) { return static_cast<float>(b.lines(id)); }
float uprights(const Builder& b, attn::StepId id) { return static_cast<float>(b.uprights(id)); }

void legend_below(Builder& b, attn::StepId id, float left, float bottom) {
    b.legend(id, {left, bottom + b.style().caption + b.style().legend_h});
}
void legend_below(Builder& b, attn::StepId id, const Grid& grid) {
    legend_below(b, id, grid.origin.x, grid.area().bottom());
}

/// Row and column of the focus if it is in this step; else −1, −1.
Spot lit_of(const Builder& b, attn::StepId id) {
    return b.focused(id) ? Spot{b.in.focus->row, b.in.focus->col} : Spot{-1, -1};
}

/// Three matrices of one shape, with room for a sign between them.
SideBySide sheets(const Builder& b, const std::vector<attn::StepId>& steps, float between) {
    if (b.columns()) return arranged(b, steps, {between});
    const attn::StepId id = steps.back();
    float named = 0;
    for (std::size_t i = 1; i < steps.size(); ++i) named += names_between(b, steps, i);
    const Placing at = place_row(b, id, lines(b, id), uprights(b, id) * 3, 2 * between + named);
    const float step = at.cell * b.narrow() * uprights(b, id) + between;
    SideBySide out{steps, {}, false};
    float x = 0;
    for (std::size_t i = 0; i < steps.size(); ++i, x += step) {
        x += names_between(b, steps, i);
        out.grids.push_back(b.grid(steps[i], at.origin, at.cell).moved(x, 0));
    }
    return out;
}

}  // namespace

namespace {

/// The height that is left for bars above the names of a matrix that is alone on the stage; 0: too little.
float height_of_bars(const Builder& b, attn::StepId id, const Placing& at) {
    constexpr float kLeast = 60, kMost = 220, kApart = 30;  // design pixels
    const float s = b.style().scale, free = 2 * (at.origin.y - b.top_space(id, at.cell) - b.in.area.y) - kApart * s;
    return free < kLeast * s ? 0 : std::min(free, kMost * s);
}

/// The shown numbers of a row as bars over their columns, from 0: how little the likely words differ.
void row_as_bars(Builder& b, attn::StepId id, const Grid& grid, Cell of, float high, float alpha) {
    constexpr float kWidest = 48, kShare = 0.7f;
    const float s = b.style().scale, bottom = grid.origin.y - b.top_space(id, grid.cell) - 6 * s;
    const attn::Matrix& value = b.step(id).value;
    const int count = grid.col_fold.shown(grid.cols);
    float most = 0, least = 0;
    for (int at = 0; at < count; ++at) {
        const float v = value(of.row, grid.col_fold.index(at));
        if (std::isfinite(v)) most = std::max(most, v), least = std::min(least, v);
    }
    if (most <= least) return;
    const auto y = [&](float v) { return bottom - high * (v - least) / (most - least); };
    const float left = grid.col(grid.col_fold.index(0)).x, right = grid.col(grid.col_fold.index(count - 1)).right();
    b.scene.bars.push_back({{left, y(0), right - left, 1.5f * s}, Hue::Faint, 0.7f * alpha, 0});
    for (int at = 0; at < count; ++at) {
        const int col = grid.col_fold.index(at);
        const float v = value(of.row, col);
        if (!std::isfinite(v) || v == 0) continue;
        const Rect column = grid.col(col);
        const float wide = std::min(column.w * kShare, kWidest * s), top = y(std::max(0.0f, v));
        b.scene.bars.push_back({{column.center().x - wide / 2, top, wide, std::max(2 * s, y(std::min(0.0f, v)) - top)},
                                v < 0 ? Hue::Negative : b.colors(id).hue, alpha * (col == of.col ? 1.0f : 0.5f), 3 * s});
    }
}

}  // namespace

void lay_out_input(Builder& b) {
    const attn::StepId id = b.in.pose.step;
    Placing at = place_row(b, id, lines(b, id), uprights(b, id), 0, 0, kLargeCell);
    // The logits of a large vocabulary are alone on the stage: what is left above them shows the row as bars.
    const bool likely = b.folding && b.folding->alone && b.step(id).cols.kind == attn::Axis::Kind::Words && !b.columns();
    const float bars = likely ? height_of_bars(b, id, at) : 0;
    if (bars > 0) at.origin.y += bars / 2;
    const Grid grid = b.grid(id, at.origin, at.cell);
    const Cell focus = b.focus_in(id);
    if (bars > 0) row_as_bars(b, id, grid, focus, bars, static_cast<float>(phase(b.progress(), 0.5, 1)));
    const Hue hue = b.colors(id).hue;
    const bool done = b.progress() >= 1;
    const bool weights = b.step(id).tag.role == attn::Role::Weights;  // from a file: rows are queries, columns keys
    b.row_labels(grid, b.step(id), weights ? Hue::Query : hue, b.focused(id) ? focus.row : -1);
    b.col_labels(grid, b.step(id), weights ? Hue::Key : hue, b.focused(id) ? focus.col : -1);
    b.caption(id, grid);
    legend_below(b, id, grid);
    if (done || grid.rows * grid.cols > kFlyAtMost) {
        MatrixSprite& sprite = b.matrix(id, grid);
        if (b.focused(id) || likely) sprite.ring = focus;
        if (likely) {
            sprite.scale = b.colors_of_row(id, focus.row);
            sprite.lit_row = focus.row - b.rows_of(id).first;
            sprite.dim = kUnspoken;
        }
        sprite.reveal.rows = done ? 1e9f : 1 + static_cast<float>(b.progress()) * static_cast<float>(grid.rows);
        return;
    }
    // Rows drop in one after the other; columns slide in.
    for (int r = 0; r < grid.rows; ++r) {
        const double begin = 0.7 * r / std::max(1, grid.rows);
        const auto t = static_cast<float>(ease(phase(b.progress(), begin, begin + 0.3)));
        if (t <= 0) continue;
        const Point off = b.turned(Point{0, -(1 - t) * grid.cell * 0.8f});
        for (int c = 0; c < grid.cols; ++c)  // while a row moves over its neighbours, it is drawn without numbers
            if (grid.shows(r, c)) b.scene.cells.push_back({{id, r, c}, grid.at(r, c).moved(off.x, off.y), b.colors(id), t, t >= 1});
    }
}

void lay_out_transpose(Builder& b) {
    const attn::StepId id = b.in.pose.step, from = b.step(id).inputs[0];
    const attn::Step& source = b.step(from);
    const float side = std::max(lines(b, from), uprights(b, from));
    // Room for both: for the row names before, and for the column names after.
    const Placing at = place_row(b, b.columns() ? from : id, side, side, 0, 0, 1, b.columns() ? id : from);
    const Grid before = b.grid(from, at.origin, at.cell), after = b.grid(id, at.origin, at.cell);
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
    if (t >= 1) {
        legend_below(b, id, after);
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
            // Across the diagonal on an arc, as if the matrix were turned over like a sheet.
            const float lift = std::sin(3.14159265f * t) * 0.12f * static_cast<float>(std::abs(r - c)) * before.cell;
            b.scene.cells.push_back(
                {{from, r, c}, {a.x + (z.x - a.x) * t + lift, a.y + (z.y - a.y) * t + lift, a.w, a.h}, b.colors(from)});
        }
}

void lay_out_sum(Builder& b) {
    const attn::StepId id = b.in.pose.step, left = b.step(id).inputs[0], right = b.step(id).inputs[1];
    const SideBySide at = sheets(b, {left, right, id}, b.style().between * 1.1f);
    const Grid &a = at.grids[0], &c = at.grids[1], &sum = at.grids[2];
    for (std::size_t i = 0; i < at.steps.size(); ++i) {
        at.names(b, i, b.colors(at.steps[i]).hue, lit_of(b, id));
        at.caption(b, i);
    }
    b.sign_between(a, c, "+", names_between(b, at.steps, 1));
    b.sign_between(c, sum, "=", names_between(b, at.steps, 2));
    legend_below(b, id, at.left(), at.bottom());
    b.matrix(left, a);
    b.matrix(right, c);
    const double t = b.progress();
    // Both matrices slide to the place of the sum, one onto the other, and become it.
    const auto first = static_cast<float>(ease(phase(t, 0.08, 0.4))),
               second = static_cast<float>(ease(phase(t, 0.42, 0.74)));
    if (t < 1) {
        const Point from_a = sum.origin - a.origin, from_c = sum.origin - c.origin;
        MatrixSprite& one = b.matrix(left, a.moved(from_a.x * first, from_a.y * first));
        one.pickable = false;
        one.numbers = false;  // other figures pass over it
        one.alpha = 1 - static_cast<float>(phase(t, 0.74, 0.9));
        MatrixSprite& two = b.matrix(right, c.moved(from_c.x * second, from_c.y * second));
        two.pickable = two.numbers = false;
        two.alpha = (1 - 0.4f * second) * (1 - static_cast<float>(phase(t, 0.74, 0.9)));
    }
    MatrixSprite& result = b.matrix(id, sum);
    result.alpha = static_cast<float>(phase(t, 0.72, 0.92));
    if (b.focused(id)) result.ring = b.focus_in(id);
}

namespace {

/// Where a row that is added to every row is drawn: above the sums. Where tokens are columns that would need the height
/// of a second matrix, so the column is drawn between the two instead, as in a written sum.
struct BiasPlaces {
    Grid left, bias, sum;
};
BiasPlaces place_bias(const Builder& b, attn::StepId left, attn::StepId bias, attn::StepId sum) {
    const float between = b.style().between;
    if (b.columns()) {
        const SideBySide at = side_by_side(b, {left, bias, sum}, {between});
        return {at.grids[0], at.grids[1], at.grids[2]};
    }
    const float rows = lines(b, sum), cols = uprights(b, sum);
    const Placing at = place_row(b, sum, rows + 1, cols * 2, between + 90 * b.style().scale, between);
    const Grid a = b.grid(left, at.origin + Point{0, at.cell + between}, at.cell);
    return {a, b.grid(bias, at.origin + Point{at.cell * b.narrow() * cols + between, 0}, at.cell),
            b.grid(sum, a.origin + Point{at.cell * b.narrow() * cols + between, 0}, at.cell)};
}

void name_bias(Builder& b, const BiasPlaces& at, attn::StepId left, attn::StepId bias, attn::StepId sum, Spot lit) {
    b.row_labels(at.left, b.step(left), b.colors(left).hue, lit.row);
    b.col_labels(b.columns() ? at.left : at.bias, b.step(bias), b.colors(bias).hue, lit.col);
    b.caption(left, at.left);
    b.caption(sum, at.sum);
    if (!b.columns()) return b.caption_beside(bias, at.bias);
    b.row_labels(at.sum, b.step(sum), b.colors(sum).hue, lit.row);
    b.caption(bias, at.bias);
    b.sign_between(at.left, at.bias, "+");
    b.sign_between(at.bias, at.sum, "=");
}

}  // namespace

void lay_out_bias(Builder& b) {
    const attn::StepId id = b.in.pose.step, left = b.step(id).inputs[0], bias = b.step(id).inputs[1];
    const BiasPlaces at = place_bias(b, left, bias, id);
    const Spot lit = lit_of(b, id);
    name_bias(b, at, left, bias, id, lit);
    legend_below(b, id, at.left);
    b.matrix(left, at.left).lit_row = lit.row;
    b.matrix(bias, at.bias).lit_col = lit.col;
    MatrixSprite& result = b.matrix(id, at.sum);
    result.placeholders = true;
    if (b.focused(id)) result.ring = b.focus_in(id);
    // The bias slides over the rows, one after the other, and leaves their sums behind.
    if (b.progress() >= 1) return;
    const auto t = static_cast<float>(ease(phase(b.progress(), 0.1, 0.9)));
    result.reveal.cells = t > 0 ? 1e9f : 0;
    const float passed = t * static_cast<float>(at.sum.rows);
    result.reveal.rows = std::max(t > 0 ? 1.0f : 0.0f, passed);
    if (t <= 0) return;
    const float to_first = b.turned(at.sum.origin).y - b.turned(at.bias.origin).y;
    const Point slid = b.turned(Point{0, to_first * std::min(1.0f, passed) + at.sum.cell * std::max(0.0f, passed - 1)});
    MatrixSprite& sliding = b.matrix(bias, at.bias.moved(slid.x, slid.y));
    sliding.pickable = sliding.numbers = false;
    sliding.alpha = 1 - static_cast<float>(phase(b.progress(), 0.8, 1.0));
}

namespace {

/// The frame around a block of columns, in its head's colour, or in `hue` if it belongs to no head.
void frame_block(Builder& b, Rect block, int head, Hue hue, float alpha) {
    BandSprite frame{block.inset(-2), hue, alpha, 8 * b.style().scale, true};
    if (head != attn::kNoHead) frame.head = head;
    b.scene.bars.push_back(frame);
}

/// Frames the other heads' blocks of the same whole.
void frame_other_heads(Builder& b, attn::StepId whole, const Grid& all, attn::StepId own) {
    for (attn::StepId id = whole + 1; id < b.trace().size(); ++id) {
        const attn::Step& other = b.step(id);
        if (id == own || other.op != attn::Op::Slice || other.inputs[0] != whole || other.tag.head == attn::kNoHead)
            continue;
        Grid block = all;
        block.origin = all.col(other.as<attn::SliceParams>().first).top_left();
        block.cols = static_cast<int>(other.value.cols());
        frame_block(b, block.area(), other.tag.head, Hue::Soft, 0.7f);
    }
}

}  // namespace

void lay_out_slice(Builder& b) {
    const attn::StepId id = b.in.pose.step, whole = b.step(id).inputs[0];
    const attn::Step& step = b.step(id);
    const float between = b.style().between * 1.6f;
    const Placing at = place_row(b, whole, lines(b, whole), uprights(b, whole) + uprights(b, id), between);
    const Grid all = b.grid(whole, at.origin, at.cell);
    const Rect block = all.col(step.as<attn::SliceParams>().first);  // the first column of the block
    const Point start = block.top_left(), end{all.area().right() + between, start.y};
    const auto t = static_cast<float>(ease(phase(b.progress(), 0.2, 0.9)));
    const Grid part = b.grid(id, between > 0 ? app::between(start, end, t) : end, at.cell);
    const Cell focus = b.focus_in(id);
    const Hue hue = b.colors(id).hue;
    b.row_labels(all, b.step(whole), hue, b.focused(id) ? focus.row : -1);
    b.col_labels(all, b.step(whole), hue, -1);
    b.caption(whole, all);
    legend_below(b, id, all);
    MatrixSprite& source = b.matrix(whole, all);
    source.alpha = 1 - 0.55f * static_cast<float>(phase(b.progress(), 0, 0.3));
    frame_other_heads(b, whole, all, id);
    frame_block(b, {start.x, start.y, part.area().w, part.area().h}, step.tag.head, hue, 0.9f);
    if (t > 0) frame_block(b, part.area(), step.tag.head, hue, 0.9f);
    MatrixSprite& sprite = b.matrix(id, part);
    if (b.focused(id)) sprite.ring = focus;
    if (t < 1) return;
    b.top_labels(part, step, hue, lit_of(b, id));
    if (b.columns()) b.left_labels(part, step, hue, lit_of(b, id));
    b.caption(id, part);
}

void lay_out_concat(Builder& b) {
    const attn::StepId id = b.in.pose.step;
    const attn::Step& step = b.step(id);
    const float apart = b.style().between, gaps = apart * static_cast<float>(step.inputs.size() - 1);
    // Blocks of columns are placed side by side; where tokens are columns, blocks of lines are placed below each other.
    const Placing at = place_row(b, id, lines(b, id), uprights(b, id), b.columns() ? 0 : gaps, b.columns() ? gaps : 0);
    const auto joined = static_cast<float>(ease(phase(b.progress(), 0.15, 0.8)));
    const float centre = gaps / 2;  // the blocks meet in the middle between their places
    const Point from = b.turned(at.origin);
    const auto place = [&](float along) { return b.turned(Point{along, from.y}); };
    const Grid whole = b.grid(id, place(from.x + centre), at.cell);
    float along = from.x + centre * joined;
    for (const attn::StepId input : step.inputs) {
        const Grid part = b.grid(input, place(along), at.cell);
        MatrixSprite& sprite = b.matrix(input, part);
        sprite.pickable = sprite.numbers = joined < 1;  // after that the result covers it
        const float away = 12 * b.style().scale;
        const Point above{part.area().center().x, part.origin.y - away},
            beside{part.origin.x - away, part.area().center().y + b.style().label * 0.36f};
        const int head = b.step(input).tag.head;
        frame_block(b, part.area().inset(joined), head, b.colors(id).hue, 0.85f);
        if (head != attn::kNoHead) {
            b.text(b.columns() ? beside : above, attn::number_of(head, b.in.count), Type::SmallStrong, b.colors(id).hue,
                   b.columns() ? Align::Right : Align::Center, 1 - joined);
            b.scene.labels.back().head = head;
        }
        along = b.turned(part.area()).right() + apart * (1 - joined);
    }
    const Spot lit = lit_of(b, id);
    const Grid labelled = b.grid(step.inputs[0], place(from.x + centre * joined), at.cell);
    b.row_labels(labelled, step, b.colors(id).hue, lit.row);
    legend_below(b, id, labelled.origin.x, whole.area().bottom() + (b.columns() ? centre : 0));
    if (joined < 1) return;
    MatrixSprite& result = b.matrix(id, whole);
    if (b.focused(id)) result.ring = b.focus_in(id);
    b.col_labels(whole, step, b.colors(id).hue, lit.col);
    b.caption(id, whole);
}

}  // namespace app::stage
