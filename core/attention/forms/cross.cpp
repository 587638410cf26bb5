#include "core/attention/forms/shared.h"
#include "core/attention/parts/position.h"

namespace attn::form {
namespace {

void run_cross(Trace& t, const Inputs& in, const AttentionConfig& config) {
    const StepId x = embed(t, in, config);
    const StepId source = embed(t, in, config, Part::Source);
    const StepId queries = project(t, x, in.query, kQuery);
    const StepId keys = project(t, source, in.key, kKey);
    const StepId values = project(t, source, in.value, kValue);
    Attend a{in, config, {}, x};
    a.self = false;
    const StepId joined = attend_heads(t, a, {queries, keys, values});
    project(t, joined, in.output, kOutput);
}

std::string cross_formula(const AttentionConfig& config, Convention shown) { return multi_head_formula(config, shown); }

std::string cross_where(const AttentionConfig&, Convention shown) {
    return projections_where(shown, "{\\x X}", "{\\x S}");
}

}  // namespace

/// Queries from one text, keys and values from another [Vaswani et al. 2017, 3.2.3]
constexpr Form cross = {
    .id = "cross",
    .score = "scaled_dot",
    .formula = cross_formula,
    .where = cross_where,
    .source = "Vaswani et al. 2017",
    .reads = Reads::Heads | Reads::KeyHeads | Reads::Projections | Reads::Weights | Reads::Attend | Reads::Source |
            Reads::Target,
    .run = run_cross,
};

}  // namespace attn::form
