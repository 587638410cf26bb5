#pragma once
// Recurrent encoders and decoders, for the forms of attention before the Transformer. A plain tanh unit [Elman 1990]
// replaces the papers' gated units (GRU, LSTM): attention is the same, and every number can be followed.

#include "core/attention/forms/shared.h"

namespace attn::form {

/// The roles of one direction's steps.
struct RecurrentRoles {
    Role weight, products, recurrent, states;
};
inline constexpr RecurrentRoles kForward = {Role::StateWeight, Role::StateProducts, Role::RecurrentWeight,
                                            Role::States};
inline constexpr RecurrentRoles kBackward = {Role::BackwardWeight, Role::BackwardProducts,
                                             Role::BackwardRecurrentWeight, Role::BackwardStates};

/// h_t = tanh(x_t W + h_{t−1} U) for every row of x, n×d; the state before the first is 0.
StepId recurrent_states(Trace& t, const Inputs& in, StepId x, Part part, RecurrentRoles roles, bool backward);
/// [c; h] W_c under `result`, as wide as h.
StepId combine(Trace& t, const Inputs& in, StepId contexts, StepId states, Role result);

}  // namespace attn::form
