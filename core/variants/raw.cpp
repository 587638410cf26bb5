#include "core/ops.h"
#include "core/parts/mask.h"
#include "core/parts/position.h"
#include "core/parts/score.h"
#include "core/variants/variants.h"

namespace attn::variant {

void run_raw(Trace& t, const Inputs& in, const AttentionConfig& config) {
    const StepId x = embed(t, in, config);
    const StepId scores = find_score(score_of(config))->run(t, x, x, kNoHead);
    const StepId seen = apply_mask(t, scores, in, config, kNoHead);
    const StepId weights = softmax(t, seen, config.temperature, {Role::Weights});
    matmul(t, weights, x, {Role::Output});
}

std::string raw_formula(const AttentionConfig& config) {
    return "{\\o Y} = \\part{mix}{" + softmax_formula(config, "{\\x X}", "{\\x X}") + "\\,{\\x X}}";
}

std::string raw_where(const AttentionConfig&) { return "\\part{vectors}{{\\x X}}"; }

}  // namespace attn::variant
