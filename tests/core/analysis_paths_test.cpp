// Path lengths between tokens against a search through the network, and derivatives against finite differences.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <Eigen/SVD>
#include <algorithm>
#include <cmath>

#include "core/analysis/layer_cost.h"
#include "core/analysis/paths.h"
#include "tests/core/support.h"

namespace attn::test {
namespace {

constexpr double kNudge = 1e-6, kClose = 1e-7;

Real vectors(std::uint64_t seed, int n, int d) { return path_vectors(seeded_matrix(seed, n, d), seed); }

/// The derivative of a function of one row, by central differences.
template <class F>
Real differences(const Eigen::RowVectorXd& at, F f) {
    Real out(at.cols(), f(at).cols());
    for (Eigen::Index i = 0; i < at.cols(); ++i) {
        Eigen::RowVectorXd up = at, down = at;
        up(i) += kNudge;
        down(i) -= kNudge;
        out.row(i) = (f(up) - f(down)) / (2 * kNudge);
    }
    return out;
}

/// Runs the chain again, onwards from a given state.
Eigen::RowVectorXd run_on(const RecurrentChain& chain, const Real& x, int from, Eigen::RowVectorXd state, int to) {
    for (int t = from + 1; t <= to; ++t)
        state = (x.row(t) * chain.input + state * chain.recurrent).array().tanh().matrix().eval();
    return state;
}

TEST(Paths, TheChainsJacobiansAreTheLimitsOfDifferences) {
    for (const double radius : {0.3, 1.0, 2.0}) {
        const Real x = vectors(4, 7, 5);
        const RecurrentChain chain = make_chain(x, 9, radius);
        for (const auto& [from, to] : {std::pair{0, 6}, {2, 3}, {1, 4}, {5, 6}}) {
            const Real expected = differences(
                chain.states.row(from), [&](const Eigen::RowVectorXd& h) { return run_on(chain, x, from, h, to); });
            EXPECT_LT((chain_jacobian(chain, from, to) - expected).norm(), kClose)
                << radius << ": " << from << "→" << to;
        }
    }
}

TEST(Paths, TheChainIsAnElmanNetwork) {
    const Real x = vectors(1, 4, 3);
    const RecurrentChain chain = make_chain(x, 2, 0.8);
    EXPECT_LT((run_on(chain, x, -1, Eigen::RowVectorXd::Zero(3), 3) - chain.states.row(3)).norm(), 1e-12);
}

TEST(Paths, AChainOfOneNumberHasItsRadiusWhateverTheSeed) {
    for (std::uint64_t seed = 0; seed < 1000; ++seed)
        ASSERT_NEAR(std::abs(make_chain(vectors(seed, 2, 1), seed, 0.5).recurrent(0, 0)), 0.5, 1e-9) << seed;
}

TEST(Paths, OnlyTanhShrinksAChangeBeyondTheRadius) {
    EXPECT_TRUE(rc::check("bounds of the chain", [] {
        const int n = *rc::gen::inRange(1, 9), d = *rc::gen::inRange(1, 20);
        const double radius = *rc::gen::inRange(1, 30) * 0.1;
        const auto seed = *rc::gen::arbitrary<std::uint64_t>();
        const RecurrentChain chain = make_chain(vectors(seed, n, d), seed, radius);
        const Eigen::VectorXd s = Eigen::JacobiSVD<Eigen::MatrixXd>(chain.recurrent).singularValues();
        RC_ASSERT(s.maxCoeff() < radius + 1e-9 && s.minCoeff() > radius - 1e-9);
        for (int to = 0; to < n; ++to) {
            const std::vector<double> row = chain_arriving(chain, to), column = chain_spreading(chain, to);
            for (int from = 0; from < n; ++from) {
                const double arrived = stretch_of(chain_jacobian(chain, from, to));
                RC_ASSERT(std::abs(arrived - row[static_cast<std::size_t>(from)]) <= 1e-9 * std::max(arrived, 1.0));
                RC_ASSERT(column[static_cast<std::size_t>(from)] ==
                          chain_spreading(chain, to)[static_cast<std::size_t>(from)]);
                if (from == to) RC_ASSERT(row[static_cast<std::size_t>(from)] == 1.0);
                if (from > to) RC_ASSERT(row[static_cast<std::size_t>(from)] == 0.0);
                if (from <= to) RC_ASSERT(arrived <= std::pow(radius, to - from) * (1 + 1e-9));
            }
        }
    }));
}

TEST(Paths, ForwardAndBackwardChangesAgree) {
    const RecurrentChain chain = make_chain(vectors(3, 9, 4), 5, 1.2);
    const std::vector<double> spreading = chain_spreading(chain, 2);
    for (int to = 0; to < 9; ++to)
        EXPECT_NEAR(spreading[static_cast<std::size_t>(to)], chain_arriving(chain, to)[2], 1e-12) << to;
}

/// The top layer at `to`, with one input row replaced.
Eigen::RowVectorXd top_with(const Real& x, std::uint64_t seed, const PathChoice& choice, int layers, int from,
                            const Eigen::RowVectorXd& row, int to) {
    Real copy = x;
    copy.row(from) = row;
    return make_convolution(copy, seed, choice, layers).values.back().row(to);
}

TEST(Paths, TheConvolutionsJacobiansAreTheLimitsOfDifferences) {
    for (const PathChoice& choice : {PathChoice{3, false}, PathChoice{5, false}, PathChoice{3, true}}) {
        const Real x = vectors(6, 8, 4);
        const Convolution conv = make_convolution(x, 11, choice, 2);
        const auto arriving = conv_arriving(conv, 5);
        ASSERT_EQ(arriving.size(), 3u);
        for (int from = 0; from < 8; ++from) {
            const Real expected = differences(
                x.row(from), [&](const Eigen::RowVectorXd& row) { return top_with(x, 11, choice, 2, from, row, 5); });
            EXPECT_LT((conv_jacobian(conv, from, 5) - expected).norm(), kClose) << from;
            EXPECT_NEAR(arriving[0][static_cast<std::size_t>(from)], stretch_of(expected), kClose) << from;
        }
        EXPECT_EQ(arriving[2][5], 1);
    }
}

TEST(Paths, AConvolutionIsZeroOutsideItsReceptiveField) {
    EXPECT_TRUE(rc::check("the receptive field", [] {
        const int n = *rc::gen::inRange(1, 40), layers = *rc::gen::inRange(1, 5);
        const PathChoice choice{2 * *rc::gen::inRange(1, 5) + 1, *rc::gen::arbitrary<bool>()};
        const int at = *rc::gen::inRange(0, n);
        const auto field = receptive_field(choice, layers, n, at);
        RC_ASSERT(static_cast<int>(field.size()) == layers + 1);
        const std::int64_t reach = conv_reach(choice, layers);
        const Convolution conv = make_convolution(vectors(7, n, 2), 3, choice, layers);
        const auto arriving = conv_arriving(conv, at);
        for (int from = 0; from < n; ++from) {
            const bool inside = std::binary_search(field.back().begin(), field.back().end(), from);
            RC_ASSERT(inside == (std::abs(from - at) <= reach));  // contiguous, as far as the reach says
            const double arrived = arriving[0][static_cast<std::size_t>(from)];
            RC_ASSERT((arrived > 0) == inside);
            const std::vector<int> route = conv_route(choice, layers, from, at);
            RC_ASSERT(route.empty() == !inside);
            for (std::size_t l = 0; l < route.size(); ++l)
                RC_ASSERT(std::binary_search(field[l].begin(), field[l].end(), route[l]));
        }
    }));
}

TEST(Paths, TheStepsAreTheFewestLayersThatConnect) {
    EXPECT_TRUE(rc::check("path lengths", [] {
        const int n = *rc::gen::inRange(2, 80);
        const PathChoice choice{2 * *rc::gen::inRange(1, 5) + 1, *rc::gen::arbitrary<bool>()};
        const int from = *rc::gen::inRange(0, n), to = *rc::gen::inRange(0, n), distance = std::abs(to - from);
        const int length = path_length(PathKind::Convolution, choice, distance);
        const auto connected = [&](int layers) {
            const auto field = receptive_field(choice, layers, n, to);
            return std::binary_search(field.back().begin(), field.back().end(), from);
        };
        RC_ASSERT(connected(length));
        if (length > 0) RC_ASSERT(!connected(length - 1));
        const int side = (choice.kernel - 1) / 2;
        const double closed =
            choice.dilated ? std::log(distance + 1) / std::log(side + 1) : static_cast<double>(distance) / side;
        RC_ASSERT(length == static_cast<int>(std::ceil(closed - 1e-9)));
    }));
}

TEST(Paths, AgreeWithTheTable) {
    const PathChoice plain{3, false}, wide{5, false}, gaps{3, true};
    EXPECT_EQ(path_length(PathKind::Recurrent, plain, 10), 10);
    EXPECT_EQ(path_length(PathKind::Convolution, plain, 10), 10);
    EXPECT_EQ(path_length(PathKind::Convolution, wide, 10), 5);
    EXPECT_EQ(path_length(PathKind::Convolution, gaps, 10), 4);  // 1 + 2 + 4 + 8 = 15 ≥ 10
    EXPECT_EQ(path_length(PathKind::Attention, plain, 10), 1);
    for (const PathKind kind : {PathKind::Recurrent, PathKind::Convolution, PathKind::Attention}) {
        EXPECT_EQ(path_length(kind, plain, 0), 0);
        EXPECT_EQ(path_length(kind, plain, 1), 1);
        EXPECT_EQ(find_path_kind(path_kind_id(kind)), kind);
    }
    EXPECT_FALSE(find_path_kind("rnn"));
    EXPECT_EQ(steps_in_sequence(PathKind::Recurrent, plain, 11), 11);
    EXPECT_EQ(steps_in_sequence(PathKind::Convolution, gaps, 11), 4);
    EXPECT_EQ(steps_in_sequence(PathKind::Attention, plain, 11), 1);
    EXPECT_EQ(path_length(PathKind::Convolution, gaps, 4095), 12);
    EXPECT_EQ(conv_layers(plain, 4096), kMostPathLayers);
    EXPECT_EQ(conv_layers({3, false, 2}, 4096), 2);
    EXPECT_EQ(conv_layers(plain, 1), 1);
}

/// y_to of attention by its definition, with one vector replaced.
Eigen::RowVectorXd look_with(Real x, int from, const Eigen::RowVectorXd& row, int to) {
    x.row(from) = row;
    const Eigen::RowVectorXd e =
        (x.row(to) * x.transpose() / std::sqrt(static_cast<double>(x.cols()))).array().exp().matrix();
    return e * x / e.sum();
}

TEST(Paths, AttentionsJacobiansAreTheLimitsOfDifferences) {
    for (const auto& [n, d] : {std::pair{1, 3}, {5, 4}, {6, 1}}) {
        const Real x = vectors(12, n, d);
        for (int to = 0; to < n; ++to) {
            const std::vector<double> arriving = attention_arriving(x, to), weights = attention_weights(x, to);
            double sum = 0;
            for (int from = 0; from < n; ++from) {
                const Real expected = differences(
                    x.row(from), [&](const Eigen::RowVectorXd& row) { return look_with(x, from, row, to); });
                EXPECT_LT((attention_jacobian(x, from, to) - expected).norm(), kClose) << from << "→" << to;
                EXPECT_NEAR(arriving[static_cast<std::size_t>(from)], stretch_of(expected), kClose);
                sum += weights[static_cast<std::size_t>(from)];
            }
            EXPECT_NEAR(sum, 1, 1e-12);
        }
    }
}

TEST(Paths, TheSameSeedIsTheSameNetworkAndWideVectorsAreNarrowed) {
    EXPECT_EQ(vectors(1, 3, 40).cols(), kPathFeatures);
    EXPECT_EQ(vectors(1, 3, 4).cols(), 4);
    const Real x = vectors(1, 5, 4);
    EXPECT_EQ(make_chain(x, 3, 1).states, make_chain(x, 3, 1).states);
    EXPECT_NE(make_chain(x, 3, 1).states, make_chain(x, 4, 1).states);
    EXPECT_NE(make_convolution(x, 3, {}, 2).values.back(), make_convolution(x, 4, {}, 2).values.back());
}

}  // namespace
}  // namespace attn::test
