#include "core/attention/forms/shared.h"
#include "core/attention/parts/parameter.h"
#include "core/attention/parts/position.h"

namespace attn::form {
namespace {

void run_sliced_input(Trace& t, const Inputs& in, const AttentionConfig& config) {
    const StepId x = embed(t, in, config);
    const std::vector<StepId> outputs = rounds_of_heads(t, in, config, [&](int h) {
        const Tag tag{Role::InputSlice, config.heads == 1 ? kNoHead : h};
        const StepId part = head_block(t, x, h, config.heads, {Role::InputSlice});
        const int width = head_width(config, in.d());
        const StepId q = project_biased(t, in, part, tag, width, kQuery);
        const StepId k = project_biased(t, in, part, tag, width, kKey);
        const StepId v = project_biased(t, in, part, tag, width, kValue);
        return attend(t, {in, config, tag, x}, q, k, v, Role::HeadOutput);
    });
    const StepId joined = config.heads == 1 ? outputs[0] : concat(t, outputs, {Role::Joined});
    project_biased(t, in, joined, {}, in.d(), kOutput);
}

std::string sliced_input_formula(const AttentionConfig& config, Convention shown) {
    return multi_head_formula(config, shown);
}

std::string sliced_input_where(const AttentionConfig& config, Convention shown) {
    const std::string_view x = config.heads > 1 ? "{\\x X_i}" : "{\\x X}";
    return projections_where(shown, x, x);
}

}  // namespace

/// A common misconception of multi-head attention: each head projects only its own segment of the input's columns, and
/// never sees the others.
constexpr Form sliced_input = {
    .id = "sliced_input",
    .score = "scaled_dot",
    .formula = sliced_input_formula,
    .where = sliced_input_where,
    .reads = Reads::Heads | Reads::Weights | Reads::Attend | Reads::Order,
    .run = run_sliced_input,
};

}  // namespace attn::form
