#pragma once
// What heads do by their weights alone, whatever the text: W_OV, what a head moves; W_QK, what it looks for; and how far one
// head reads what another wrote (composition). [Elhage et al. 2021, "A Mathematical Framework for Transformer Circuits"]
//
// With row vectors, W_OV = W_V W_O and W_QK = W_Q W_Kᵀ, both width × width and of rank d_k at most: neither is ever made, nor a
// matrix of words × words. Singular values, eigenvalues and Frobenius norms are those of products of d_k × d_k.

#include <array>
#include <optional>
#include <vector>

#include "core/analysis/attribution.h"

namespace attn {

/// What stands in the matrices beside the weights of the projections, and what does not; it is said wherever they are shown.
struct CircuitFolding {
    bool gain = false;        ///< γ of the norm before attention, in W_Q, W_K and W_V
    bool final_gain = false;  ///< γ of the last norm, in the matrix of the words
    bool centred = false;     ///< a layer norm takes the mean off: C = I − 11ᵀ/d, in all that is read from the stream or written to it
    bool outer_gain = false;  ///< γ of the norm of what attention made, in W_O
    bool head_gain = false;   ///< γ of the norms of queries and keys, in W_Q and W_K
    bool rotary = false;      ///< queries and keys are rotated by their places: W_QK is that of a distance of 0
    bool biased = false;      ///< there are biases in the projections, which no product of weights has
    bool by_distance = false; ///< scores, or values, have numbers by distance besides
    bool capped = false;      ///< a cap is laid over the scores
    bool gated = false;       ///< heads' outputs go through a gate
    bool sum_normed = false;  ///< each block normalises its sum (post-norm): nothing is folded in
    bool cross = false;       ///< there is cross-attention besides, which is left out
    int heads_per_key = 1;    ///< so many heads share W_K and W_V
};

/// A head of self-attention, by its weights.
struct HeadCircuit {
    Tag tag;  ///< of its weights (Role::Weights)
    std::vector<double> ov, qk;  ///< singular values, the largest first: d_k of each
    /// Σλ / Σ|λ| over the eigenvalues λ of W_E W_OV W_U, from −1 to 1: 1 where each token, looked at, speaks for itself. NaN: the
    /// model says no words by one matrix, or the head writes to another stack.
    double copying = 0;

    double ov_norm() const { return norm_of(ov); }  ///< ‖W_OV‖, Frobenius
    double qk_norm() const { return norm_of(qk); }
    static double norm_of(const std::vector<double>& singular);
};

/// The heads of a run, the encoder's first, in the order of the computation.
struct HeadCircuits {
    CircuitFolding folded;
    std::vector<HeadCircuit> heads;
    bool words = false;  ///< there is one matrix from the stream to words
};
/// float64 sums of float32 products. Refused: the form has no blocks; scores are no product of queries and keys.
Result<HeadCircuits> head_circuits(const Run& run);
/// Multiply-adds that it takes, about.
double circuits_work(const Run& run);

/// By which of its matrices a head reads what an earlier one wrote.
enum class Composes : std::uint8_t { Query, Key, Value };
inline constexpr std::array<std::string_view, 3> kComposes = {"q", "k", "v"};

/// Composition scores of two heads of one stack, the second in a later layer: ‖W_OV¹ W_QK²‖ / (‖W_OV¹‖ ‖W_QK²‖) by queries,
/// ‖W_OV¹ W_QK²ᵀ‖ / … by keys, ‖W_OV¹ W_OV²‖ / … by values, all Frobenius norms: from 0 to 1.
struct Compositions {
    std::vector<Tag> heads;
    /// readers × writers; NaN where the writer stands in no earlier layer of the same stack, or a head is all zeros.
    std::array<Eigen::MatrixXf, 3> scores;
    /// What matrices of these singular values have when they are turned against each other at random, as a root mean square:
    /// 1/√d, d the width of the stream (less one where the mean is taken off).
    double chance = 0;

    const Eigen::MatrixXf& operator[](Composes by) const { return scores[static_cast<std::size_t>(by)]; }
};
/// Of all pairs; with `only`, of those that this head is in. Of a run that head_circuits() takes.
Compositions compositions(const Run& run, std::optional<Tag> only = {});
double compositions_work(const Run& run, bool of_one_head);

/// A token, and a number of it.
struct WordNumber {
    int id = 0;
    double value = 0;
};
/// What a vector says of all words when it is read off by the matrix of words.
struct WordReading {
    std::vector<WordNumber> most, least;  ///< the largest first; the smallest first
};
/// What each neuron, by its row of W_down, says of all words for an activation of 1: through the final norm's γ, without its scale,
/// less the mean over all words. Empty: there is no matrix of words. No more of words × neurons is held than a part.
std::vector<WordReading> neuron_words(const Run& run, const std::vector<Neuron>& neurons, int top);

/// What a head that looks at a token makes it say: a row of W_E W_OV W_U.
struct MovedWord {
    int id = 0;       ///< of the token that is looked at
    WordReading says;
    double itself = 0;  ///< the same of the token itself
    int rank = 0;       ///< of that among all words, from 1
};
/// `head`: of HeadCircuit. Empty: no words.
std::vector<MovedWord> moved_words(const Run& run, const Tag& head, const std::vector<int>& ids, int top);

}  // namespace attn
