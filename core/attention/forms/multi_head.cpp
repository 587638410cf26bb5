#include "core/attention/forms/shared.h"
#include "core/attention/parts/position.h"

namespace attn::form {
namespace {

void run_multi_head(Trace& t, const Inputs& in, const AttentionConfig& config) {
    const StepId x = embed(t, in, config);
    const StepId queries = project(t, x, in.query, kQuery);
    const StepId keys = project(t, x, in.key, kKey);
    const StepId values = project(t, x, in.value, kValue);
    const StepId joined = attend_heads(t, {in, config, {}, x}, {queries, keys, values});
    project(t, joined, in.output, kOutput);
}

}  // namespace

std::string multi_head_formula(const AttentionConfig& config, Convention shown) {
    const bool many = config.heads > 1;
    const std::string head = attention_formula(config, shown, kQueryKeyValue, many ? "_i" : "");
    const std::string joined = many ? "\\word{Concat}_i(" + head + ")" : head;
    if (shown == Convention::Columns) return "{\\o Y} = \\part{output}{{\\o W^o}\\," + joined + "}";
    return "{\\o Y} = \\part{output}{" + joined + "\\,{\\o W_O}}";
}

std::string multi_head_where(const AttentionConfig&, Convention shown) {
    return projections_where(shown, "{\\x X}", "{\\x X}");
}

/// Concat(head_1 … head_h) W_O, head_i = softmax(Q_i K_iᵀ / √d_k) V_i [Vaswani et al. 2017, 3.2.2]; with fewer key
/// heads than heads: grouped-query [Ainslie et al. 2023], with one: multi-query [Shazeer 2019].
constexpr Form multi_head = {
    .id = "multi_head",
    .score = "scaled_dot",
    .formula = multi_head_formula,
    .where = multi_head_where,
    .source = "Vaswani et al. 2017",
    .reads = Reads::Heads | Reads::KeyHeads | Reads::Projections | Reads::Weights | Reads::Attend | Reads::Order |
            Reads::Target,
    .run = run_multi_head,
};

}  // namespace attn::form
