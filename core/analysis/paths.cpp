// The three networks' derivatives. The steps between tokens are in path_steps.cpp.

#include "core/analysis/paths.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/attention/inputs.h"

namespace attn {
namespace {

using Row = Eigen::Matrix<double, 1, Eigen::Dynamic>;
/// h×h, with storage on the stack, since there are thousands of them.
using Small = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor, kPathFeatures, kPathFeatures>;

Real seeded(std::uint64_t seed, std::string_view which, Eigen::Index rows, Eigen::Index cols) {
    return random_weight(seed, which, static_cast<int>(rows), static_cast<int>(cols)).cast<double>();
}

/// Gram-Schmidt over the columns, twice, since one pass leaves rounding errors [Giraud et al. 2005]. If nothing is left
/// of a column (seeded numbers have two decimals, so one in a few hundred 1×1 matrices is 0), it starts again from an
/// axis.
Real orthogonal(Real m) {
    constexpr double kLeft = 1e-6;
    for (Eigen::Index c = 0; c < m.cols(); ++c) {
        for (Eigen::Index axis = 0; axis <= m.rows(); ++axis) {
            for (int pass = 0; pass < 2; ++pass)
                for (Eigen::Index before = 0; before < c; ++before)
                    m.col(c) -= m.col(before).dot(m.col(c)) * m.col(before);
            if (m.col(c).norm() > kLeft) break;
            if (axis < m.rows()) m.col(c) = Eigen::VectorXd::Unit(m.rows(), axis);
        }
        m.col(c).normalize();
    }
    return m;
}

/// tanh′ from a row of tanh's values.
Row slope(const Real& values, Eigen::Index row) { return (1 - values.row(row).array().square()).matrix(); }

double stretch(const Small& m) { return m.rows() == 0 ? 0 : m.norm() / std::sqrt(static_cast<double>(m.rows())); }

}  // namespace

double stretch_of(const Real& m) { return m.rows() == 0 ? 0 : m.norm() / std::sqrt(static_cast<double>(m.rows())); }

Real path_vectors(const Matrix& x, std::uint64_t seed) {
    const Real wide = x.cast<double>();
    return wide.cols() <= kPathFeatures ? wide : Real(wide.lazyProduct(seeded(seed, "paths.narrow", wide.cols(), kPathFeatures)));
}

// Lazy products of small matrices, because Eigen's blocked product takes seconds to compile.

// -- the chain

RecurrentChain make_chain(const Real& x, std::uint64_t seed, double radius) {
    const Eigen::Index h = x.cols();
    RecurrentChain chain{seeded(seed, "paths.input", h, h), radius * orthogonal(seeded(seed, "paths.state", h, h)), {}};
    chain.states = x.lazyProduct(chain.input);
    for (Eigen::Index t = 0; t < x.rows(); ++t) {
        if (t > 0) chain.states.row(t) += chain.states.row(t - 1).lazyProduct(chain.recurrent);
        chain.states.row(t) = chain.states.row(t).array().tanh().matrix().eval();
    }
    return chain;
}

Real chain_jacobian(const RecurrentChain& chain, int from, int to) {
    const Eigen::Index h = chain.recurrent.rows();
    if (to < from) return Real::Zero(h, h);
    Real product = Real::Identity(h, h);
    for (int r = from + 1; r <= to; ++r)
        product = (product.lazyProduct(chain.recurrent) * slope(chain.states, r).asDiagonal()).eval();
    return product;
}

std::vector<double> chain_arriving(const RecurrentChain& chain, int to) {
    std::vector<double> out(static_cast<std::size_t>(chain.states.rows()), 0.0);
    const Eigen::Index h = chain.recurrent.rows();
    const Small u = chain.recurrent;
    Small product = Small::Identity(h, h);
    for (int from = to; from >= 0; --from) {
        out[static_cast<std::size_t>(from)] = stretch(product);
        product = u.lazyProduct(Small(slope(chain.states, from).asDiagonal() * product)).eval();
    }
    return out;
}

std::vector<double> chain_spreading(const RecurrentChain& chain, int from) {
    std::vector<double> out(static_cast<std::size_t>(chain.states.rows()), 0.0);
    const Eigen::Index h = chain.recurrent.rows();
    const Small u = chain.recurrent;
    Small product = Small::Identity(h, h);
    for (int to = from; to < static_cast<int>(out.size()); ++to) {
        if (to > from) product = (product.lazyProduct(u) * slope(chain.states, to).asDiagonal()).eval();
        out[static_cast<std::size_t>(to)] = stretch(product);
    }
    return out;
}

// -- the convolution

namespace {

/// Calls `each(index of the offset, token read)` for the positions inside the text that a node reads.
template <class Each>
void for_each_read(const Convolution& conv, int layer, int n, int at, Each each) {
    const int side = (conv.choice.kernel - 1) / 2;
    const std::int64_t apart = dilation_of(conv.choice, layer);
    for (int o = -side; o <= side; ++o) {
        const std::int64_t token = at + o * apart;
        if (token >= 0 && token < n) each(static_cast<std::size_t>(o + side), static_cast<int>(token));
    }
}

/// Derivatives of the top at one token by the nodes of a layer; empty matrices if it does not depend on them.
using Layer = std::vector<Real>;

/// Backwards from the top at `to`; calls `each` with the layers from the top on, the inputs last.
template <class Each>
void go_back(const Convolution& conv, int to, Each each) {
    const Eigen::Index h = conv.values[0].cols();
    const auto n = static_cast<int>(conv.values[0].rows());
    Layer above(static_cast<std::size_t>(n));
    above[static_cast<std::size_t>(to)] = Real::Identity(h, h);
    each(above);
    for (int layer = conv.layers() - 1; layer >= 0; --layer) {
        const auto l = static_cast<std::size_t>(layer);
        Layer below(static_cast<std::size_t>(n));
        for (int at = 0; at < n; ++at) {
            if (above[static_cast<std::size_t>(at)].size() == 0) continue;
            const Small sloped = slope(conv.values[l + 1], at).asDiagonal() * above[static_cast<std::size_t>(at)];
            for_each_read(conv, layer, n, at, [&](std::size_t offset, int token) {
                Real& sum = below[static_cast<std::size_t>(token)];
                if (sum.size() == 0) sum = Real::Zero(h, h);
                sum += Small(conv.kernels[l][offset]).lazyProduct(sloped);
            });
        }
        above = std::move(below);
        each(above);
    }
}

}  // namespace

Convolution make_convolution(const Real& x, std::uint64_t seed, const PathChoice& choice, int layers) {
    Convolution conv{choice, {}, {x}};
    const Eigen::Index h = x.cols();
    const auto n = static_cast<int>(x.rows());
    for (int layer = 0; layer < layers; ++layer) {
        // One matrix of k·h rows, so that its entries have the variance that preserves the spread of k vectors.
        const Real all = seeded(seed, "paths.kernel." + std::to_string(layer), choice.kernel * h, h);
        auto& kernels = conv.kernels.emplace_back();
        for (int o = 0; o < choice.kernel; ++o) kernels.push_back(all.middleRows(o * h, h));
        Real next = Real::Zero(n, h);
        for (int at = 0; at < n; ++at)
            for_each_read(conv, layer, n, at, [&](std::size_t offset, int token) {
                next.row(at) += conv.values.back().row(token).lazyProduct(kernels[offset]);
            });
        conv.values.push_back(next.array().tanh().matrix());
    }
    return conv;
}

Real conv_jacobian(const Convolution& conv, int from, int to) {
    const Eigen::Index h = conv.values[0].cols();
    Real arrived;
    go_back(conv, to, [&](const Layer& layer) { arrived = layer[static_cast<std::size_t>(from)]; });
    return arrived.size() == 0 ? Real(Real::Zero(h, h)) : arrived;
}

std::vector<std::vector<double>> conv_arriving(const Convolution& conv, int to) {
    std::vector<std::vector<double>> out;
    go_back(conv, to, [&](const Layer& layer) {
        auto& row = out.emplace_back();
        for (const Real& m : layer) row.push_back(stretch_of(m));
    });
    std::reverse(out.begin(), out.end());
    return out;
}

// -- attention

std::vector<double> attention_weights(const Real& x, int row) {
    std::vector<double> out;
    const Row scores = x.row(row).lazyProduct(x.transpose()) / std::sqrt(static_cast<double>(std::max<Eigen::Index>(x.cols(), 1)));
    const Row shares = (scores.array() - scores.maxCoeff()).exp().matrix();
    for (Eigen::Index i = 0; i < shares.cols(); ++i) out.push_back(shares(i) / shares.sum());
    return out;
}

namespace {

/// What the derivatives of one row of attention share.
struct Look {
    Row weights, mean, query;  ///< w, y = w x, and x_to/√h
    int to = 0;
};

Look look_from(const Real& x, int to) {
    const std::vector<double> w = attention_weights(x, to);
    Look look{Eigen::Map<const Row>(w.data(), static_cast<Eigen::Index>(w.size())), {}, {}, to};
    look.mean = look.weights.lazyProduct(x);
    look.query = x.row(to) / std::sqrt(static_cast<double>(std::max<Eigen::Index>(x.cols(), 1)));
    return look;
}

/// As key and value: w (I + (x_to/√h)ᵀ (x_from − y)). As query, if both are the same token, in addition: Σ w_i x_iᵀ
/// (x_i − y)/√h, the weighted covariance of the keys.
Small look_jacobian(const Look& look, const Real& x, int from) {
    const Eigen::Index h = x.cols();
    Small out = Small::Identity(h, h);
    out += look.query.transpose() * (x.row(from) - look.mean);
    out *= look.weights(from);
    if (from != look.to) return out;
    const Real weighted = look.weights.asDiagonal() * x;
    const Real spread = x.transpose().lazyProduct(weighted) - look.mean.transpose() * look.mean;
    out += spread / std::sqrt(static_cast<double>(std::max<Eigen::Index>(h, 1)));
    return out;
}

}  // namespace

Real attention_jacobian(const Real& x, int from, int to) { return look_jacobian(look_from(x, to), x, from); }

std::vector<double> attention_arriving(const Real& x, int to) {
    const Look look = look_from(x, to);
    std::vector<double> out;
    for (int from = 0; from < static_cast<int>(x.rows()); ++from) out.push_back(stretch(look_jacobian(look, x, from)));
    return out;
}

}  // namespace attn
