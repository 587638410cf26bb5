#include "core/attention/forms/shared.h"
#include "core/attention/parts/position.h"

namespace attn::form {
namespace {

void run_raw(Trace& t, const Inputs& in, const AttentionConfig& config) {
    const StepId x = embed(t, in, config);
    attend(t, {in, config, {}, x}, x, x, x, Role::Output);
}

std::string raw_formula(const AttentionConfig& config, Convention shown) {
    return "{\\o Y} = " + attention_formula(config, shown, kVectors);
}

std::string raw_where(const AttentionConfig&, Convention) { return "\\part{vectors}{{\\x X}}"; }

}  // namespace

/// softmax(X Xᵀ) X: self-attention without parameters.
constexpr Form raw = {
    .id = "raw",
    .score = "dot",
    .formula = raw_formula,
    .where = raw_where,
    .reads = Reads::Attend | Reads::Order | Reads::Target,
    .run = run_raw,
    .letters = kVectors,
};

}  // namespace attn::form
