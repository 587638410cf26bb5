#include "core/attention/forms/recurrent.h"

#include "core/attention/parts/parameter.h"

namespace attn::form {

StepId recurrent_states(Trace& t, const Inputs& in, StepId x, Part part, RecurrentRoles roles, bool backward) {
    const Tag tag{roles.states, kNoHead, kNoLayer, kNoTime, part};
    const auto d = static_cast<int>(t[x].value.cols());
    const StepId products = project_by(t, in, x, tag, roles.weight, d, roles.products, Fill::Weight);
    const StepId weight = parameter(t, in, tag.as(roles.recurrent), d, d, {}, {}, Fill::Weight);
    return recur(t, products, weight, backward, tag);
}

StepId combine(Trace& t, const Inputs& in, StepId contexts, StepId states, Role result) {
    const auto d = static_cast<int>(t[states].value.cols());
    const StepId both = concat(t, {contexts, states}, {Role::ContextStates});
    return project_by(t, in, both, {}, Role::CombineWeight, d, result, Fill::Weight);
}

}  // namespace attn::form
