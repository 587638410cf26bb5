#include "core/analysis/products.h"

#include "core/ops/explain.h"

namespace attn {

std::optional<FeatureProducts> products_behind(const Trace& trace, Cell score) {
    FeatureProducts out;
    out.score = score;
    Cell at = score;
    while (carries_cells(trace[at.step].op) || trace[at.step].op == Op::Activate) {
        out.activated = out.activated || trace[at.step].op == Op::Activate;
        const Explanation carried = explain(trace, at);
        if (carried.terms.empty()) return std::nullopt;
        at = carried.terms[0].left;
    }
    if (trace[at.step].op != Op::MatMul) return std::nullopt;
    out.left = trace[at.step].inputs[0];
    out.right = trace[at.step].inputs[1];
    for (const Term& term : explain(trace, at).terms) {
        out.left_cells.push_back(term.left);
        out.right_cells.push_back(*term.right);
        out.left_values.push_back(trace[term.left.step].value(term.left.row, term.left.col));
        out.right_values.push_back(trace[term.right->step].value(term.right->row, term.right->col));
        out.products.push_back(term.value);
        out.sum += static_cast<double>(out.left_values.back()) * static_cast<double>(out.right_values.back());
    }
    return out;
}

}  // namespace attn
