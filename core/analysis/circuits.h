#pragma once
// What heads do by their weights alone, whatever the text: W_OV, what a head moves; W_QK, what it looks for; and how
// much one head reads of another's output (composition). [Elhage et al. 2021, "A Mathematical Framework for Transformer
// Circuits"]
//
// With row vectors, W_OV = W_V W_O and W_QK = W_Q W_Kᵀ, both width × width with rank d_k at most. Neither is ever
// computed, nor a matrix of words × words: singular values, eigenvalues and Frobenius norms are computed from products
// of d_k × d_k.

#include <array>
#include <optional>
#include <stop_token>
#include <vector>

#include "core/analysis/attribution.h"

namespace attn {

/// What is folded into the matrices besides the weights of the projections, and what is left out; stated wherever they
/// are shown.
struct CircuitFolding {
    bool gain = false;        ///< γ of the norm before attention, in W_Q, W_K and W_V
    bool input_gain = false;  ///< γ of the norm of the inputs, and that it subtracts the mean, in the embedding
    bool final_gain = false;  ///< γ of the last norm, in the unembedding
    bool centred = false;     ///< layer norms subtract the mean: C = I − 11ᵀ/d, in all that reads or writes the stream
    bool outer_gain = false;  ///< γ of the norm after attention, in W_O
    bool layer_scale = false; ///< the learned scale of what attention made, in W_O
    bool head_gain = false;   ///< γ of the norms of queries and keys, in W_Q and W_K
    bool rotary = false;      ///< queries and keys are rotated by position: W_QK is the one at distance 0
    bool biased = false;      ///< the projections have biases, which products of weights ignore
    bool by_distance = false; ///< scores or values also have terms by distance
    bool capped = false;      ///< the scores are capped
    bool gated = false;       ///< the heads' outputs are gated
    bool sum_normed = false;  ///< each block normalises its sum (post-norm), so that a head reads what is normalised: only the norm of the inputs is folded in
    bool cross = false;       ///< there is also cross-attention, which is left out
    int heads_per_key = 1;    ///< number of heads that share W_K and W_V
};

/// A head of self-attention, by its weights.
struct HeadCircuit {
    Tag tag;  ///< of its weights (Role::Weights)
    std::vector<double> ov, qk;  ///< singular values, the largest first: d_k of each
    /// Σλ / Σ|λ| over the eigenvalues λ of W_E W_OV W_U, from −1 to 1: 1 if each attended token raises its own logit.
    /// NaN: the model has no single matrix for words, or the head writes to another stack.
    double copying = 0;

    double ov_norm() const { return norm_of(ov); }  ///< ‖W_OV‖, Frobenius
    double qk_norm() const { return norm_of(qk); }
    static double norm_of(const std::vector<double>& singular);
};

/// The heads of a run, the encoder's first, in order of computation.
struct HeadCircuits {
    CircuitFolding folded;
    std::vector<HeadCircuit> heads;
    bool words = false;  ///< there is a single matrix from the stream to words
};
/// Why heads of this run have no circuits; nothing: they have.
std::optional<Error> no_circuits(const Run& run);
/// The tags of all heads, in the order of HeadCircuits::heads. Precondition: no_circuits() is empty.
std::vector<Tag> circuit_heads(const Run& run);
/// float64 sums of float32 products. Errors: the form has no blocks; scores are not products of queries and keys.
Result<HeadCircuits> head_circuits(const Run& run);
/// The same of one head, in little time: without the copying score, which is NaN, because that reads the vocabulary.
Result<HeadCircuits> head_circuit(const Run& run, const Tag& head);
/// HeadCircuit::copying of one head. Its words are counted as work (core/base/progress.h). If `stop` is requested, the
/// result is meaningless; so it is for the functions below.
double copying_score(const Run& run, const Tag& head, const std::stop_token& stop = {});
/// Its approximate number of multiply-adds.
double circuits_work(const Run& run);

/// The matrix by which a head reads the output of an earlier one.
enum class Composes : std::uint8_t { Query, Key, Value };
inline constexpr std::array<std::string_view, 3> kComposes = {"q", "k", "v"};

/// Composition scores of two heads of one stack, the second in a later layer: ‖W_OV¹ W_QK²‖ / (‖W_OV¹‖ ‖W_QK²‖) by
/// queries, ‖W_OV¹ W_QK²ᵀ‖ / … by keys, ‖W_OV¹ W_OV²‖ / … by values; Frobenius norms, so from 0 to 1.
struct Compositions {
    std::vector<Tag> heads;
    /// readers × writers; NaN if the writer is not in an earlier layer of the same stack, or a head is all zeros.
    std::array<Eigen::MatrixXf, 3> scores;
    /// The score of randomly rotated matrices with the same singular values, as a root mean square: 1/√d, with d the
    /// width of the stream (minus one if the mean is subtracted).
    double chance = 0;

    const Eigen::MatrixXf& operator[](Composes by) const { return scores[static_cast<std::size_t>(by)]; }
};
/// Of all pairs, or with `only` of those that include this head. The run must be valid for head_circuits(). If `stop` is
/// requested, some scores are missing and the result must be discarded.
Compositions compositions(const Run& run, std::optional<Tag> only = {}, const std::stop_token& stop = {});
double compositions_work(const Run& run, bool of_one_head);

/// A token, and a number that belongs to it.
struct WordNumber {
    int id = 0;
    double value = 0;
};
/// The largest and smallest logits of a vector under the unembedding.
struct WordReading {
    std::vector<WordNumber> most, least;  ///< descending; ascending
};
/// The effect of each neuron on the logits at an activation of 1: its row of W_down times the unembedding, including
/// the final norm's γ but not its scale, minus the mean over all words. Empty: there is no unembedding. The matrix
/// words × neurons is computed in parts.
std::vector<WordReading> neuron_words(const Run& run, const std::vector<Neuron>& neurons, int top);

/// A token's row of a matrix of words × words, minus the row's mean.
struct WordRow {
    int id = 0;  ///< of the token
    WordReading says;
    double itself = 0;  ///< the number of the token's own column
    int rank = 0;       ///< the rank of that among all words, from 1
};
/// Rows of W_E W_OV W_U: the effect on the logits of attending to a token. `head`: a tag of HeadCircuit. Empty: the model
/// predicts no words, or the head writes to another stack.
std::vector<WordRow> moved_words(const Run& run, const Tag& head, const std::vector<int>& ids, int top, const std::stop_token& stop = {});
/// Rows of W_E W_QK W_Eᵀ: the part of a query token's scores that depends on its own word vector and the key's alone, without
/// 1/√d_k. A row's mean is the same for all keys, so that softmax ignores it. Empty: the model reads no words, or the head
/// reads those of another stack.
std::vector<WordRow> sought_words(const Run& run, const Tag& head, const std::vector<int>& ids, int top, const std::stop_token& stop = {});
/// For each token of the run's text its row of the word vectors; −1: it has none.
std::vector<int> word_rows_of(const Document& document, const Run& run);

}  // namespace attn
