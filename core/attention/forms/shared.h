#pragma once
// Building blocks that several forms share.

#include "core/attention/forms/forms.h"
#include "core/attention/parts/attend.h"
#include "core/attention/parts/parameter.h"
#include "core/ops/ops.h"
#include "core/ops/rounds.h"
#include "core/ops/side_by_side.h"

namespace attn::form {

/// softmax(…) V with the configured score, position, scope, mask, selection, temperature and gate; `sub` is appended to
/// every letter ("_i").
std::string attention_formula(const AttentionConfig& config, Convention shown, const Letters& letters,
                              std::string_view sub = "");
/// Q = X W_Q   K = Y W_K   V = Y W_V
std::string projections_where(Convention shown, std::string_view query_input, std::string_view key_input);

/// The formula of multi-head attention, which other forms share.
std::string multi_head_formula(const AttentionConfig& config, Convention shown);
std::string multi_head_where(const AttentionConfig& config, Convention shown);

/// The roles of one projection: its weight, the product before the bias, the bias, and the result.
using ProjectionRoles = BiasedRoles;
inline constexpr ProjectionRoles kQuery = {Role::QueryWeight, Role::QueryProducts, Role::QueryBias, Role::Queries};
inline constexpr ProjectionRoles kKey = {Role::KeyWeight, Role::KeyProducts, Role::KeyBias, Role::Keys};
inline constexpr ProjectionRoles kValue = {Role::ValueWeight, Role::ValueProducts, Role::ValueBias, Role::Values};
inline constexpr ProjectionRoles kOutput = {Role::OutputWeight, Role::OutputProducts, Role::OutputBias, Role::Output};

/// Columns of one head: the configured width, or d divided by the number of heads.
int head_width(const AttentionConfig& config, int d);
/// x W + b; no step for the bias if there is none.
StepId project(Trace& t, StepId x, const Projection& p, ProjectionRoles roles);
/// The block of columns of head h, of `heads` equal blocks; the whole matrix if there is one head.
StepId head_block(Trace& t, StepId whole, int head, int heads, Tag tag);

/// Cuts queries, keys and values into heads, attends in each and joins the outputs. Returns the input of W_O.
struct Heads {
    StepId queries, keys, values;
};
StepId attend_heads(Trace& t, const Attend& a, Heads whole);

/// Multiply-adds of the scores and of the weighted sums of values, over all heads.
inline double work_of_heads(const Inputs& in) { return 2.0 * in.n() * in.n() * in.d(); }

/// One round per head, computed in parallel. The first head computes what all heads share. A head that is switched off
/// has one more step, and so may one for which the document gives a bias; then rounds are not treated as alike.
template <class Round>
std::vector<StepId> rounds_of_heads(Trace& t, const Inputs& in, const AttentionConfig& config, const Round& round) {
    begin_heads(t, config.heads, work_of_heads(in));
    std::vector<StepId> made = rounds(t, config.heads, round, config.heads_off.empty() && in.parameters.empty() ? 1 : config.heads);
    compute_heads(t);
    return made;
}
/// One round per layer; the rounds are alike unless the document gives parameters or the layers' choices differ.
template <class Round>
std::vector<StepId> rounds_of_layers(Trace& t, const Inputs& in, const AttentionConfig& config, const Round& round) {
    const bool alike = in.parameters.empty() && config.global_every == 0 && config.unplaced_every == 0 && config.bare_layers <= 1;
    return rounds(t, config.layers, round, alike ? 1 : config.layers);
}

/// Queries, keys and values of x by W_Q, W_K, W_V, cut into heads: one entry per head, so heads that share keys have
/// the same step.
struct HeadParts {
    std::vector<StepId> queries, keys, values;
};
HeadParts cut_heads(Trace& t, const Inputs& in, const AttentionConfig& config, StepId x);
/// The heads' outputs concatenated, times W_O.
StepId join_heads(Trace& t, const Inputs& in, const std::vector<StepId>& outputs);

}  // namespace attn::form
