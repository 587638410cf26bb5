#pragma once
// The distance between two tokens of a text in a recurrent chain, a convolution and attention [Vaswani et al. 2017,
// table 1 and section 4], and how much of a small change at one token arrives at the other: three small networks over
// the tokens' own vectors, with exact derivatives. float64 throughout; rows are tokens, counted from 0.
//
// A derivative ∂y/∂x of two rows of h numbers is h×h; its entry (i, j) is ∂y_j/∂x_i. It is measured by its root mean
// square stretch ‖∂y/∂x‖_F / √h: the average length at which a change of length 1 in a random direction arrives. For
// the identity it is 1.

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
/// Features of a state; wider vectors are first reduced by a seeded projection.
inline constexpr int kPathFeatures = 16;

/// The parameters of the three networks.
struct PathChoice {
    int kernel = 3;        ///< k of the convolution, odd: (k−1)/2 tokens on either side
    bool dilated = false;  ///< layer l (from 0) reads positions ((k+1)/2)^l apart [Kalchbrenner et al. 2016]
    int layers = 0;        ///< of the convolution; 0: enough to connect the ends of the text
    float radius = 0.7f;   ///< ρ: spectral radius of the chain's U
    bool operator==(const PathChoice&) const = default;
};

// -- steps

/// The distance between the tokens that layer `layer` (from 0) reads.
std::int64_t dilation_of(const PathChoice& choice, int layer);
/// How many positions to either side the top of this many layers sees.
std::int64_t conv_reach(const PathChoice& choice, int layers);
/// The layers of the convolution over n tokens, at most kMostPathLayers.
int conv_layers(const PathChoice& choice, int n);
/// Steps from one token to another at `distance`; 0 to itself. Chain: the distance. Convolution: ⌈distance /
/// ((k−1)/2)⌉; dilated: ⌈log_{(k+1)/2}(distance + 1)⌉, the fewest layers whose reaches add up to the distance (the
/// table's log_k n is for one-sided windows). Attention: 1.
int path_length(PathKind kind, const PathChoice& choice, int distance);
/// Sequential steps over n tokens: chain: n states; convolution: the layers that connect the ends; attention: 1.
int steps_in_sequence(PathKind kind, const PathChoice& choice, int n);
/// The tokens, of n, that the top of `layers` layers at token `at` depends on: the top itself first, the inputs last;
/// ascending.
std::vector<std::vector<int>> receptive_field(const PathChoice& choice, int layers, int n, int at);
/// One path from the top at `to` down to the input `from`, as the token in each layer; empty: out of reach.
std::vector<int> conv_route(const PathChoice& choice, int layers, int from, int to);

// -- how much arrives

using Real = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// ‖m‖_F / √rows.
double stretch_of(const Real& m);
/// The input of the three networks: x itself, or x times a seeded matrix if it is wider than kPathFeatures. n×h.
Real path_vectors(const Matrix& x, std::uint64_t seed);

/// h_t = tanh(x_t W + h_{t−1} U), with 0 before the first state [Elman 1990]. U is ρ times a seeded orthogonal matrix:
/// ρ is its spectral radius and each of its singular values, so that only tanh shrinks a change further than ρ.
struct RecurrentChain {
    Real input, recurrent;  ///< W and U, h×h
    Real states;            ///< n×h
};
RecurrentChain make_chain(const Real& x, std::uint64_t seed, double radius);
/// ∂h_to/∂h_from: the product of U·diag(1 − h_r²) over the states after `from` [Bengio et al. 1994; Pascanu et al.
/// 2013, eq. 5]. The identity if they are the same; 0 if `to` comes first.
Real chain_jacobian(const RecurrentChain& chain, int from, int to);
/// Its stretch from every token to `to`, and from `from` to every token.
std::vector<double> chain_arriving(const RecurrentChain& chain, int to);
std::vector<double> chain_spreading(const RecurrentChain& chain, int from);

/// y_l = tanh(Σ_o y_{l−1, t+o·δ_l} K_{l,o}): every layer has k seeded matrices with entries of variance 1/(k h);
/// positions outside the text are 0.
struct Convolution {
    PathChoice choice;
    std::vector<std::vector<Real>> kernels;  ///< k matrices per layer, h×h, from the leftmost position on
    std::vector<Real> values;                ///< the input vectors, then each layer; n×h
    int layers() const { return static_cast<int>(kernels.size()); }
};
Convolution make_convolution(const Real& x, std::uint64_t seed, const PathChoice& choice, int layers);
/// ∂(top at `to`)/∂(input at `from`), h×h; exactly 0 outside the receptive field.
Real conv_jacobian(const Convolution& conv, int from, int to);
/// Stretches of ∂(top at `to`)/∂(each node): inputs first, top last.
std::vector<std::vector<double>> conv_arriving(const Convolution& conv, int to);

/// y_t = Σ w_ti x_i with w = softmax(x_t xᵀ/√h): each token's vector is its query, key and value. ∂y_to/∂x_from, h×h.
Real attention_jacobian(const Real& x, int from, int to);
std::vector<double> attention_arriving(const Real& x, int to);
/// The weights of one row.
std::vector<double> attention_weights(const Real& x, int row);

}  // namespace attn
