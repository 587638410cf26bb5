#pragma once
// One attention, from queries, keys and values to the context: position, score, scope, mask, selection, weighted sum,
// gate. Every form that compares queries with keys goes through here, so that every part works with every form.

#include "core/attention/form.h"
#include "core/attention/inputs.h"
#include "core/attention/parts/choices.h"

namespace attn {

struct Mask;
struct Position;
struct Scope;
struct Score;
struct Selection;
const Mask* find_mask(std::string_view id);
const Position* find_position(std::string_view id);
const Scope* find_scope(std::string_view id);
const Score* find_score(std::string_view id);
const Selection* find_selection(std::string_view id);

/// What an attention needs besides its queries, keys and values.
struct Attend {
    const Inputs& in;
    const AttentionConfig& config;
    Tag tag;                       ///< head, layer, time and part of the steps that it records; the role is ignored
    StepId query_input = kNoStep;  ///< n×d that queries are computed from; the predicted centre and the gate read it
    int first_query = 0;           ///< position of the first query, if queries are processed one at a time
    bool self = true;              ///< queries and keys are the same tokens, so their order matters
    bool masked = true;            ///< the configured mask applies here
    bool causal = false;     ///< no query sees a later key; the configured mask applies as well
    bool positioned = true;  ///< positions that act on queries, keys and scores apply here

    /// The rows that the configuration names, looked up once for all heads and steps.
    const Position* position = find_position(config.position);
    const Score* score = find_score(score_of(config));
    const Scope* scope = find_scope(config.scope);
    const Mask* mask = find_mask(config.mask);
    const Selection* selection = find_selection(config.selection);
    const Gate* gate = gates().find(config.gate);
};

/// find_id, searching the latest steps first: for steps that heads and layers share at one time.
StepId find_recent(const Trace& t, Tag tag);
/// c·tanh(x/c), the last step under `result`; x itself if the cap is 0 [Gemma Team 2024].
StepId capped(Trace& t, StepId from, float cap, Tag tag, Role result);
/// Scores of q with k, positions included: the last of Scores, ScoreSum, Scaled, Biased, BucketBiased, Capped.
StepId score_keys(Trace& t, const Attend& a, StepId q, StepId k);
/// Scores with scope and mask applied: the input of the selection.
StepId seen_scores(Trace& t, const Attend& a, StepId q, StepId k);
/// All steps up to the weights that mix the values.
StepId attention_weights(Trace& t, const Attend& a, StepId q, StepId k);
/// Weights times values, and what follows: hard draws, relative values, gate, penalty, a head switched off. The last
/// step has the role `result`, or HeadSwitched.
StepId mix_values(Trace& t, const Attend& a, StepId weights, StepId v, Role result);
/// λ Σ_j (1 − Σ_i α_ij)² of n×m weights, if it is configured [Xu et al. 2015, eq. 14]
void add_penalty(Trace& t, const Attend& a, StepId weights);
/// attention_weights, then mix_values.
StepId attend(Trace& t, const Attend& a, StepId q, StepId k, StepId v, Role result);

}  // namespace attn
