#pragma once
// A loss built from steps whose gradient is known in closed form: the reverse pass is compared with it.

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <span>
#include <utility>

#include "core/gradient/gradient.h"
#include "core/ops/ops.h"

namespace attn::test {

struct CrossEntropy {
    StepId loss = kNoStep;  ///< 1×1
    Objective objective;    ///< at the logits
};
/// The mean of −log p[r, targets[r]] over the rows that have a target, p = softmax(logits); its gradient at the logits
/// is (p − 1 at the target) / rows. `targets`: for each row of `logits` a column or kNoTarget. The intermediate values
/// (p, the targets' shares, their −log) are steps too.
inline CrossEntropy cross_entropy(Trace& t, StepId logits, std::span<const int> targets) {
    const Tag tag = t[logits].tag;
    const Axis rows = t[logits].rows, cols = t[logits].cols;
    const auto n = t[logits].value.rows();
    assert(static_cast<Eigen::Index>(targets.size()) == n);
    Matrix one_hot = Matrix::Zero(n, t[logits].value.cols());
    const auto count = std::count_if(targets.begin(), targets.end(), [](int target) { return target != kNoTarget; });
    const float share = 1.0f / static_cast<float>(std::max<std::ptrdiff_t>(count, 1));
    Matrix shares = Matrix::Zero(n, 1), without = Matrix::Zero(n, 1);
    for (Eigen::Index r = 0; r < n; ++r) {
        const int target = targets[static_cast<std::size_t>(r)];
        if (target != kNoTarget) one_hot(r, target) = 1;
        (target != kNoTarget ? shares : without)(r, 0) = target != kNoTarget ? share : 1.0f;
    }
    int pass = 1;
    const auto next = [&] { return tag.of_pass(++pass); };
    const StepId p = softmax(t, logits, 1, next());
    const StepId marked = input(t, one_hot, next(), rows, cols, {Source::Given});
    const StepId got = row_sum(t, multiply(t, p, marked, next()), next());
    // A row without a target counts as certain: −log 1 is 0.
    const StepId certain = add(t, got, input(t, std::move(without), next(), rows, {}, {Source::Formula}), next());
    const StepId each = activate(t, certain, Activation::MinusLog, next());
    const StepId weights = input(t, std::move(shares), next(), rows, {}, {Source::Formula});
    CrossEntropy out;
    out.loss = column_sum(t, multiply(t, each, weights, next()), next());
    const StepId off = add(t, p, scale(t, marked, -1, next()), next());
    out.objective = {logits, multiply(t, off, weights, tag.of_pass(1))};
    return out;
}

}  // namespace attn::test
