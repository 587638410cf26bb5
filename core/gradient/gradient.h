#pragma once
// The reverse pass: from one number, backwards through every step that had a part in it. A gradient is a step like any
// other, made of the same operations, so it can be looked at, explained and exported; and what trains a model runs the
// same steps (core/train/plan.h).
//
// The gradient with respect to a step's value bears that step's tag with pass 1 ("grad.queries"); what is made on the
// way to it bears passes 2, 3 … ("grad2.queries"). Where a gradient is another step's, untouched (a sum hands its own
// to each summand), it is not recorded again: Gradients::of names the step.

#include <span>
#include <vector>

#include "core/trace/trace.h"

namespace attn {

/// What is differentiated, at the place where it begins: `gradient` is a recorded step of the same shape as `step`.
struct Objective {
    StepId step = kNoStep;
    StepId gradient = kNoStep;
};

/// The number in one cell.
Objective objective_at(Trace& t, Cell cell);
/// Σ_ij G_ij · value_ij of a step, with a G of its shape.
Objective objective_of(Trace& t, StepId step, Matrix gradient);

/// No word is asked for in this row.
inline constexpr int kNoTarget = -1;

struct Gradients {
    StepId before = 0;        ///< steps that there were before the reverse pass
    std::vector<StepId> of;   ///< of each of them: the step that holds its gradient; kNoStep: the objective has no slope there
    /// Inputs of the reverse pass that hold what these values decided (which scores were kept, where the largest
    /// stood): right for these values alone.
    std::vector<StepId> decided;
};
/// Records the gradients of the sum of all objectives. `wanted`: for which steps (empty: for all that have one); steps
/// that lead to none of these are passed over. A draw, a window and a limit of the temperature (0, ∞) have no slope:
/// nothing passes back through them. A number typed over depends on nothing before it.
Gradients record_gradients(Trace& t, std::span<const Objective> objectives, const std::vector<bool>& wanted = {});

}  // namespace attn
