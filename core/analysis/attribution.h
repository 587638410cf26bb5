#pragma once
// Which parts of a model contribute to a word: direct logit attribution, and gradient × value per head.

#include <optional>
#include <string_view>
#include <vector>

#include "core/document/document.h"

namespace attn {

/// What is added to the residual stream, or later to the logits.
enum class Contributor : std::uint8_t {
    TokenEmbedding,     ///< for a picture: its patches and the class token
    PositionEmbedding,
    SegmentEmbedding,
    Head,               ///< through its own rows of W_O
    AttentionBias,      ///< the bias of W_O
    FeedForward,        ///< without its last bias
    FeedForwardBias,    ///< the last bias
    NormBias,           ///< β of a norm on the way to the logits
    OutputBias,         ///< the bias of the unembedding
    Replaced,           ///< edits or interventions on the way: the change that they cause
};
inline constexpr std::size_t kContributors = 10;
/// "token_embedding", "head", "feed_forward" …
std::string_view contributor_id(Contributor what);

struct Contribution {
    Contributor what = Contributor::TokenEmbedding;
    Part part = Part::Main;  ///< Cross: cross-attention
    int layer = kNoLayer, head = kNoHead;
    double value = 0;
    StepId step = kNoStep;  ///< the step with the added row
    /// For a head, the share of each source token in `value`: α_ij (v_j W_O) · u; they sum to it. Empty: the head's
    /// output is not just weights × values (values of distances, a gate, edited numbers).
    std::vector<double> sources = {};
    Axis keys = {};  ///< what the sources are
    /// For a feed-forward layer, the share of each neuron in `value`: a_i (W_down row i) · u; they sum to it.
    std::vector<double> neurons = {};
    int row = 0;  ///< of `step`
};

/// One neuron of a feed-forward layer, and its contribution to a logit.
struct Neuron {
    Part part = Part::Main;
    int layer = 0, index = 0;  ///< from 0
    double activation = 0;     ///< its entry in the input of W_down at that row
    double value = 0;          ///< its entry of Contribution::neurons
    StepId step = kNoStep;     ///< of the contribution
};

/// The logit of a word, or the difference of two logits, at a row of the logits.
struct AttributedWord {
    int row = 0;
    int target = 0;
    std::optional<int> against = {};  ///< the logit of this word is subtracted
};

/// The step of that logit: the last one that is a sum of parts, so before a cap; kNoStep: there are no logits.
StepId summed_logits(const Trace& trace);
double logit_of(const Trace& trace, const AttributedWord& of);

struct Attribution {
    AttributedWord of;
    StepId logits = kNoStep;  ///< summed_logits()
    double logit = 0;
    std::vector<Contribution> parts;  ///< in order of computation

    bool capped(const Trace& trace) const { return trace[logits].tag.role == Role::UncappedLogits; }
    /// Sum over all parts: the logit, up to float32 rounding.
    double sum() const;
};

/// The derivative of that logit by the logits, in their shape: 1 at the target, −1 at the word it is compared with.
Matrix slope_of_logit(const Trace& trace, const Attribution& attribution);

/// The residual stream before the last norm is a sum, x = Σ_p x_p, and the norm is linear in it if its scale σ is held
/// constant: logit = Σ_p x_p · u + β · w + b, u = C(γ ⊙ w)/σ, with w the word's column of the output matrix, and C
/// subtracting the mean (layer norm) or nothing (RMS norm). The contribution of part p is x_p · u. Norms of a
/// sub-layer's output (OLMo 2, Gemma 2) and of sums (post-norm) are treated in the same way, each with its own scale at
/// that row. A contribution is only the direct effect of a part on the logit, without its effect on later parts.
/// [Elhage et al. 2021, "A Mathematical Framework for Transformer Circuits"; nostalgebraist 2020; like TransformerLens,
/// except that γ and β are not folded into the output matrix]
/// float64 on the numbers of the trace. Errors: there are no blocks or no words; something other than a sum is between
/// the last block and the logits (BERT's layer with an activation).
/// `neurons`: also the contribution of each neuron of the feed-forward layers, for which every W_down is read.
Result<Attribution> attribute(const Run& run, const AttributedWord& of, bool neurons = false);

/// The `count` neurons of all layers with the largest contributions to the logit, by absolute value.
std::vector<Neuron> top_neurons(const Trace& trace, const Attribution& attribution, int count);

/// The heads' outputs that a run recorded, in order of computation.
std::vector<StepId> head_outputs(const Trace& trace);

/// Gradient × value: the first-order contribution to the logit of what a head takes from a source token, through all
/// paths and at all rows i: Σ_i α_ij v_j · ∂logit/∂o_i, with o_i the head's output. `logits` and `of` as in an
/// attribution. One Contribution per head, in order of computation. If a head is not just weights × values, it has no
/// sources, only Σ_i o_i · ∂logit/∂o_i. [Nanda 2023, "Attribution Patching", with zeros as the patch]
std::vector<Contribution> gradient_times_value(Run run, const Attribution& attribution);

}  // namespace attn
