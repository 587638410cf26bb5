// The chain of one number: what was done to it, one line after the other, with its real values. A score's chain goes
// from the product of query and key to the weight; that of any other number covers only its own operation.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/explain/inspection_parts.h"
#include "app/explain/row_reader.h"
#include "app/explain/substitution_parts.h"
#include "app/timeline/labels.h"
#include "app/timeline/roles.h"
#include "core/ops/ops.h"

namespace app {
namespace {

using attn::Cell;
using attn::Name;
using attn::Node;
using attn::Op;
using attn::Role;
using attn::StepId;
using attn::Trace;
using TreeKind = attn::Node::Kind;

constexpr attn::Script kLine{
    .number = [](const Node& node, double value) {
        if (node.name == Name::Angle) return fmt::format("{:.3g}", value);
        return node.kind == TreeKind::Number ? fmt::format("{:g}", value) : number_text(static_cast<float>(value));
    },
    .minus = "−", .times = " · ", .square = "²", .at_least = "≥", .at_most = "≤", .function = name_of};

std::string factor_text(Role role, float factor) {
    const int root = role == Role::Scaled ? substitution::root_of(factor) : 0;  // 1/√d is read better as a division by a root
    if (root > 0) return fmt::format("/ √{}", root);
    return fmt::format("× {}{:g}", factor < 0 ? "−" : "", std::abs(factor));
}

/// "+ 0.25" or "− 0.25".
std::string plus_text(float value) { return (value < 0 ? "− " : "+ ") + number_text(std::abs(value)); }

/// How a score is computed before anything else is done to it: the factors in the order of the formula.
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
    // One row per pair: a function of the number that it was reduced to, or of the previous row.
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

    float cell_value(Cell cell) const { return reader(cell); }
    std::string say(Str string, std::initializer_list<std::string_view> arguments = {}) const {
        return fill_in(tr(in_convention(string, manner.convention), manner.language), arguments);
    }
    void add(std::string how, float number, Hue hue = Hue::Ink, bool here = false) {
        rows.push_back({std::move(how), number, hue, here, std::isinf(number) && number < 0});
    }
    void add(std::string how, double number) { add(std::move(how), static_cast<float>(number)); }

    double value(const attn::Explanation& e, const Node& node) const { return attn::value_of(trace, e.terms, node); }
    std::string number(const attn::Explanation& e, const Node& node) const { return number_text(static_cast<float>(value(e, node))); }
    std::string text(const attn::Explanation& e, const Node& node) const { return attn::plain_text(trace, e.terms, node, kLine); }

    /// "τ = 2" if the node has a symbol.
    static std::string with_symbol(const Node& node, const std::string& number) {
        const std::string_view symbol = attn::row_of(node.name).symbol;
        return symbol.empty() ? number : fmt::format("{} = {}", symbol, number);
    }

    /// What a node does to the number inside it.
    std::string how(const attn::Explanation& e, const Node& node) const {
        if (node.kind == TreeKind::Positive) return "max(·, 0)";
        if (node.kind == TreeKind::Function) return std::string(name_of(node.function));
        // At temperature 0 the largest would be 0/0, so the number is the limit of the function.
        if (node.written == attn::Written::Value)
            return fmt::format("{}, τ → {}", node.kind == TreeKind::Exp ? "exp(· / τ)" : "· / τ", e.as<attn::SoftmaxParams>().temperature == 0 ? "0" : "∞");
        if (node.kind == TreeKind::Exp) return "exp";
        const Node& other = node.parts[node.parts[0].own ? 1 : 0];
        const auto aside = [&](std::string text) {
            const std::string_view symbol = attn::row_of(other.name).symbol;
            return symbol.empty() ? text : fmt::format("{} ({})", text, symbol);
        };
        const auto beside = static_cast<float>(value(e, other));
        if (node.kind == TreeKind::Difference) return aside(minus_text(beside));
        if (node.kind == TreeKind::Sum) return aside(plus_text(beside));
        const attn::Tag tag = trace[e.cell.step].tag;
        if (other.name == Name::Factor) return factor_text(tag.pass == 0 ? tag.role : Role::Queries, beside);
        if (node.kind == TreeKind::Product) return "× " + with_symbol(other, number_text(beside));
        if (other.name == Name::Temperature) return "/ " + with_symbol(other, fmt::format("{:g}", beside));
        return "/ " + (other.kind == TreeKind::Root && other.name == Name::None ? fmt::format("{:.4g}", beside) : number_text(beside));
    }

    /// One line for each node, from the innermost number outwards.
    void outwards(const attn::Explanation& e, const Node& node) {
        if (const std::string_view symbol = attn::row_of(node.name).symbol; !symbol.empty() || node.is_leaf()) {
            if (!symbol.empty()) add(std::string(symbol), value(e, node));
            return;
        }
        const Node& inner = node.parts[node.parts[0].own ? 0 : 1];
        const bool limit = node.kind == TreeKind::Exp && node.written == attn::Written::Value;
        outwards(e, limit && inner.kind == TreeKind::Quotient ? inner.parts[0] : inner);
        add(how(e, node), value(e, node));
    }

    /// One line for each part of a sum, and one for the result.
    void parts_of_sum(const attn::Explanation& e) {
        const bool bent = e.tree.kind == TreeKind::Function;
        const Node& sum = bent ? e.tree.parts[0] : e.tree;
        for (std::size_t i = 0; i < std::max<std::size_t>(1, sum.parts.size()); ++i) {
            const Node& part = sum.is_leaf() ? sum : sum.parts[i];
            const bool minus = i > 0 && sum.kind == TreeKind::Difference;
            const std::string line = part.is_leaf() ? "z" : part.kind == TreeKind::Total ? say(Str::state_before) : text(e, part);
            add(minus ? "− " + line : line, minus ? -value(e, part) : value(e, part));
        }
        add(bent ? fmt::format("{}({})", name_of(e.tree.function), number(e, sum)) : say(Str::sum), e.computed);
    }

    void lines(const attn::Explanation& e) {
        const bool shares = e.op == Op::Softmax || e.op == Op::Sparsemax;
        if (shares && (e.state || e.terms[static_cast<std::size_t>(e.cell.col)].masked)) return add(std::string(attn::op_id(e.op)), e.computed);
        if (e.op == Op::Mask) return add(say(trace[e.cell.step].tag.role == Role::Windowed ? Str::stage_scope : Str::mask), e.computed);
        if (e.op == Op::Draw)
            return add(say(Str::of_draws, {std::to_string(e.terms.size()), std::to_string(e.as<attn::DrawParams>().draws)}), e.computed);
        if (e.tree.kind == TreeKind::Largest) return add(fmt::format("max ({})", e.terms.size()), e.computed);
        if (e.tree.kind == TreeKind::AtLeast) return add(fmt::format("{} {}", e.terms[0].masked ? "<" : "≥", number(e, e.tree.parts[1])), e.computed);
        if (e.tree.kind == TreeKind::Within || (e.tree.kind == TreeKind::Exp && !e.tree.own)) return add(text(e, e.tree), e.computed);
        if (e.tree.own) return outwards(e, e.tree);
        if (e.op == Op::Rotate || e.op == Op::Recur) parts_of_sum(e);  // other terms are listed, or only moved
    }

    /// What a step has done to the number in this cell.
    void own(Cell cell, bool here) {
        const attn::Explanation e = attn::explain(trace, cell);
        const std::size_t before = rows.size();
        lines(e);
        if (rows.size() == before) return;
        const bool hidden = std::isinf(e.computed) && e.computed < 0;
        rows.back() = {std::move(rows.back().how), e.computed, hidden ? Hue::Masked : hue_of(trace[cell.step].tag), here, hidden};
    }
};

/// The number from which the tree starts.
const Node* innermost(const Node& node) {
    if (!node.own || node.is_leaf()) return node.own ? &node : nullptr;
    if (!attn::row_of(node.name).symbol.empty()) return nullptr;  // it has its own line
    return innermost(node.parts[node.parts[0].own ? 0 : 1]);
}

}  // namespace

StepId score_root(const Trace& trace, StepId step) {
    while (in_score_family(trace[step].tag) && trace[step].tag.role != Role::Scores) {
        // Rows of several times that were stacked: each has its own chain.
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
        if (!step.inputs.empty() && step.inputs[0] == path.back() && attn::has_trait(step.tag.role, attn::kScoreStage)) path.push_back(id);
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
        // The preceding number, if the lines only show what was done to it.
        const Node* const before = innermost(out.explanation.tree);
        if (before != nullptr && attn::row_of(before->name).symbol.empty())
            chain.add(std::string(name_of(trace, before->cell.step, manner.language)), *before->value);
        return chain.own(cell, true);
    }
    out.chain_of_score = true;
    for (const StepId step : score_path(trace, root)) {
        const Cell same{step, cell.row, cell.col};
        const bool here = step == cell.step;
        const std::size_t first = out.chain.size();
        if (step == root)
            chain.add(std::string(root_text(trace, root, manner.convention)), chain.cell_value(same), Hue::Score, here);
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
