// Operations that make a number of numbers elsewhere: two sheets number by number, rows and columns run together, rows
// cut out and put below each other. Sources fly to their result: one cell slowly, its row faster, the rest at once.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/anim/stage_parts.h"
#include "core/explain.h"

namespace app::stage {
namespace {

using attn::Cell;
using attn::Op;
using attn::StepId;

/// Numbers written out in the line below; what is more is left to "…".
constexpr std::size_t kWritten = 5;
/// More sources than this do not fly one by one.
constexpr std::size_t kFlyAtMost = 300;
/// When the sources of the slow cell start, arrive, and have become its number.
constexpr double kStart = 0.15, kArrive = 0.75, kDone = 0.95;

std::string joined(const attn::Explanation& e, std::string_view sign) {
    std::string out;
    for (std::size_t i = 0; i < std::min(e.terms.size(), kWritten); ++i)
        out += fmt::format("{}{}", i == 0 ? "" : sign, number_text(e.terms[i].value));
    if (e.terms.size() > kWritten) out += fmt::format("{}…", sign);
    return out.empty() ? "0" : out;
}

/// What makes the number, with its real values: "0.50 × 0.20 = 0.10".
std::string equation(const Builder& b, const attn::Explanation& e) {
    const auto left = [&] { return number_text(b.value(e.terms[0].left)); };
    const auto right = [&] { return number_text(b.value(*e.terms[0].right)); };
    std::string made;
    if (e.op == Op::Multiply)
        made = fmt::format("{} × {}", left(), right());
    else if (e.op == Op::Divide)
        made = fmt::format("{} / {}", left(), right());
    else if (e.op == Op::ExpShift)
        made = fmt::format("exp({} − {})", left(), right());
    else if (e.op == Op::RowMax)
        made = fmt::format("max({})", joined(e, ", "));
    else if (e.op == Op::Penalty)
        made = fmt::format("{:g} · Σ(1 − c)²", e.factor);
    else
        made = joined(e, " + ");
    return made + " = " + number_text(e.computed);
}

/// Everything that stands while numbers go from some matrices to a result.
struct Gather {
    std::vector<StepId> steps;  ///< the sources, then the result
    std::vector<Grid> grids;
    Cell cell;
    Pace pace;

    StepId result() const { return steps.back(); }
    const Grid& result_grid() const { return grids.back(); }
    float bottom() const {
        float lowest = 0;
        for (const Grid& grid : grids) lowest = std::max(lowest, grid.area().bottom());
        return lowest;
    }
    /// Where a cell stands; null: its row is not among those shown.
    std::optional<Rect> rect_of(const Builder& b, Cell at) const {
        for (std::size_t i = 0; i < steps.size(); ++i) {
            const int row = at.row - b.rows_of(at.step).first;
            if (steps[i] == at.step && row >= 0 && row < grids[i].rows) return grids[i].at(row, at.col);
        }
        return std::nullopt;
    }
};

/// One of the matrices: rows are named where they are others than those left of it, a column's sum is named by its
/// column.
MatrixSprite& stand_one(Builder& b, const Gather& g, std::size_t i, int lit_row, int lit_col) {
    const StepId id = g.steps[i];
    const attn::Step& step = b.step(id);
    const bool lower = i > 0 && g.grids[i].origin.y > g.grids[0].area().bottom();
    if (i == 0 || lower || !same_rows(b, g.steps[0], id))
        b.row_labels(g.grids[i], step, hue_of(step.tag.role), lit_row);
    if (step.rows.kind == attn::Axis::Kind::Pairs) b.pair_heading(id, g.grids[i]);
    if (!lower) b.col_labels(g.grids[i], step, hue_of(step.tag.role), lit_col);
    if (g.grids.back().origin.y > g.grids[i].area().bottom())
        b.caption_beside(id, g.grids[i]);
    else
        b.caption(id, g.grids[i]);
    MatrixSprite& sprite = b.matrix(id, g.grids[i]);
    if (b.focused(id)) sprite.ring = *b.in.focus;
    return sprite;
}

void stand_all(Builder& b, const Gather& g) {
    const std::size_t last = g.steps.size() - 1;
    for (std::size_t i = 0; i < last; ++i) stand_one(b, g, i, b.lit_row(g.steps[i]), b.lit_col(g.steps[i]));
    const int row = g.cell.row - b.rows_of(g.result()).first;
    MatrixSprite& result = stand_one(b, g, last, row, g.cell.col);
    result.placeholders = true;
    result.reveal =
        reveal_of(g.pace, {g.result(), row, b.focus_in(g.result()).col}, g.result_grid().rows, g.result_grid().cols);
    result.ring = g.cell;
    b.legend(g.result(), {g.grids.front().origin.x, g.bottom() + b.style().caption + b.style().legend_h});
}

/// The sources of the cell that is explained, outlined; while it is made they fly to it.
void sources(Builder& b, const Gather& g, const attn::Explanation& e) {
    const auto target = g.rect_of(b, g.cell);
    if (!target || e.terms.size() > kFlyAtMost) return;
    const double slow = g.pace.cell, moved = ease(phase(slow, kStart, kArrive));
    const auto lit = static_cast<float>(phase(slow, 0, kStart));
    const auto send = [&](Cell cell) {
        const auto from = g.rect_of(b, cell);
        if (!from) return;
        b.scene.bars.push_back({from->inset(-1), b.colors(cell.step).hue, 0.9f * lit, 4 * b.style().scale, true});
        if (slow > kStart && slow < kDone && std::isfinite(b.value(cell)))
            b.fly(cell, *from, *target, moved, 1 - static_cast<float>(phase(slow, kArrive, kDone)));
    };
    for (const attn::Term& term : e.terms) {
        send(term.left);
        if (term.right) send(*term.right);
    }
}

void play(Builder& b, Gather& g) {
    g.pace = pace(b.progress());
    g.cell = current_cell(g.pace, b.focus_in(g.result()), g.result_grid().cols);
    stand_all(b, g);
    const attn::Explanation e = attn::explain(b.trace(), g.cell);
    sources(b, g, e);
    const bool carried = e.terms.size() < 2 && e.op != Op::Multiply && e.op != Op::Divide && e.op != Op::ExpShift;
    if (!std::isfinite(e.computed) || carried) return;
    b.line_below({g.grids.front().origin.x, g.bottom()}, equation(b, e),
                 static_cast<float>(phase(g.pace.cell, kArrive, kDone)));
}

Gather beside(Builder& b, float apart) {
    Gather g;
    g.steps = b.step(b.in.pose.step).inputs;
    g.steps.push_back(b.in.pose.step);
    g.grids = side_by_side(b, g.steps, {apart, 0, 0, 0}).grids;
    return g;
}

void sign(Builder& b, const Grid& left, const Grid& right, const char* words) {
    const float x = (left.area().right() + right.area().x) / 2;
    b.text({x, left.origin.y + std::min(left.area().h, right.area().h) / 2 + 7 * b.style().scale}, words,
           Type::TitleStrong, Hue::Soft, Align::Center);
}

/// A column's sum stands below its column.
Gather below(Builder& b) {
    Gather g;
    const StepId from = b.step(b.in.pose.step).inputs[0];
    g.steps = {from, b.in.pose.step};
    const float apart = b.style().caption * 1.3f;
    const auto rows = static_cast<float>(b.rows_of(from).count);
    Grid top = side_by_side(b, {from}, {0, 0, 0, apart + b.style().cell_max}).grids[0];
    top.cell = std::max(0.25f, std::min(top.cell, (b.in.area.h - apart) / (rows + 1)));
    g.grids = {top, b.grid(g.steps[1], {top.origin.x, top.area().bottom() + apart}, top.cell)};
    return g;
}

}  // namespace

void lay_out_numbers(Builder& b) {
    Gather g = beside(b, b.style().between * 1.3f);
    const Op op = b.step(g.result()).op;
    sign(b, g.grids[0], g.grids[1], op == Op::Multiply ? "×" : op == Op::Divide ? "/" : "−");
    sign(b, g.grids[1], g.grids[2], "=");
    play(b, g);
}

void lay_out_gather(Builder& b) {
    Gather g = b.step(b.in.pose.step).op == Op::ColumnSum ? below(b) : beside(b, b.style().between * 1.8f);
    play(b, g);
}

void lay_out_stack(Builder& b) {
    const StepId id = b.in.pose.step;
    const attn::Step& step = b.step(id);
    const auto parts = static_cast<float>(step.inputs.size());
    const float gap = std::min(b.style().between, b.in.area.h * 0.3f / std::max(1.0f, parts));
    const float spread = gap * (parts - 1);
    const Grid whole = side_by_side(b, {id}, {0, 0, 0, spread}).grids[0];
    const auto met = static_cast<float>(ease(phase(b.progress(), 0.15, 0.8)));
    // The first stays; the others drop in below it, one after the other nearer.
    float y = whole.origin.y;
    for (const StepId part : step.inputs) {
        const Grid grid = b.grid(part, {whole.origin.x, y}, whole.cell);
        if (met < 1) {
            MatrixSprite& sprite = b.matrix(part, grid);
            if (b.focused(part)) sprite.ring = *b.in.focus;
            b.row_labels(grid, b.step(part), hue_of(step.tag.role), b.lit_row(part));
        }
        y = grid.area().bottom() + gap * (1 - met);
    }
    b.legend(id, {whole.origin.x, whole.area().bottom() + spread + b.style().caption + b.style().legend_h});
    if (met < 1) return;
    b.stand(id, whole, b.lit_row(id), b.lit_col(id)).dim = 1;
}

}  // namespace app::stage
