// The chain of one number: what was done to it, one line after the other, with its real values. A score's chain goes
// from the product of query and key to the weight; every other number's tells its own operation.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/explain/inspection_parts.h"
#include "app/explain/row_reader.h"
#include "app/timeline/labels.h"
#include "app/timeline/roles.h"
#include "core/ops/ops.h"

namespace app {
namespace {

using attn::Cell;
using attn::Op;
using attn::Role;
using attn::StepId;
using attn::Trace;

std::string factor_text(Role role, float factor) {
    if (role != Role::Scaled) return fmt::format("× {}{:g}", factor < 0 ? "−" : "", std::abs(factor));
    // 1/√d is read better as a division by a root.
    const double width = 1.0 / (static_cast<double>(factor) * static_cast<double>(factor));
    const double whole = std::round(width);
    if (whole >= 1 && std::abs(width - whole) < 1e-4 * whole) return fmt::format("/ √{}", static_cast<int>(whole));
    return fmt::format("× {:g}", factor);
}

/// "+ 0.25" or "− 0.25".
std::string plus_text(float value) { return (value < 0 ? "− " : "+ ") + number_text(std::abs(value)); }

/// What a score is made of, before anything is done to it: the factors in the formula's order.
std::string root_text(const Trace& trace, StepId root, attn::Convention convention) {
    if (trace[root].op == Op::MatMul) {
        const bool columns = convention == attn::Convention::Columns;
        const Role left = trace[trace[root].inputs[0]].tag.role;
        if (left == Role::UnitQueries) return columns ? "k·q / (|k||q|)" : "q·k / (|q||k|)";
        if (left == Role::ScoreQueries) return columns ? "k Wᵀ q" : "q W k";
        if (left == Role::RotatedQueries) return columns ? "R k · R q" : "R q · R k";
        if (hue_of(left) == Hue::Input) return "x·x";
        if (scores_by_place(trace, root)) return columns ? "w·q" : "q·w";
        return columns ? "k·q" : "q·k";
    }
    // One row a pair: a function of the number that it was folded to, or of the row before.
    StepId step = root, function = attn::kNoStep;
    while (!trace[step].inputs.empty() && trace[step].op != Op::PairSum && trace[step].op != Op::PairConcat) {
        if (trace[step].op == Op::Activate) function = step;
        step = trace[step].inputs[0];
    }
    const bool sum = trace[step].op == Op::PairSum;
    if (function == attn::kNoStep) return sum ? "v (W q + U k)" : "a [q; k]";
    const std::string_view f = name_of(trace[function].as<attn::ActivateParams>().activation);
    if (function == trace[root].inputs[0]) return fmt::format("{}({})", f, sum ? "a (q + k)" : "a [q; k]");
    return fmt::format("v {}({})", f, sum ? "W q + U k" : "W [q; k]");
}

struct Chain {
    const Trace& trace;
    Manner manner;
    std::vector<ChainRow>& rows;
    RowReader reader{trace};

    float value(Cell cell) const { return reader(cell); }
    std::string say(Str string, std::initializer_list<std::string_view> arguments = {}) const {
        return fill_in(tr(in_convention(string, manner.convention), manner.language), arguments);
    }
    void add(std::string how, float number, Hue hue = Hue::Ink, bool here = false) {
        rows.push_back({std::move(how), number, hue, here, std::isinf(number) && number < 0});
    }
    void add(std::string how, double number) { add(std::move(how), static_cast<float>(number)); }

    void softmax(const attn::Explanation& e, float result, bool here) {
        const float temperature = e.as<attn::SoftmaxParams>().temperature;
        const auto& m = e.measured<attn::SoftmaxMeasures>();
        const attn::Term& own = e.terms[static_cast<std::size_t>(e.cell.col)];
        if (own.masked || e.state) return add("softmax", result, Hue::Score, here);
        const float score = value(own.left);
        add(minus_text(m.maximum), score - m.maximum);
        const bool limit = temperature == 0 || std::isinf(temperature);
        if (limit) {
            // 0/0 at the largest, at 0: the number is what the exponential tends to.
            add(fmt::format("exp(· / τ), τ → {}", temperature == 0 ? "0" : "∞"), own.value);
        } else {
            if (temperature != 1) add(fmt::format("/ τ = {:g}", temperature), (score - m.maximum) / temperature);
            add("exp", own.value);
        }
        add("/ " + number_text(m.sum), result, Hue::Score, here);
    }
    void sparsemax(const attn::Explanation& e, float result, bool here) {
        const float temperature = e.as<attn::SoftmaxParams>().temperature;
        const auto& m = e.measured<attn::SparsemaxMeasures>();
        const attn::Term& own = e.terms[static_cast<std::size_t>(e.cell.col)];
        if (own.masked || e.state || !(temperature > 0)) return add("sparsemax", result, Hue::Score, here);
        const float below = (value(own.left) - m.maximum) / temperature;
        add(minus_text(m.maximum), value(own.left) - m.maximum);
        if (temperature != 1) add(fmt::format("/ τ = {:g}", temperature), below);
        add(minus_text(static_cast<float>(m.threshold)), static_cast<double>(below) - m.threshold);
        add("max(·, 0)", result, Hue::Score, here);
    }
    void unit(const attn::Explanation& e, float result, Hue hue, bool here) {
        add("x", static_cast<double>(value(e.terms[static_cast<std::size_t>(e.cell.col)].left)));
        add("/ " + number_text(e.measured<attn::UnitMeasures>().length), result, hue, here);
    }
    void layer_norm(const attn::Explanation& e, float result, Hue hue, bool here) {
        const auto& m = e.measured<attn::LayerNormMeasures>();
        auto shown = static_cast<double>(value(e.terms[static_cast<std::size_t>(e.cell.col)].left));
        add("x", shown);
        add(minus_text(static_cast<float>(m.mean)), shown -= m.mean);
        const double spread = std::sqrt(m.variance + static_cast<double>(e.as<attn::NormParams>().epsilon));
        add(fmt::format("/ {:.4g}", spread), shown /= spread);
        add("× γ = " + number_text(m.gain), shown * static_cast<double>(m.gain));
        add(plus_text(m.bias) + " (β)", result, hue, here);
    }
    void rms_norm(const attn::Explanation& e, float result, Hue hue, bool here) {
        const auto& m = e.measured<attn::RmsNormMeasures>();
        const auto x = static_cast<double>(value(e.terms[static_cast<std::size_t>(e.cell.col)].left));
        add("x", x);
        const double spread = std::sqrt(m.mean_square + static_cast<double>(e.as<attn::NormParams>().epsilon));
        add(fmt::format("/ {:.4g}", spread), x / spread);
        add("× γ = " + number_text(m.gain), result, hue, here);
    }
    void rotate(const attn::Explanation& e, float result, Hue hue, bool here) {
        const double angle = e.measured<attn::RotateMeasures>().angle;
        const auto one = [&](const attn::Term& term, std::string_view function) {
            add(fmt::format("{} · {}({:.3g})", number_text(value(term.left)), function, angle), term.value);
        };
        one(e.terms[0], "cos");
        one(e.terms[1],
            e.terms[1].value == value(e.terms[1].left) * static_cast<float>(std::sin(angle)) ? "sin" : "−sin");
        add(say(Str::sum), result, hue, here);
    }
    void softmax_gradient(const attn::Explanation& e, float result, Hue hue, bool here) {
        const float temperature = e.as<attn::SoftmaxParams>().temperature;
        const auto& m = e.measured<attn::SoftmaxGradientMeasures>();
        const float own = value(e.terms[static_cast<std::size_t>(e.cell.col)].left);
        add("g", own);
        add(minus_text(m.sum) + " (Σ g p)", own - m.sum);
        if (temperature != 1) add(fmt::format("/ τ = {:g}", temperature), (own - m.sum) / temperature);
        add("× p = " + number_text(m.weight), result, hue, here);
    }
    void norm_gradient(const attn::Explanation& e, float result, Hue hue, bool here) {
        const auto& m = e.measured<attn::NormGradientMeasures>();
        double u = static_cast<double>(e.terms[static_cast<std::size_t>(e.cell.col)].value);
        add("u = g γ", u);
        if (m.mean != 0) add(minus_text(static_cast<float>(m.mean)), u -= m.mean);
        const double along = m.normed * m.along;
        add(minus_text(static_cast<float>(along)), u - along);
        add("/ " + number_text(m.spread), result, hue, here);
    }
    void recur(const attn::Explanation& e, float result, Hue hue, bool here) {
        const float sum = e.measured<attn::SumMeasures>().sum;
        float carried = 0;
        for (const attn::Term& term : e.terms) carried += term.right ? term.value : 0.0f;
        add("z", sum - carried);
        add(say(Str::state_before), carried);
        add(fmt::format("tanh({})", number_text(sum)), result, hue, here);
    }

    /// What a step has done to the number at this cell.
    void own(Cell cell, bool here) {
        const attn::Explanation e = attn::explain(trace, cell);
        const float v = e.computed;
        const Role role = trace[cell.step].tag.role;
        const Hue hue = std::isinf(v) && v < 0 ? Hue::Masked : hue_of(trace[cell.step].tag);
        const auto left = [&] { return value(e.terms[0].left); };
        const auto right = [&] { return value(*e.terms[0].right); };
        switch (e.op) {
            case Op::Scale:
                return add(factor_text(trace[cell.step].tag.pass == 0 ? role : Role::Queries, e.as<attn::ScaleParams>().factor), v, hue, here);
            case Op::Add:
                return add(plus_text(e.terms[1].value), v, hue, here);
            case Op::Multiply:
                return add("× " + number_text(right()), v, hue, here);
            case Op::Divide:
                return add("/ " + number_text(right()), v, hue, here);
            case Op::ExpShift:
                return add(fmt::format("exp({} − {})", number_text(left()), number_text(right())), v, hue, here);
            case Op::Activate:
                return add(std::string(name_of(e.as<attn::ActivateParams>().activation)), v, hue, here);
            case Op::Mask:
                return add(say(role == Role::Windowed ? Str::stage_scope : Str::mask), v, hue, here);
            case Op::TopK:
            case Op::TopP:
                return add(
                    fmt::format("{} {}", e.terms[0].masked ? "<" : "≥", number_text(static_cast<float>(e.measured<attn::KeptMeasures>().least))),
                    v, hue, here);
            case Op::Softmax:
                return softmax(e, v, here);
            case Op::Sparsemax:
                return sparsemax(e, v, here);
            case Op::Draw:
                return add(say(Str::of_draws, {std::to_string(e.terms.size()), std::to_string(e.as<attn::DrawParams>().draws)}), v, hue, here);
            case Op::Unit:
                return unit(e, v, hue, here);
            case Op::LayerNorm:
                return layer_norm(e, v, hue, here);
            case Op::RmsNorm:
                return rms_norm(e, v, hue, here);
            case Op::Rotate:
                return rotate(e, v, hue, here);
            case Op::SoftmaxGradient:
                return softmax_gradient(e, v, hue, here);
            case Op::NormGradient:
                return norm_gradient(e, v, hue, here);
            case Op::Recur:
                return recur(e, v, hue, here);
            case Op::Window:
                return add(
                    fmt::format("|{:g} − {}| {} {:g}", e.measured<attn::ColumnMeasures>().position, number_text(left()), v != 0 ? "≤" : ">",
                                e.as<attn::WindowParams>().reach),
                    v, hue, here);
            case Op::Gaussian:
                return add(fmt::format("exp(−({:g} − {})² / (2·{:g}²))", e.measured<attn::ColumnMeasures>().position, number_text(left()),
                                       e.as<attn::GaussianParams>().sigma), v,
                           hue, here);
            case Op::RowMax:
                return add(fmt::format("max ({})", e.terms.size()), v, hue, here);
            case Op::Input:
            case Op::MatMul:
            case Op::Transpose:
            case Op::AddRow:
            case Op::PairSum:
            case Op::PairConcat:
            case Op::Fold:
            case Op::Spread:
            case Op::Collect:
            case Op::RowSum:
            case Op::ColumnSum:
            case Op::Penalty:
            case Op::Slice:
            case Op::SliceRows:
            case Op::Concat:
            case Op::Stack:
                return;  // their terms are listed, or they are carried over
        }
    }
};

/// The number before, where the line of an operation tells only what was done to it.
bool needs_what_was_before(Op op) {
    return op == Op::Scale || op == Op::Multiply || op == Op::Divide || op == Op::Activate || op == Op::TopK ||
           op == Op::TopP || op == Op::Softmax || op == Op::Sparsemax;
}

}  // namespace

bool in_score_family(Role role) {
    switch (role) {
        case Role::Scores:
        case Role::ScoreSum:
        case Role::Scaled:
        case Role::Biased:
        case Role::BucketBiased:
        case Role::CapShares:
        case Role::CapTanh:
        case Role::Capped:
        case Role::Windowed:
        case Role::CausalMasked:
        case Role::Masked:
        case Role::Kept:
        case Role::Weights:
        case Role::LocalWeights:
        case Role::Drawn:
            return true;
        default:
            return false;
    }
}

StepId score_root(const Trace& trace, StepId step) {
    while (in_score_family(trace[step].tag) && trace[step].tag.role != Role::Scores) {
        // Rows of several times put together: each had a chain of its own.
        if (trace[step].inputs.empty() || trace[step].op == Op::Stack) return attn::kNoStep;
        step = trace[step].inputs[0];
    }
    return trace[step].tag.pass == 0 && trace[step].tag.role == Role::Scores ? step : attn::kNoStep;
}

std::vector<StepId> score_path(const Trace& trace, StepId root) {
    std::vector<StepId> path{root};
    for (StepId id = root + 1; id < trace.size(); ++id) {
        const attn::Step& step = trace[id];
        if (step.tag.as(Role::Scores) != trace[root].tag.as(Role::Scores)) continue;
        if (!step.inputs.empty() && step.inputs[0] == path.back() && in_score_family(step.tag.role)) path.push_back(id);
    }
    return path;
}

namespace {

void chain_of(const Trace& trace, Cell cell, Manner manner, Inspection& out) {
    Chain chain{trace, manner, out.chain};
    const StepId root = score_root(trace, cell.step);
    if (root == attn::kNoStep) {
        const attn::Step& step = trace[cell.step];
        if (step.op == Op::Add || step.op == Op::Mask) return;  // both terms are listed; nothing else was done
        const attn::Explanation& e = out.explanation;
        if (needs_what_was_before(step.op) && !e.terms.empty()) {
            const bool row = step.op == Op::Softmax || step.op == Op::Sparsemax;
            const Cell before = e.terms[row ? static_cast<std::size_t>(cell.col) : 0].left;
            chain.add(std::string(name_of(trace, before.step, manner.language)), chain.value(before));
        }
        return chain.own(cell, true);
    }
    out.chain_of_score = true;
    for (const StepId step : score_path(trace, root)) {
        const Cell same{step, cell.row, cell.col};
        const bool here = step == cell.step;
        const std::size_t first = out.chain.size();
        if (step == root)
            chain.add(std::string(root_text(trace, root, manner.convention)), chain.value(same), Hue::Score, here);
        else
            chain.own(same, here);
        for (std::size_t i = first; i < out.chain.size(); ++i) out.chain[i].step = step;
    }
}

}  // namespace

void make_chain(const Trace& trace, Cell cell, Manner manner, Inspection& out) {
    chain_of(trace, cell, manner, out);
    for (ChainRow& row : out.chain)
        if (row.step == attn::kNoStep) row.step = cell.step;
}

}  // namespace app
