#include "core/attention/parts/attend.h"

#include <algorithm>

#include "core/attention/parts/choices.h"
#include "core/attention/parts/mask.h"
#include "core/attention/parts/parameter.h"
#include "core/attention/parts/position.h"
#include "core/attention/parts/scope.h"
#include "core/attention/parts/score.h"
#include "core/attention/parts/selection.h"
#include "core/attention/parts/training.h"
#include "core/ops/ops.h"

namespace attn {
namespace {

/// β_t = sigmoid(h_t w_β), one number per query, shared by all heads [Xu et al. 2015, 4.2.1]
StepId gate_of(Trace& t, const Attend& a) {
    const Tag tag{Role::Gate, kNoHead, a.tag.layer, a.tag.time, a.tag.part};
    if (const StepId there = find_recent(t, tag); there != kNoStep) return there;
    const StepId logits = project_by(t, a.in, a.query_input, tag, Role::GateWeight, 1, Role::GateLogits, Fill::Vector);
    return activate(t, logits, *a.gate->activation, tag);
}

/// The context: weights times values, plus the values of distances if there are any.
StepId context(Trace& t, const Attend& a, StepId weights, StepId v, Role result) {
    if (!has_position(a, PositionKind::Relative)) return matmul(t, weights, v, a.tag.as(result));
    const int clip = a.config.relative_clip;
    const StepId content = matmul(t, weights, v, a.tag.as(Role::ContentContext));
    const StepId collected = collect(t, weights, clip, a.first_query, a.tag.as(Role::RelativeWeights));
    const StepId table =
        parameter(t, a.in, a.tag.as(Role::RelativeValues), 2 * clip + 1, static_cast<int>(t[v].value.cols()),
                  {Axis::Kind::Distances, -clip}, t[v].cols, Fill::Table);
    const StepId relative = matmul(t, collected, table, a.tag.as(Role::RelativeContext));
    return add(t, content, relative, a.tag.as(result));
}

/// A separate seed for every head, layer, time and part.
std::uint64_t draw_seed(const Attend& a) {
    return a.config.draw_seed + static_cast<std::uint64_t>(a.tag.head + 1) * 1000003u +
           static_cast<std::uint64_t>(a.tag.layer + 1) * 10007u + static_cast<std::uint64_t>(a.tag.time + 1) * 101u +
           static_cast<std::uint64_t>(a.tag.part) * 100000007u;
}

}  // namespace

StepId capped(Trace& t, StepId from, float cap, Tag tag, Role result) {
    if (cap <= 0) return from;
    const StepId shares = scale(t, from, 1 / cap, tag.as(Role::CapShares));
    return scale(t, activate(t, shares, Activation::Tanh, tag.as(Role::CapTanh)), cap, tag.as(result));
}

StepId find_recent(const Trace& t, Tag tag) {
    for (StepId id = t.size() - 1; id >= 0; --id)
        if (t[id].tag == tag) return id;
    return kNoStep;
}

StepId score_keys(Trace& t, const Attend& a, StepId q, StepId k) {
    const StepId queries = rotate_places(t, a, q, a.first_query, Role::RotatedQueries);
    const StepId keys = rotate_places(t, a, k, 0, Role::RotatedKeys);
    const StepId scores = a.score->run(t, a, queries, keys);
    return capped(t, add_bucket_bias(t, a, add_distance_bias(t, a, scores)), a.config.score_cap, a.tag, Role::Capped);
}

StepId seen_scores(Trace& t, const Attend& a, StepId q, StepId k) {
    return apply_mask(t, a, apply_scope(t, a, score_keys(t, a, q, k)));
}

StepId attention_weights(Trace& t, const Attend& a, StepId q, StepId k) {
    return apply_gaussian(t, a, a.selection->run(t, a, seen_scores(t, a, q, k)));
}

void add_penalty(Trace& t, const Attend& a, StepId weights) {
    if (a.config.penalty == 0) return;
    const StepId coverage = column_sum(t, weights, a.tag.as(Role::Coverage));
    penalty(t, coverage, a.config.penalty, a.tag.as(Role::Penalty));
}

StepId mix_values(Trace& t, const Attend& a, StepId weights, StepId v, Role result) {
    add_penalty(t, a, weights);
    const bool gated = a.gate->activation.has_value(), off = a.config.is_off(std::max(a.tag.head, 0));
    const Role last = gated ? Role::Context : result;
    StepId mixed = weights;
    if (a.selection->draws) {
        matmul(t, weights, v, a.tag.as(Role::SoftContext));  // the limit of the mean over many draws
        mixed = draw(t, weights, a.config.draws, draw_seed(a), a.tag.as(Role::Drawn));
        if (!a.config.target.empty()) train_hard(t, a, weights, v, draw_seed(a));
    }
    StepId out = context(t, a, mixed, v, last);
    if (gated) out = multiply(t, out, gate_of(t, a), a.tag.as(result));
    return off ? scale(t, out, 0, a.tag.as(Role::HeadSwitched)) : out;
}

StepId attend(Trace& t, const Attend& a, StepId q, StepId k, StepId v, Role result) {
    return mix_values(t, a, attention_weights(t, a, q, k), v, result);
}

}  // namespace attn
