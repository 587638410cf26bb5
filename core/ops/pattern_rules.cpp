#include "core/ops/pattern_rules.h"

#include <algorithm>
#include <limits>

namespace attn {
namespace {

/// A key that is not among these stays without a weight.
void all_on(const PatternRow& row, int key) {
    const Eigen::Index at = key - row.first_key;
    if (at >= 0 && at < row.weights.size()) row.weights(at) = 1;
}

/// The masked scores that weights were computed from; null: no key was hidden.
const Step* masked_scores(const Trace& t, const Step& weights) {
    const Step* at = &weights;
    while (at->op == Op::Softmax || at->op == Op::Sparsemax || at->op == Op::TopK || at->op == Op::TopP) at = &t[at->inputs[0]];
    return at->op == Op::Mask ? at : nullptr;
}

}  // namespace

void fill_uniform(const PatternRow& row) {
    const auto keys = std::count(row.allowed.begin(), row.allowed.end(), true);
    for (Eigen::Index key = 0; key < row.weights.size(); ++key)
        if (row.allowed[static_cast<std::size_t>(key)]) row.weights(key) = static_cast<float>(1.0 / static_cast<double>(keys));
}

void fill_previous(const PatternRow& row) { all_on(row, std::max(row.query - 1, 0)); }
void fill_first(const PatternRow& row) { all_on(row, 0); }
void fill_self(const PatternRow& row) { all_on(row, row.query); }

Matrix pattern_by_rule(const Trace& t, const Step& weights, const PatternRule& rule) {
    const Step* scores = masked_scores(t, weights);
    const Eigen::Index rows = weights.value.rows(), keys = weights.value.cols();
    Matrix out(rows, keys);
    std::vector<bool> allowed(static_cast<std::size_t>(keys), true);
    for (Eigen::Index row = 0; row < rows; ++row) {
        if (scores) {
            const auto left = scores->value.matrix().row(row);
            for (Eigen::Index key = 0; key < keys; ++key) allowed[static_cast<std::size_t>(key)] = left(key) != -std::numeric_limits<float>::infinity();
        }
        RowVector filled = RowVector::Zero(keys);
        rule.fill({weights.rows.first + static_cast<int>(row), weights.cols.first, allowed, filled});
        out.row(row) = filled;
    }
    return out;
}

}  // namespace attn
