// Operations whose result is drawn elsewhere: element-wise operations on two matrices, reductions of rows and columns,
// extracting and stacking rows. Sources fly to their result: one cell slowly, its row faster, the others at once.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/layout/parts.h"
#include "core/ops/explain.h"

namespace app::stage {
namespace {

using attn::Cell;
using attn::Op;
using attn::StepId;

/// The most numbers written in the line below; the others become "…".
constexpr std::size_t kWritten = 5;
/// With more sources than this, they do not fly one by one.
constexpr std::size_t kRowsFlyAtMost = 300;
/// When the sources of the slow cell start, arrive, and have become its number.
constexpr double kStart = 0.15, kArrive = 0.75, kDone = 0.95;

std::string joined(const attn::Explanation& e, std::string_view sign) {
    std::string out;
    for (std::size_t i = 0; i < std::min(e.terms.size(), kWritten); ++i)
        out += fmt::format("{}{}", i == 0 ? "" : sign, number_text(e.terms[i].value));
    if (e.terms.size() > kWritten) out += fmt::format("{}…", sign);
    return out.empty() ? "0" : out;
}

std::string softmax_gradient_equation(const Builder& b, const attn::Explanation& e) {
    const auto named = [&](attn::Name name) { return number_text(static_cast<float>(e.named(name))); };
    const float own = b.value(e.terms[static_cast<std::size_t>(e.cell.col)].left);
    return fmt::format("{} · ({} − {})", named(attn::Name::Weight), number_text(own), named(attn::Name::SlopeSum));
}

std::string norm_gradient_equation(const attn::Explanation& e) {
    const auto named = [&](attn::Name name) { return number_text(static_cast<float>(e.named(name))); };
    const float own = e.terms[static_cast<std::size_t>(e.cell.col)].value;
    return fmt::format("({} − {} − {} · {}) / {}", number_text(own), named(attn::Name::Mean), named(attn::Name::Normed),
                       named(attn::Name::Along), named(attn::Name::Spread));
}

/// How the number is made, with its values: "0.50 × 0.20 = 0.10".
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
        made = fmt::format("{:g} · Σ(1 − c)²", e.as<attn::PenaltyParams>().lambda);
    else if (e.op == Op::SoftmaxGradient)
        made = softmax_gradient_equation(b, e);
    else if (e.op == Op::NormGradient)
        made = norm_gradient_equation(e);
    else
        made = joined(e, " + ");
    return made + " = " + telling_text(e.computed);
}

/// What is on the stage while numbers go from some matrices to a result.
struct Gather {
    SideBySide at;  ///< the sources, then the result
    Cell cell;
    Pace pace;

    StepId result() const { return at.steps.back(); }
    const Grid& result_grid() const { return at.grids.back(); }
    /// The rectangle of a cell; nothing if its row is not shown.
    std::optional<Rect> rect_of(const Builder& b, Cell cell_there) const {
        for (std::size_t i = 0; i < at.steps.size(); ++i) {
            const int row = cell_there.row - b.rows_of(cell_there.step).first;
            if (at.steps[i] == cell_there.step && row >= 0 && row < at.grids[i].rows)
                return at.grids[i].at(row, cell_there.col);
        }
        return std::nullopt;
    }
};

MatrixSprite& add_matrix(Builder& b, const Gather& g, std::size_t i, Spot lit) {
    const StepId id = g.at.steps[i];
    g.at.names(b, i, hue_of(b.step(id).tag), lit);
    g.at.caption(b, i);
    MatrixSprite& sprite = b.matrix(id, g.at.grids[i]);
    if (b.focused(id)) sprite.ring = *b.in.focus;
    return sprite;
}

void add_matrices(Builder& b, const Gather& g) {
    const std::size_t last = g.at.steps.size() - 1;
    for (std::size_t i = 0; i < last; ++i) add_matrix(b, g, i, {b.lit_row(g.at.steps[i]), b.lit_col(g.at.steps[i])});
    const int row = g.cell.row - b.rows_of(g.result()).first;
    MatrixSprite& result = add_matrix(b, g, last, {row, g.cell.col});
    result.placeholders = true;
    result.reveal =
        reveal_of(g.pace, {g.result(), row, b.focus_in(g.result()).col}, g.result_grid());
    result.ring = g.cell;
    // A single number has no useful colour range: the legend is that of its sources.
    const bool single = b.step(g.result()).value.size() == 1;
    b.legend(single ? g.at.steps.front() : g.result(), {g.at.left(), g.at.bottom() + b.style().caption + b.style().legend_h});
}

/// The sources of the explained cell, outlined; while it is being made, they fly to it.
void sources(Builder& b, const Gather& g, const attn::Explanation& e) {
    const auto target = g.rect_of(b, g.cell);
    if (!target || e.terms.size() > kRowsFlyAtMost) return;
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
    g.cell = current_cell(g.pace, b.focus_in(g.result()), g.result_grid().cols, g.result_grid().col_fold);
    add_matrices(b, g);
    const attn::Explanation e = attn::explain(b.trace(), g.cell);
    sources(b, g, e);
    const bool carried = e.terms.size() < 2 && e.op != Op::Multiply && e.op != Op::Divide && e.op != Op::ExpShift;
    if (!std::isfinite(e.computed) || carried) return;
    b.line_below({g.at.left(), g.at.bottom()}, equation(b, e), static_cast<float>(phase(g.pace.cell, kArrive, kDone)));
}

/// The step's sources and the step itself.
std::vector<StepId> with_sources(const Builder& b) {
    std::vector<StepId> steps = b.step(b.in.pose.step).inputs;
    steps.push_back(b.in.pose.step);
    return steps;
}

/// A column's sum is below its column; right of it where tokens are columns.
SideBySide column_sums(const Builder& b) {
    const std::vector<StepId> steps = with_sources(b);
    const float apart = b.style().caption * 1.3f;
    if (b.columns()) return side_by_side(b, steps, {apart});
    const auto rows = static_cast<float>(b.rows_of(steps[0]).count);
    Grid top = side_by_side(b, {steps[0]}, {0, 0, 0, apart + b.style().cell_max}).grids[0];
    top.cell = std::max(0.25f, std::min(top.cell, (b.in.area.h - apart) / (rows + 1)));
    return {steps, {top, b.grid(steps[1], {top.origin.x, top.area().bottom() + apart}, top.cell)}, true};
}

}  // namespace

void lay_out_numbers(Builder& b) {
    Gather g{arranged(b, with_sources(b), {b.style().between * 1.3f}), {}, {}};
    const Op op = b.step(g.result()).op;
    b.sign_between(g.at.grids[0], g.at.grids[1], op == Op::Multiply ? "×" : op == Op::Divide ? "/" : "−");
    b.sign_between(g.at.grids[1], g.at.grids[2], "=");
    play(b, g);
}

void lay_out_gather(Builder& b) {
    const bool sums = b.step(b.in.pose.step).op == Op::ColumnSum;
    Gather g{sums ? column_sums(b) : arranged(b, with_sources(b), {b.style().between * 1.8f}), {}, {}};
    play(b, g);
}

void lay_out_stack(Builder& b) {
    const StepId id = b.in.pose.step;
    const attn::Step& step = b.step(id);
    const auto parts = static_cast<float>(step.inputs.size());
    const float room = b.columns() ? b.in.area.w : b.in.area.h;
    const float gap = std::min(b.style().between, room * 0.3f / std::max(1.0f, parts));
    const float spread = gap * (parts - 1), below = b.columns() ? 0 : spread;
    const Grid whole = side_by_side(b, {id}, {0, spread - below, 0, below}).grids[0];
    const auto met = static_cast<float>(ease(phase(b.progress(), 0.15, 0.8)));
    // The first part stays; the others drop in below it (where tokens are columns: move in from the right), one after
    // the other.
    Point at = b.turned(whole.origin);
    for (const StepId part : step.inputs) {
        const Grid grid = b.grid(part, b.turned(at), whole.cell);
        if (met < 1) {
            MatrixSprite& sprite = b.matrix(part, grid);
            if (b.focused(part)) sprite.ring = *b.in.focus;
            b.row_labels(grid, b.step(part), hue_of(step.tag), b.lit_row(part));
        }
        at.y = b.turned(grid.area()).bottom() + gap * (1 - met);
    }
    b.legend(id, {whole.origin.x, whole.area().bottom() + below + b.style().caption + b.style().legend_h});
    if (met < 1) return;
    b.labelled_matrix(id, whole, b.lit_row(id), b.lit_col(id)).dim = 1;
}

}  // namespace app::stage
