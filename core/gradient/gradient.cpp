#include "core/gradient/gradient.h"

#include <algorithm>
#include <cassert>

#include "core/gradient/gradient_pass.h"
#include "core/ops/operation.h"

namespace attn {
namespace {

bool has_slope(const Step& step, std::size_t slot) { return operation_of(step.op).has_slope(step, slot); }

}  // namespace

Objective objective_of(Trace& t, StepId step, Matrix gradient) {
    assert(t[step].value.rows() == gradient.rows() && t[step].value.cols() == gradient.cols());
    const Axis rows = t[step].rows, cols = t[step].cols;
    return {step, input(t, std::move(gradient), t[step].tag.of_pass(1), rows, cols, {Source::Formula})};
}

Objective objective_at(Trace& t, Cell cell) {
    Matrix one = Matrix::Zero(t[cell.step].value.rows(), t[cell.step].value.cols());
    one(cell.row, cell.col) = 1;
    return objective_of(t, cell.step, std::move(one));
}

ReversePass::ReversePass(Trace& t, std::span<const Objective> objectives, const std::vector<bool>& wanted) : t_(t) {
    out_.before = t.size();
    out_.of.assign(index(t.size()), kNoStep);
    uses_.resize(index(t.size()));
    turned_.assign(index(t.size()), kNoStep);
    find_active(objectives, wanted);
    for (const Objective& objective : objectives) {
        put_in(objective.step, objective.gradient);
        ++uses_[index(objective.step)].expected;
    }
    count_uses();
}

/// Marks the steps between what is wanted and what is differentiated.
void ReversePass::find_active(std::span<const Objective> objectives, const std::vector<bool>& wanted) {
    std::vector<bool> reaches(index(t_.size()), false), leads(index(t_.size()), wanted.empty());
    for (const Objective& objective : objectives) reaches[index(objective.step)] = true;
    for (StepId id = t_.size(); id-- > 0;)
        for (std::size_t slot = 0; reaches[index(id)] && slot < t_[id].inputs.size(); ++slot)
            if (has_slope(t_[id], slot)) reaches[index(t_[id].inputs[slot])] = true;
    for (StepId id = 0; id < t_.size() && !wanted.empty(); ++id) {
        leads[index(id)] = index(id) < wanted.size() && wanted[index(id)];
        for (std::size_t slot = 0; slot < t_[id].inputs.size(); ++slot)
            if (leads[index(t_[id].inputs[slot])] && has_slope(t_[id], slot)) leads[index(id)] = true;
    }
    active_.resize(index(t_.size()));
    for (std::size_t i = 0; i < active_.size(); ++i) active_[i] = reaches[i] && leads[i];
}

bool ReversePass::wants(const Step& step, std::size_t slot) const {
    return slot < step.inputs.size() && has_slope(step, slot) && active_[index(step.inputs[slot])];
}

/// How many uses will contribute: slices cut out of one step are joined again and count once.
void ReversePass::count_uses() {
    std::vector<bool> cut_columns(uses_.size()), cut_rows(uses_.size());
    for (StepId id = 0; id < out_.before; ++id) {
        if (!active_[index(id)]) continue;
        const Step& step = t_[id];
        for (std::size_t slot = 0; slot < step.inputs.size(); ++slot) {
            if (!wants(step, slot)) continue;
            const std::size_t of = index(step.inputs[slot]);
            if (step.op == Op::Slice && cut_columns[of]) continue;
            if (step.op == Op::SliceRows && cut_rows[of]) continue;
            if (step.op == Op::Slice) cut_columns[of] = true;
            if (step.op == Op::SliceRows) cut_rows[of] = true;
            ++uses_[of].expected;
        }
    }
}

Tag ReversePass::on_the_way(StepId of) {
    Uses& uses = uses_[index(of)];
    // The loss may already have taken some of these tags.
    do ++uses.named;
    while (find_id(t_, t_[of].tag.of_pass(uses.named)) != kNoStep);
    return t_[of].tag.of_pass(uses.named);
}

Tag ReversePass::of_use(StepId of) {
    return uses_[index(of)].expected == 1 ? t_[of].tag.of_pass(1) : on_the_way(of);
}

StepId ReversePass::transposed(StepId step) {
    if (t_[step].op == Op::Transpose && t_[step].replaced.empty()) return t_[step].inputs[0];
    if (step >= out_.before) return transpose(t_, step, t_[step].tag);
    StepId& there = turned_[index(step)];
    if (there == kNoStep) there = transpose(t_, step, on_the_way(step));
    return there;
}

StepId ReversePass::untouched(StepId step) {
    return t_[step].replaced.empty() ? step : again(t_, step, on_the_way(step));
}

StepId ReversePass::constant(StepId of, Matrix value, Axis rows, Axis cols) {
    return input(t_, std::move(value), on_the_way(of), rows, cols, {Source::Formula});
}

StepId ReversePass::decision(StepId of, Matrix value, Axis rows, Axis cols) {
    out_.decided.push_back(constant(of, std::move(value), rows, cols));
    return out_.decided.back();
}

namespace {

/// Moves pieces that do not overlap out of `left`, in order, so that they can be joined into one matrix.
template <class Piece, class Size>
std::vector<Piece> one_layer(std::vector<Piece>& left, const Size& size) {
    std::stable_sort(left.begin(), left.end(), [](const Piece& a, const Piece& b) { return a.first < b.first; });
    std::vector<Piece> layer, rest;
    int end = 0;
    for (const Piece& piece : left) {
        if (piece.first < end) {
            rest.push_back(piece);
            continue;
        }
        layer.push_back(piece);
        end = piece.first + size(piece.gradient);
    }
    left = std::move(rest);
    return layer;
}

}  // namespace

void ReversePass::join_columns(StepId of) {
    std::vector<Piece> left = std::move(uses_[index(of)].columns);
    const auto size = [this](StepId id) { return static_cast<int>(t_[id].value.cols()); };
    const int width = size(of);
    const auto height = t_[of].value.rows();
    for (bool first = true; !left.empty(); first = false) {
        const std::vector<Piece> layer = one_layer(left, size);
        std::vector<StepId> parts;
        int end = 0;
        const auto zeros_until = [&](int column) {
            if (column > end) parts.push_back(constant(of, Matrix::Zero(height, column - end), t_[of].rows, {}));
        };
        for (const Piece& piece : layer) {
            zeros_until(piece.first);
            parts.push_back(piece.gradient);
            end = piece.first + size(piece.gradient);
        }
        zeros_until(width);
        const Tag tag = first && left.empty() ? of_use(of) : on_the_way(of);
        put_in(of, concat(t_, parts, tag));
        t_.steps.back().cols = t_[of].cols;
    }
}

void ReversePass::join_rows(StepId of) {
    std::vector<Piece> left = std::move(uses_[index(of)].rows);
    const auto size = [this](StepId id) { return static_cast<int>(t_[id].value.rows()); };
    const int height = size(of);
    const auto width = t_[of].value.cols();
    for (bool first = true; !left.empty(); first = false) {
        const std::vector<Piece> layer = one_layer(left, size);
        std::vector<StepId> parts;
        int end = 0;
        const auto zeros_until = [&](int row) {
            if (row > end) parts.push_back(constant(of, Matrix::Zero(row - end, width), t_[of].rows, t_[of].cols));
        };
        for (const Piece& piece : layer) {
            zeros_until(piece.first);
            parts.push_back(piece.gradient);
            end = piece.first + size(piece.gradient);
        }
        zeros_until(height);
        const Tag tag = first && left.empty() ? of_use(of) : on_the_way(of);
        put_in(of, stack(t_, parts, tag));
        t_.steps.back().rows = t_[of].rows;
        t_.steps.back().cols = t_[of].cols;
    }
}

/// The sum of the contributions of all uses.
StepId ReversePass::collected(StepId of) {
    if (!uses_[index(of)].columns.empty()) join_columns(of);
    if (!uses_[index(of)].rows.empty()) join_rows(of);
    const std::vector<StepId>& parts = uses_[index(of)].parts;
    if (parts.empty()) return kNoStep;
    StepId sum = parts[0];
    for (std::size_t i = 1; i < parts.size(); ++i) {
        const Tag tag = i + 1 == parts.size() ? t_[of].tag.of_pass(1) : on_the_way(of);
        const bool taken = find_id(t_, tag) != kNoStep;  // an objective already has this tag
        sum = add(t_, sum, parts[i], taken ? on_the_way(of) : tag);
    }
    return sum;
}

/// A typed-over number depends on nothing: its gradient goes no further.
StepId ReversePass::without_replaced(StepId step, StepId gradient) {
    const auto& replaced = t_[step].replaced;
    if (replaced.empty() || t_[step].op == Op::Input) return gradient;
    Matrix computed = Matrix::Ones(t_[step].value.rows(), t_[step].value.cols());
    for (const Step::Replaced& cell : replaced) computed(cell.row, cell.col) = 0;
    const StepId pattern = constant(step, std::move(computed), t_[step].rows, t_[step].cols);
    return multiply(t_, gradient, pattern, on_the_way(step));
}

Gradients ReversePass::run() {
    for (StepId id = out_.before; id-- > 0;) {
        if (!active_[index(id)]) continue;
        const StepId gradient = out_.of[index(id)] = collected(id);
        if (gradient == kNoStep || t_[id].op == Op::Input) continue;
        bool any = false;
        for (std::size_t slot = 0; slot < t_[id].inputs.size(); ++slot) any = any || wants(t_[id], slot);
        if (any) {
            const StepId incoming = without_replaced(id, gradient);
            operation_of(t_[id].op).gradient({*this, id, incoming, t_[id]});
        }
    }
    return std::move(out_);
}

Gradients record_gradients(Trace& t, std::span<const Objective> objectives, const std::vector<bool>& wanted) {
    return ReversePass(t, objectives, wanted).run();
}

}  // namespace attn
