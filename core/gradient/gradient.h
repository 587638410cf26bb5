#pragma once
// The backward pass: from one number back through every step that contributed to it. A gradient is a step like any
// other, made of the same operations, so it can be viewed, explained and exported; and training runs the same steps
// (core/train/plan.h).
//
// The gradient with respect to a step's value bears that step's tag with pass 1 ("grad.queries"); its intermediate
// steps bear passes 2, 3 … ("grad2.queries"). Where a gradient equals another step's (a sum passes its own on to each
// summand), it is not recorded again: Gradients::of names that step.

#include <span>
#include <vector>

#include "core/trace/trace.h"

namespace attn {

/// What is differentiated, and the gradient that it starts from: `gradient` is a recorded step of the same shape as
/// `step`.
struct Objective {
    StepId step = kNoStep;
    StepId gradient = kNoStep;
};

/// The objective is the number in one cell.
Objective objective_at(Trace& t, Cell cell);
/// The objective is Σ_ij G_ij · value_ij of a step, with a G of its shape.
Objective objective_of(Trace& t, StepId step, Matrix gradient);

/// This row has no target word.
inline constexpr int kNoTarget = -1;

struct Gradients {
    StepId before = 0;        ///< number of steps before the backward pass
    std::vector<StepId> of;   ///< for each of them: the step that holds its gradient; kNoStep: it has no gradient
    /// Inputs of the backward pass that depend on the values (which scores were kept, where the largest was): valid for
    /// these values only.
    std::vector<StepId> decided;
};
/// Records the gradients of the sum of all objectives. `wanted`: for which steps (empty: for all that have one); steps
/// that lead to none of these are skipped. A draw, a window and a limit of the temperature (0, ∞) have no derivative:
/// nothing passes back through them. A typed-over number depends on nothing before it.
Gradients record_gradients(Trace& t, std::span<const Objective> objectives, const std::vector<bool>& wanted = {});

}  // namespace attn
