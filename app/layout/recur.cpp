// A recurrence: the state is passed from row to row, forwards or backwards. Each row is h = tanh(z + h_before U); the
// weight U is above the states, the inputs z are left of them. Rows come one after the other, because each needs the
// one before.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/layout/parts.h"
#include "core/ops/explain.h"

namespace app::stage {
namespace {

using attn::StepId;

/// Share of a row's time in which the previous state moves there; after that, both become the new state.
constexpr double kCarried = 0.6;

}  // namespace

void lay_out_recur(Builder& b) {
    const attn::StepId id = b.in.pose.step, inputs = b.step(id).inputs[0], weight = b.step(id).inputs[1];
    const StageStyle& s = b.style();
    const auto n = static_cast<float>(b.step(id).value.rows()), h = static_cast<float>(b.step(id).value.cols());
    // z on the left and U above, as in h U; where tokens are columns z above, tokens over tokens, and U on the left, as
    // in U h.
    const StepId over = b.columns() ? inputs : weight, beside = b.columns() ? weight : inputs;
    const float gap = s.between, rows = b.columns() ? 2 * h : n + h, cols = b.columns() ? h + n : 2 * h;
    Margins m{b.left_space(beside), b.top_space(b.columns() ? over : id, s.cell_max), gap + 190 * s.scale,
              s.caption + s.legend_h * 3.2f + gap};
    float cell = fit_cell(b, rows, cols, m);
    if (b.columns()) {  // names of tokens may be slanted
        m.top = b.top_space(over, cell);
        cell = fit_cell(b, rows, cols, m);
    }
    const float pitch = cell * b.narrow(), w = m.left + pitch * cols + m.right, high = m.top + cell * rows + m.bottom;
    const Point at{b.in.area.x + std::max(0.0f, (b.in.area.w - w) / 2) + m.left,
                   b.in.area.y + std::max(0.0f, (b.in.area.h - high) / 2) + m.top};
    const Grid top = b.grid(over, {at.x + pitch * h + gap, at.y}, cell);
    const Grid side = b.grid(beside, {at.x, at.y + cell * h + gap}, cell);
    const Grid states = b.grid(id, {top.origin.x, side.origin.y}, cell);
    const Grid &above = b.columns() ? side : top, &left = b.columns() ? top : side;  // U and z

    const bool backward = b.step(id).as<attn::RecurParams>().backward;
    const double passed = b.progress() >= 1 ? n : phase(b.progress(), 0.05, 0.97) * static_cast<double>(n);
    const int index = std::min(static_cast<int>(passed), states.rows - 1);  // number of finished rows
    const auto row_at = [&](int i) { return backward ? states.rows - 1 - i : i; };
    const bool done = passed >= static_cast<double>(n);
    const attn::Cell focus = b.focus_in(id);
    const int row = done ? focus.row : row_at(index);
    const double t = done ? 1 : passed - index;

    b.row_labels(left, b.step(inputs), hue_of(b.step(inputs).tag), row);
    b.col_labels(above, b.step(weight), hue_of(b.step(weight).tag), b.focused(id) ? focus.col : -1);
    b.caption(beside, side);
    b.caption_beside(over, top);
    b.caption(id, states);
    b.legend(id, {side.origin.x, side.area().bottom() + s.caption + s.legend_h});
    for (const auto& [step, grid] : {std::pair{inputs, left}, {weight, above}}) {
        MatrixSprite& sprite = b.matrix(step, grid);
        if (b.focused(step)) sprite.ring = *b.in.focus;
    }
    MatrixSprite& made = b.matrix(id, states);
    made.placeholders = true;
    if (!done) {
        made.reveal.first_row = row_at(0);
        made.reveal.upwards = backward;
        made.reveal.cells = index > 0 || t >= 0.98 ? 1e9f : 0;
        made.reveal.rows = static_cast<float>(index + (t >= 0.98 ? 1 : 0));
    }
    made.ring = done ? focus : attn::Cell{id, row, focus.col};
    b.scene.bands.push_back({left.row(row), hue_of(b.step(inputs).tag), 0.14f, 0});
    const int before = row + (backward ? 1 : -1);
    const bool has_before = before >= 0 && before < states.rows;
    if (has_before) {
        b.scene.bars.push_back({states.row(before).inset(-1), Hue::Accent, 0.8f, 5 * s.scale, true});
        b.scene.bands.push_back(
            {above.area(), Hue::Accent, 0.1f * static_cast<float>(1 - phase(t, 0.8, 1)), 4 * s.scale});
    }
    const attn::Explanation e = attn::explain(b.trace(), {id, row, focus.col});
    float carried = 0;
    for (const attn::Term& term : e.terms)
        if (term.right) carried += term.value;
    b.line_below(
        {side.origin.x, side.area().bottom()},
        fmt::format("tanh({} + {}) = {}", number_text(static_cast<float>(e.named(attn::Name::Sum)) - carried), number_text(carried), number_text(e.computed)),
        static_cast<float>(phase(t, kCarried, 0.9)));
    if (t >= 0.98) return;
    const double moved = ease(phase(t, 0.05, kCarried));
    const auto fade = 1 - static_cast<float>(phase(t, 0.8, 0.97));
    for (int c = 0; c < states.cols; ++c) {
        b.fly({inputs, row, c}, left.at(row, c), states.at(row, c), moved, fade);
        if (has_before) b.fly({id, before, c}, states.at(before, c), states.at(row, c), moved, 0.55f * fade);
    }
}

}  // namespace app::stage
