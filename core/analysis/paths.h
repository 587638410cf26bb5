#pragma once
// How far two tokens of a text are apart for a recurrent chain, a convolution and attention [Vaswani et al. 2017, table
// 1 and section 4], and how much of a small change at the one arrives at the other: three small networks over the
// tokens' own vectors, their derivatives exact. float64 throughout; rows are tokens and tokens count from 0.
//
// A derivative ∂y/∂x of two rows of h numbers is h×h, its entry (i, j) being ∂y_j/∂x_i. What is measured of it is its
// root mean square stretch ‖∂y/∂x‖_F / √h: the length, on average, that a change of length 1 in a direction at random
// still has when it arrives. Of the identity it is 1.

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/base/matrix.h"

namespace attn {

enum class PathKind : std::uint8_t { Recurrent, Convolution, Attention };
inline constexpr int kPathKinds = 3;
/// "recurrent", "convolution", "attention".
std::string_view path_kind_id(PathKind kind);
std::optional<PathKind> find_path_kind(std::string_view id);

inline constexpr int kWidestKernel = 9, kMostPathLayers = 12;
inline constexpr float kLeastRadius = 0.1f, kLargestRadius = 3;
/// Numbers of a state; wider vectors come through a seeded projection first.
inline constexpr int kPathFeatures = 16;

/// The dials of the three.
struct PathChoice {
    int kernel = 3;        ///< k of the convolution, odd: (k−1)/2 tokens on either side
    bool dilated = false;  ///< what layer l (from 0) reads lies ((k+1)/2)^l places apart [Kalchbrenner et al. 2016]
    int layers = 0;        ///< of the convolution; 0: as many as connect the ends of the text
    float radius = 0.7f;   ///< ρ: spectral radius of the chain's U
    bool operator==(const PathChoice&) const = default;
};

// -- steps

/// Places between the tokens that layer `layer` (from 0) reads.
std::int64_t dilation_of(const PathChoice& choice, int layer);
/// Places to either side that the top of so many layers sees.
std::int64_t conv_reach(const PathChoice& choice, int layers);
/// The layers that the convolution has over n tokens, at most kMostPathLayers.
int conv_layers(const PathChoice& choice, int n);
/// Steps from one token to another that is `distance` places away; to itself none.
/// Chain: the distance. Convolution: ⌈distance / ((k−1)/2)⌉; dilated: ⌈log_{(k+1)/2}(distance + 1)⌉, the fewest layers
/// whose reaches add up to it (the table's log_k n is of windows that look to one side). Attention: 1.
int path_length(PathKind kind, const PathChoice& choice, int distance);
/// Steps over n tokens that must follow one after the other: n states; one for each layer that connects the ends; 1.
int steps_in_sequence(PathKind kind, const PathChoice& choice, int n);
/// What the top of `layers` layers at token `at` reads, of n tokens: first the top itself, last the inputs; ascending.
std::vector<std::vector<int>> receptive_field(const PathChoice& choice, int layers, int n, int at);
/// One way from the top at `to` down to the input `from`: the token of each layer; empty: it is out of reach.
std::vector<int> conv_route(const PathChoice& choice, int layers, int from, int to);

// -- how much arrives

using Real = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// ‖m‖_F / √rows.
double stretch_of(const Real& m);
/// What the three begin with: x itself, or x times a seeded matrix where it is wider than kPathFeatures. n×h.
Real path_vectors(const Matrix& x, std::uint64_t seed);

/// h_t = tanh(x_t W + h_{t−1} U), h before the first is 0 [Elman 1990]. U is ρ times a seeded orthogonal matrix: ρ is
/// its spectral radius and each of its singular values, so that all that shrinks a change beyond ρ is tanh.
struct RecurrentChain {
    Real input, recurrent;  ///< W and U, h×h
    Real states;            ///< n×h
};
RecurrentChain make_chain(const Real& x, std::uint64_t seed, double radius);
/// ∂h_to/∂h_from: the product of U·diag(1 − h_r²) over the states after `from` [Bengio et al. 1994; Pascanu et al.
/// 2013, eq. 5]. The identity where they are the same; 0 where `to` comes first.
Real chain_jacobian(const RecurrentChain& chain, int from, int to);
/// Its stretch, for `to` and every other token; and for `from` and every other.
std::vector<double> chain_arriving(const RecurrentChain& chain, int to);
std::vector<double> chain_spreading(const RecurrentChain& chain, int from);

/// y_l = tanh(Σ_o y_{l−1, t+o·δ_l} K_{l,o}): every layer has k seeded matrices, entries of variance 1/(k h); what lies
/// outside the text is 0.
struct Convolution {
    PathChoice choice;
    std::vector<std::vector<Real>> kernels;  ///< of each layer k matrices, h×h, from the leftmost place on
    std::vector<Real> values;                ///< the vectors, then each layer; n×h
    int layers() const { return static_cast<int>(kernels.size()); }
};
Convolution make_convolution(const Real& x, std::uint64_t seed, const PathChoice& choice, int layers);
/// ∂(top at `to`)/∂(input at `from`), h×h; exactly 0 outside the receptive field.
Real conv_jacobian(const Convolution& conv, int from, int to);
/// Stretches of ∂(top at `to`)/∂(each node): of the inputs first, of the top last.
std::vector<std::vector<double>> conv_arriving(const Convolution& conv, int to);

/// y_t = Σ w_ti x_i with w = softmax(x_t xᵀ/√h): each token looks with its own vector. ∂y_to/∂x_from, h×h.
Real attention_jacobian(const Real& x, int from, int to);
std::vector<double> attention_arriving(const Real& x, int to);
/// The weights of one row.
std::vector<double> attention_weights(const Real& x, int row);

}  // namespace attn
