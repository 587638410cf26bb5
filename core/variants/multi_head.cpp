#include "core/ops.h"
#include "core/parts/mask.h"
#include "core/parts/position.h"
#include "core/parts/score.h"
#include "core/variants/variants.h"

namespace attn::variant {
namespace {

/// The roles of one projection: its weight, the bare product, the bias, and what comes out.
struct ProjectionRoles {
    Role weight, product, bias, result;
};
constexpr ProjectionRoles kQuery = {Role::QueryWeight, Role::QueryProducts, Role::QueryBias, Role::Queries};
constexpr ProjectionRoles kKey = {Role::KeyWeight, Role::KeyProducts, Role::KeyBias, Role::Keys};
constexpr ProjectionRoles kValue = {Role::ValueWeight, Role::ValueProducts, Role::ValueBias, Role::Values};
constexpr ProjectionRoles kOutput = {Role::OutputWeight, Role::OutputProducts, Role::OutputBias, Role::Output};

/// x W + b; without a bias there is one step less.
StepId project(Trace& t, StepId x, const Projection& p, ProjectionRoles roles) {
    const Axis units{Axis::Kind::Units, 0};
    const StepId weight = input(t, p.weight, {roles.weight}, t[x].cols, units, {p.source});
    if (p.bias.size() == 0) return matmul(t, x, weight, {roles.result});
    const StepId product = matmul(t, x, weight, {roles.product});
    const StepId bias = input(t, p.bias, {roles.bias}, units, units, {p.bias_source});
    return add_row(t, product, bias, {roles.result});
}

/// The h-th of `heads` equal blocks of columns; the whole where there is one head.
StepId head_block(Trace& t, StepId whole, int head, int heads, Role role) {
    if (heads == 1) return whole;
    const int width = static_cast<int>(t[whole].value.cols()) / heads;
    return slice(t, whole, head * width, width, {role, head});
}

}  // namespace

void run_multi_head(Trace& t, const Inputs& in, const AttentionConfig& config) {
    const StepId x = embed(t, in, config);
    const StepId queries = project(t, x, in.query, kQuery);
    const StepId keys = project(t, x, in.key, kKey);
    const StepId values = project(t, x, in.value, kValue);
    const Score* score = find_score(score_of(config));

    std::vector<StepId> outputs;
    for (int h = 0; h < config.heads; ++h) {
        const int head = config.heads == 1 ? kNoHead : h;
        const StepId q = head_block(t, queries, h, config.heads, Role::Queries);
        const StepId k = head_block(t, keys, h, config.heads, Role::Keys);
        const StepId v = head_block(t, values, h, config.heads, Role::Values);
        const StepId seen = apply_mask(t, score->run(t, q, k, head), in, config, head);
        const StepId weights = softmax(t, seen, config.temperature, {Role::Weights, head});
        outputs.push_back(matmul(t, weights, v, {Role::HeadOutput, head}));
    }
    const StepId joined = config.heads == 1 ? outputs[0] : concat(t, outputs, {Role::Joined});
    project(t, joined, in.output, kOutput);
}

std::string multi_head_formula(const AttentionConfig& config) {
    const bool many = config.heads > 1;
    const std::string sub = many ? "_i" : "";
    const std::string head =
        "\\part{mix}{" + softmax_formula(config, "{\\q Q" + sub + "}", "{\\k K" + sub + "}") + "\\,{\\v V" + sub + "}}";
    if (!many) return "{\\o Y} = \\part{output}{" + head + "\\,{\\o W_O}}";
    return "{\\o Y} = \\part{output}{\\word{Concat}_i(" + head + ")\\,{\\o W_O}}";
}

std::string multi_head_where(const AttentionConfig&) {
    return "{\\q Q} = \\part{projections}{\\part{vectors}{{\\x X}}{\\q W_Q}}\\quad {\\k K} = "
           "\\part{projections}{\\part{vectors}{{\\x X}}{\\k W_K}}\\quad {\\v V} = "
           "\\part{projections}{\\part{vectors}{{\\x X}}{\\v W_V}}";
}

}  // namespace attn::variant
