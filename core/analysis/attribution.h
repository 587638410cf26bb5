#pragma once
// Which part of a model speaks for a word: direct logit attribution, and gradient × value of each head.

#include <optional>
#include <string_view>
#include <vector>

#include "core/document/document.h"

namespace attn {

/// What adds to the residual stream, or to the logits behind it.
enum class Contributor : std::uint8_t {
    TokenEmbedding,     ///< of a picture its patches and the class token
    PositionEmbedding,
    SegmentEmbedding,
    Head,               ///< through its own rows of W_O
    AttentionBias,      ///< of W_O
    FeedForward,        ///< without its last bias
    FeedForwardBias,    ///< the last one
    NormBias,           ///< β of a norm on the way to the words
    OutputBias,         ///< of the matrix of the words
    Replaced,           ///< numbers typed over by hand or replaced by an intervention on the way: what that changed
};
inline constexpr std::size_t kContributors = 10;
/// "token_embedding", "head", "feed_forward" …
std::string_view contributor_id(Contributor what);

struct Contribution {
    Contributor what = Contributor::TokenEmbedding;
    Part part = Part::Main;  ///< Cross: of the attention that looks into the encoder
    int layer = kNoLayer, head = kNoHead;
    double value = 0;
    StepId step = kNoStep;  ///< that holds what is added
    /// Of a head what each source token has in `value`, α_ij (v_j W_O) · u; they sum to it. Empty: the head's output is not
    /// weights × values alone (values of distances, a gate, numbers typed over).
    std::vector<double> sources = {};
    Axis keys = {};  ///< what these stand for
    /// Of a feed-forward layer what each of its neurons has in `value`, a_i (W_down row i) · u; they sum to it.
    std::vector<double> neurons = {};
    int row = 0;  ///< of `step`
};

/// One neuron of a feed-forward layer, and what it has in a logit.
struct Neuron {
    Part part = Part::Main;
    int layer = 0, index = 0;  ///< from 0
    double activation = 0;     ///< what W_down reads of it at that row
    double value = 0;          ///< of Contribution::neurons
    StepId step = kNoStep;     ///< of the contribution
};

/// A word, or the difference of two, at a row of the logits.
struct AttributedWord {
    int row = 0;
    int target = 0;
    std::optional<int> against = {};  ///< logit of target − logit of this one
};

/// Where that logit stands: the last step that is a sum of parts, the logits or what a cap is laid over; kNoStep: there are none.
StepId summed_logits(const Trace& trace);
double logit_of(const Trace& trace, const AttributedWord& of);

struct Attribution {
    AttributedWord of;
    StepId logits = kNoStep;  ///< summed_logits()
    double logit = 0;
    std::vector<Contribution> parts;  ///< in the order of the computation

    bool capped(const Trace& trace) const { return trace[logits].tag.role == Role::UncappedLogits; }
    /// Of all parts: the logit, up to float32.
    double sum() const;
};

/// ∂ of that logit at the logits, of their shape: 1 at the target, −1 at the one it is held against.
Matrix slope_of_logit(const Trace& trace, const Attribution& attribution);

/// The residual stream before the last norm is a sum, x = Σ_p x_p, and the norm is linear in it where its scale σ is held as it
/// is: logit = Σ_p x_p · u + β · w + b, u = C(γ ⊙ w)/σ, w the word's column of the output matrix, C taking the mean off (a layer
/// norm), or nothing (an RMS norm). Each part's number is its x_p · u. Norms of what a sub-layer made (OLMo 2, Gemma 2) and of
/// sums (post-norm) are held in the same way, each with its own scale at that row. It says what a part adds to the word by the
/// straight way alone, not what later parts make of it.
/// [Elhage et al. 2021, "A Mathematical Framework for Transformer Circuits"; nostalgebraist 2020; as TransformerLens has it, but
/// for its folding of γ and β into the output matrix]
/// float64 on the numbers of the trace. Refused: there are no blocks or no words; something that is no sum stands between the
/// last block and the words (BERT's layer with an activation).
/// `neurons`: what each neuron of a feed-forward layer has, too, for which every W_down is read.
Result<Attribution> attribute(const Run& run, const AttributedWord& of, bool neurons = false);

/// The `count` neurons of all layers that have most in the logit, by size.
std::vector<Neuron> top_neurons(const Trace& trace, const Attribution& attribution, int count);

/// The heads' outputs that a run recorded, in the order of the computation.
std::vector<StepId> head_outputs(const Trace& trace);

/// Gradient × value: how much the logit would change, to first order, without what a head takes of a source token, by all ways and at
/// all rows i: Σ_i α_ij v_j · ∂logit/∂o_i, o_i the head's output. `logits` and `of` as in an attribution. One Contribution a
/// head, in the order of the computation. Where a head is no weights × values it has no sources, Σ_i o_i · ∂logit/∂o_i.
/// [Nanda 2023, "Attribution Patching", with zeros for what is patched in]
std::vector<Contribution> gradient_times_value(Run run, const Attribution& attribution);

}  // namespace attn
