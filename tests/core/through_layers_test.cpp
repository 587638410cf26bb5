// Rollout, flow and the measures of a map, against independent computations in float64.
#include "core/analysis/through_layers.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "core/analysis/measures.h"
#include "core/base/random.h"
#include "core/document/take.h"
#include "core/model/model.h"
#include "tests/core/support.h"

namespace attn::test {
namespace {

/// Random attention matrices whose rows sum to 1, causal on request.
std::vector<Matrix> drawn_layers(int layers, int n, bool causal, std::uint64_t seed) {
    Random random(seed);
    std::vector<Matrix> out;
    for (int l = 0; l < layers; ++l) {
        Matrix m = Matrix::Zero(n, n);
        for (int i = 0; i < n; ++i) {
            for (int j = 0; j < (causal ? i + 1 : n); ++j) m(i, j) = static_cast<float>(1 + random.next() % 1000);
            m.row(i) /= m.row(i).sum();
        }
        out.push_back(m);
    }
    return out;
}

double edge(const Matrix& mean, int i, int j) {
    double sum = 0;
    for (int k = 0; k < mean.cols(); ++k) sum += 0.5 * static_cast<double>(mean(i, k)) + (i == k ? 0.5 : 0.0);
    return (0.5 * static_cast<double>(mean(i, j)) + (i == j ? 0.5 : 0.0)) / sum;
}

/// The weight from token i to token j, summed path by path.
double over_paths(const std::vector<Matrix>& means, std::size_t layers, int i, int j) {
    if (layers == 0) return i == j ? 1 : 0;
    double sum = 0;
    for (int k = 0; k < means[0].cols(); ++k) sum += edge(means[layers - 1], i, k) * over_paths(means, layers - 1, k, j);
    return sum;
}

TEST(ThroughLayers, RolloutIsTheSumOverAllPaths) {
    for (const bool causal : {false, true}) {
        const auto means = drawn_layers(4, 5, causal, 7);
        const Matrix rollout = attention_rollout(means);
        for (int i = 0; i < 5; ++i) {
            EXPECT_NEAR(static_cast<double>(rollout.row(i).sum()), 1, 1e-6);
            for (int j = 0; j < 5; ++j) EXPECT_NEAR(static_cast<double>(rollout(i, j)), over_paths(means, 4, i, j), 1e-6);
        }
    }
}

/// The minimum cut by exhaustion: over all ways to assign the inner nodes to the two sides, the least capacity across.
double smallest_cut(const std::vector<Matrix>& means, int from, int to) {
    const auto n = static_cast<int>(means[0].rows()), layers = static_cast<int>(means.size());
    const int nodes = (layers + 1) * n, source = layers * n + from, sink = to;
    std::vector<int> free;
    for (int v = 0; v < nodes; ++v)
        if (v != source && v != sink) free.push_back(v);
    double best = 1e9;
    for (std::uint32_t set = 0; set < (1U << free.size()); ++set) {
        std::vector<bool> with_source(static_cast<std::size_t>(nodes), false);
        with_source[static_cast<std::size_t>(source)] = true;
        for (std::size_t k = 0; k < free.size(); ++k) with_source[static_cast<std::size_t>(free[k])] = (set >> k & 1U) != 0;
        double cut = 0;
        for (int l = 1; l <= layers; ++l)
            for (int i = 0; i < n; ++i)
                for (int j = 0; j < n; ++j)
                    if (with_source[static_cast<std::size_t>(l * n + i)] && !with_source[static_cast<std::size_t>((l - 1) * n + j)])
                        cut += edge(means[static_cast<std::size_t>(l - 1)], i, j);
        best = std::min(best, cut);
    }
    return best;
}

TEST(ThroughLayers, FlowIsTheSmallestCut) {
    for (const bool causal : {false, true})
        for (const auto& [layers, n] : {std::pair{3, 3}, std::pair{2, 4}, std::pair{1, 3}}) {
            const auto means = drawn_layers(layers, n, causal, 11);
            const Matrix flow = attention_flow(means);
            for (int i = 0; i < n; ++i)
                for (int j = 0; j < n; ++j)
                    EXPECT_NEAR(static_cast<double>(flow(i, j)), smallest_cut(means, i, j), 1e-6) << layers << " layers, " << i << " to " << j;
        }
}

/// A single path carries at most what all paths carry together, and with one layer both are its edges.
TEST(ThroughLayers, FlowIsAtLeastRollout) {
    const auto means = drawn_layers(5, 9, true, 3);
    const Matrix flow = attention_flow(means), rollout = attention_rollout(means);
    for (int i = 0; i < 9; ++i)
        for (int j = 0; j < 9; ++j) {
            EXPECT_GE(flow(i, j), rollout(i, j) - 1e-6f);
            EXPECT_LE(flow(i, j), 1 + 1e-6f);
            if (j > i) {
                EXPECT_EQ(flow(i, j), 0) << "nothing comes from what is masked";
            }
        }
    EXPECT_EQ(attention_flow({means[0]}), attention_rollout({means[0]}));
    std::stop_source stop;
    stop.request_stop();
    EXPECT_EQ(attention_flow(means, stop.get_token()).size(), 0);
}

TEST(ThroughLayers, AreThoseOfTheRun) {
    Document doc;
    take_model(doc, shipped_model("language"));
    doc.text = "the river bank was wide";
    const attn::Run run = run_valid(doc);
    const auto stacks = layer_maps(run.trace);
    ASSERT_EQ(stacks.size(), 1U);
    ASSERT_EQ(stacks[0].means.size(), 4U);
    for (int l = 0; l < 4; ++l) {
        Eigen::MatrixXd mean = Eigen::MatrixXd::Zero(stacks[0].means[0].rows(), stacks[0].means[0].cols());
        for (int h = 0; h < 4; ++h) mean += find(run.trace, {Role::Weights, h, l})->value.matrix().cast<double>() / 4;
        EXPECT_LT((stacks[0].means[static_cast<std::size_t>(l)].cast<double>() - mean).cwiseAbs().maxCoeff(), 1e-6);
    }
    Document both;
    choose_form(both, "decoder");
    both.text = "the cat sat";
    const auto two = layer_maps(run_valid(both).trace);
    EXPECT_EQ(two.size(), 2U) << "the encoder's and the decoder's own; not the cross-attention";
    Document linear;
    choose_form(linear, "linear");
    EXPECT_TRUE(layer_maps(run_valid(linear).trace).empty());
    EXPECT_EQ(find_through("flow"), Through::Flow);
    EXPECT_FALSE(find_through("elsewhere"));
}

/// Each head's values times its rows of W_O, one sum at a time; all shares of the output sum to 1.
TEST(Measures, AreTheLengthsAndSharesOfTheAddedVectors) {
    Document doc;
    take_model(doc, shipped_model("language"));
    doc.text = "the river bank was wide";
    for (const bool grouped : {false, true}) {
        if (grouped) {
            doc = Document{};
            choose_form(doc, "multi_head");
            doc.weights = "random";
            doc.text = "the tired cat sat down";
            doc.config.heads = 4;
        }
        const attn::Run run = run_valid(doc);
        const Trace& t = run.trace;
        const int layer = grouped ? kNoLayer : 1;
        const auto of = [&](Role role, int head) { return find(t, {role, head, layer}); };
        const Matrix& out_weight = of(Role::OutputWeight, kNoHead)->value;
        const auto n = static_cast<int>(of(Role::Weights, 0)->value.rows());
        const auto width = static_cast<int>(of(Role::Values, 0)->value.cols()), d = static_cast<int>(out_weight.cols());
        const auto added = [&](int h, int j, int c) {  // the output f(v_j) of head h
            double sum = 0;
            for (int k = 0; k < width; ++k)
                sum += static_cast<double>(of(Role::Values, h)->value(j, k)) * static_cast<double>(out_weight(h * width + k, c));
            return sum;
        };
        for (int i = 0; i < n; i += 2) {
            std::vector<double> y(static_cast<std::size_t>(d), 0.0);
            for (int h = 0; h < 4; ++h)
                for (int j = 0; j < n; ++j)
                    for (int c = 0; c < d; ++c) y[static_cast<std::size_t>(c)] += static_cast<double>(of(Role::Weights, h)->value(i, j)) * added(h, j, c);
            double length = 0, all = 0;
            for (const double one : y) length += one * one;
            for (const AttentionMap& map : attention_maps(t)) {
                if (map.tag.layer != layer) continue;
                const auto norm = map_in(t, map, Measure::Norm), part = map_in(t, map, Measure::Part);
                ASSERT_TRUE(norm && part);
                for (int j = 0; j < n; ++j) {
                    const double alpha = static_cast<double>(of(Role::Weights, map.tag.head)->value(i, j));
                    double square = 0, along = 0;
                    for (int c = 0; c < d; ++c) {
                        const double one = alpha * added(map.tag.head, j, c);
                        square += one * one;
                        along += one * y[static_cast<std::size_t>(c)] / length;
                    }
                    EXPECT_NEAR(static_cast<double>((*norm)(i, j)), std::sqrt(square), 1e-5 * std::max(1.0, std::sqrt(square)));
                    EXPECT_NEAR(static_cast<double>((*part)(i, j)), along, 1e-5);
                    all += static_cast<double>((*part)(i, j));
                }
            }
            EXPECT_NEAR(all, 1, 1e-4);
        }
    }
}

/// Decoding adds a row at a time, and keys that do not exist yet are NaN; a form without values has only its weights.
TEST(Measures, OfFormsThatDecode) {
    Document doc;
    take_model(doc, shipped_model("induction"));
    doc.text = "k q b z k q";
    const attn::Run run = run_valid(doc);
    for (const AttentionMap& map : attention_maps(run.trace)) {
        const auto norm = map_in(run.trace, map, Measure::Norm);
        ASSERT_TRUE(norm) << step_name(map.tag);
        const Matrix weights = weights_of(run.trace, map);
        for (Eigen::Index i = 0; i < weights.size(); ++i) {
            EXPECT_EQ(std::isnan(weights.data()[i]), std::isnan(norm->data()[i]));
            if (weights.data()[i] == 0) {
                EXPECT_EQ(norm->data()[i], 0);
            }
        }
        EXPECT_EQ(map_in(run.trace, map, Measure::Weight)->size(), weights.size());
    }
    EXPECT_EQ(find_measure("norm"), Measure::Norm);
    EXPECT_FALSE(find_measure("length"));
    EXPECT_EQ(measure_id(Measure::Part), "part");
}

}  // namespace
}  // namespace attn::test
