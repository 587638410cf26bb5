// The number of a cell made again from its explanation alone.
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/ops/explain.h"

namespace attn {
namespace {

double sum_of(const Explanation& e) {
    double sum = 0;
    for (const Term& term : e.terms) sum += static_cast<double>(term.value);
    return sum;
}

double softmax_share(const Explanation& e) {
    if (e.state == RowState::AllMasked) return 0;
    return static_cast<double>(e.terms[static_cast<std::size_t>(e.cell.col)].value) / sum_of(e);
}

double recompute_norm(const Explanation& e) {
    const double x = static_cast<double>(e.terms[static_cast<std::size_t>(e.cell.col)].value);
    const auto count = static_cast<double>(e.terms.size());
    double squares = 0;
    for (const Term& term : e.terms) squares += static_cast<double>(term.value) * static_cast<double>(term.value);
    if (e.op == Op::Unit) return squares == 0 ? 0 : x / std::sqrt(squares);
    const double gain = static_cast<double>(e.gain);
    if (e.op == Op::RmsNorm) return gain * x / std::sqrt(squares / count + static_cast<double>(e.factor));
    const double mean = sum_of(e) / count;
    double off = 0;
    for (const Term& term : e.terms)
        off += (static_cast<double>(term.value) - mean) * (static_cast<double>(term.value) - mean);
    return gain * (x - mean) / std::sqrt(off / count + static_cast<double>(e.factor)) + static_cast<double>(e.bias);
}

double largest_of(const Explanation& e) {
    double most = -std::numeric_limits<double>::infinity();
    for (const Term& term : e.terms) {
        if (std::isnan(term.value)) return static_cast<double>(term.value);
        most = std::max(most, static_cast<double>(term.value));
    }
    return most;
}

}  // namespace

double recompute(const Explanation& e) {
    switch (e.op) {
        case Op::Input:
            return static_cast<double>(e.computed);
        case Op::Softmax:
            return softmax_share(e);
        case Op::Sparsemax:
            return static_cast<double>(e.terms[static_cast<std::size_t>(e.cell.col)].value);
        case Op::Unit:
        case Op::LayerNorm:
        case Op::RmsNorm:
            return recompute_norm(e);
        case Op::RowMax:
            return largest_of(e);
        case Op::SoftmaxGradient: {
            const double own = static_cast<double>(e.terms[static_cast<std::size_t>(e.cell.col)].value);
            return (own - static_cast<double>(e.factor) * sum_of(e)) / static_cast<double>(e.temperature);
        }
        case Op::NormGradient: {
            const double own = static_cast<double>(e.terms[static_cast<std::size_t>(e.cell.col)].value);
            return (own - e.mean - e.threshold * e.variance) / static_cast<double>(e.sum);
        }
        case Op::Recur:
            return std::tanh(sum_of(e));
        default:
            return sum_of(e);
    }
}

}  // namespace attn
