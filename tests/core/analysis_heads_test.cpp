// Averages over heads and the choice of lines to draw, against float64 computed the long way; scores split into
// products in every form.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/analysis/heads.h"
#include "core/analysis/products.h"
#include "core/kernels/softmax.h"
#include "tests/core/support.h"

namespace attn::test {
namespace {

constexpr float kHeadsNan = std::numeric_limits<float>::quiet_NaN();

Matrix drawn_weights(std::uint64_t seed, int rows, int cols) {
    return softmax_rows(seeded_matrix(seed, rows, cols, 2), 1,
                        std::vector<bool>(static_cast<std::size_t>(rows), false));
}

TEST(AttentionMaps, EveryFormHasItsMapsOrNone) {
    for_each_table_document([](const Document& doc, const attn::Run& run) {
        const auto maps = attention_maps(run.trace);
        if (doc.config.form == "online" || doc.config.form == "linear") {
            EXPECT_TRUE(maps.empty());
            return;
        }
        ASSERT_FALSE(maps.empty());
        for (const AttentionMap& map : maps) {
            EXPECT_EQ(map.tag.time, kNoTime);
            const Matrix weights = weights_of(run.trace, map);
            for (int r = 0; r < map.rows(); ++r)
                for (int c = 0; c < map.cols; ++c) {
                    const Cell cell = map.cell(run.trace, r, c);
                    if (cell.step == kNoStep) {
                        EXPECT_TRUE(std::isnan(weights(r, c)));
                    } else {
                        EXPECT_TRUE(same_number(weights(r, c), run.trace[cell.step].value(cell.row, cell.col)));
                    }
                }
        }
    });
}

/// One map per head, layer and part; for decoding, the rows of all times make up one map.
TEST(AttentionMaps, RowsOfAllTimesFormOneMap) {
    const Document doc =
        document_of(R"({"text": "a b c", "variant": "generate", "layers": 2, "heads": 2, "generate": 3})");
    const attn::Run run = run_valid(doc);
    const auto maps = attention_maps(run.trace);
    ASSERT_EQ(maps.size(), 4u);
    EXPECT_EQ(maps[0].rows(), 5);
    EXPECT_EQ(maps[0].cols, 5);
    const Matrix weights = weights_of(run.trace, maps[3]);
    EXPECT_TRUE(std::isnan(weights(0, 4)));
    EXPECT_NEAR(weights.row(4).sum(), 1, 1e-6);
    EXPECT_EQ(axis_label(run.trace, run.trace[maps[0].places[4].step].rows, maps[0].places[4].row),
              run.trace.tokens[4]);
}

TEST(AttentionMaps, ADecoderHasThreeKinds) {
    const attn::Run run = run_valid(document_of(R"({"text": "a b", "source": "x y z", "variant": "decoder"})"));
    const auto maps = attention_maps(run.trace);
    ASSERT_EQ(maps.size(), 3u);
    EXPECT_EQ(maps[0].tag.part, Part::Encoder);
    EXPECT_EQ(maps[1].tag.part, Part::Main);
    EXPECT_EQ(maps[2].tag.part, Part::Cross);
    EXPECT_EQ(maps[2].cols, 3);
    EXPECT_EQ(maps[2].keys.kind, Axis::Kind::SourceTokens);
}

TEST(SpecialTokens, AreKnownByTheirMarks) {
    for (const char* token : {"[PAD]", "[CLS]", "<s>", "</s>", "<|endoftext|>", "<pad>"})
        EXPECT_TRUE(is_special_token(token)) << token;
    for (const char* token : {"cat", "[", "[]", "<", "<3>", "[note]", "PAD", "", "<>"})
        EXPECT_FALSE(is_special_token(token)) << token;
}

TEST(HiddenKeys, RemainingWeightsAreDividedByTheirSum) {
    Matrix weights = drawn_weights(1, 4, 5);
    weights(1, 3) = kHeadsNan;
    weights.row(2).setZero();
    const std::vector<bool> hidden = {true, false, false, true, false};
    for (const bool renormalise : {false, true}) {
        const Matrix out = without_keys(weights, hidden, renormalise);
        for (int r = 0; r < 4; ++r) {
            double left = 0;
            for (const int c : {1, 2, 4}) left += static_cast<double>(weights(r, c));
            const double divisor = renormalise && left > 0 ? left : 1;
            for (int c = 0; c < 5; ++c) {
                if (hidden[static_cast<std::size_t>(c)]) {
                    EXPECT_TRUE(std::isnan(out(r, c)));
                } else {
                    EXPECT_NEAR(out(r, c), static_cast<double>(weights(r, c)) / divisor, 1e-7) << r << "," << c;
                }
            }
        }
    }
    double on = 0, all = 0;
    for (int r = 0; r < 4; ++r)
        for (int c = 0; c < 5; ++c)
            if (!std::isnan(weights(r, c))) {
                all += static_cast<double>(weights(r, c));
                if (c == 0 || c == 3) on += static_cast<double>(weights(r, c));
            }
    EXPECT_NEAR(weight_on(weights, hidden), on / all, 1e-12);
}

std::vector<const Matrix*> refs(const std::vector<Matrix>& maps) {
    std::vector<const Matrix*> out;
    for (const Matrix& map : maps) out.push_back(&map);
    return out;
}

TEST(HeadsTogether, AverageLargestAndStrongest) {
    std::vector<Matrix> maps = {drawn_weights(1, 5, 7), drawn_weights(2, 5, 7), drawn_weights(3, 5, 7)};
    for (Matrix& map : maps) map(0, 6) = kHeadsNan;
    for (Matrix& map : maps) map(4, 0) = 0;
    maps[2](1, 1) = kHeadsNan;
    maps[1](2, 2) = maps[0](2, 2) = 0.9f;  // ties: the first wins
    const Matrix average = average_of(refs(maps)), largest = largest_of(refs(maps));
    for (int r = 0; r < 5; ++r)
        for (int c = 0; c < 7; ++c) {
            double sum = 0, most = -1;
            int count = 0, who = -1;
            for (int i = 0; i < 3; ++i) {
                const double w = static_cast<double>(maps[static_cast<std::size_t>(i)](r, c));
                if (std::isnan(w)) continue;
                sum += w;
                ++count;
                if (w > most) {
                    most = w;
                    who = w > 0 ? i : -1;
                }
            }
            EXPECT_EQ(strongest_at(refs(maps), r, c), who) << r << "," << c;
            if (count == 0) {
                EXPECT_TRUE(std::isnan(average(r, c)) && std::isnan(largest(r, c)));
                continue;
            }
            EXPECT_NEAR(average(r, c), sum / count, 1e-7);
            EXPECT_EQ(average(r, c), average_at(refs(maps), r, c));
            EXPECT_NEAR(largest(r, c), most, 0);
        }
    EXPECT_EQ(average_of({}).size(), 0);
}

TEST(HeadsTogether, SumsOfTokens) {
    const Matrix weights = drawn_weights(4, 6, 3);
    const std::vector<int> picked = {1, 4};
    const auto to = sum_of_rows(weights, picked), all = sum_of_rows(weights, {});
    for (std::size_t c = 0; c < 3; ++c) {
        const auto col = weights.col(static_cast<Eigen::Index>(c)).cast<double>();
        EXPECT_NEAR(to[c], col[1] + col[4], 1e-12);
        EXPECT_NEAR(all[c], col.sum(), 1e-12);
    }
    const auto from = sum_of_cols(weights, std::vector<int>{2});
    for (std::size_t r = 0; r < 6; ++r)
        EXPECT_NEAR(from[r], static_cast<double>(weights(static_cast<Eigen::Index>(r), 2)), 1e-12);
    EXPECT_EQ(sum_of_rows(weights, std::vector<int>{-1, 99}), std::vector<double>(3, 0.0));
}

/// The fewest largest weights of each row that reach the share, computed the long way.
TEST(AttentionLinesTest, KeepTheLargestOfEachRow) {
    const std::vector<Matrix> maps = {drawn_weights(5, 9, 80), drawn_weights(6, 9, 80)};
    for (const double keep : {0.0, 0.3, 0.8, 0.99, 1.0}) {
        std::vector<AttentionLine> expected;
        for (int i = 0; i < 2; ++i)
            for (int r = 0; r < 9; ++r) {
                const Matrix& m = maps[static_cast<std::size_t>(i)];
                std::vector<int> order(80);
                std::iota(order.begin(), order.end(), 0);
                std::sort(order.begin(), order.end(), [&](int a, int b) { return m(r, a) > m(r, b); });
                const double goal = keep * m.row(r).cast<double>().sum() * (1 - 1e-6);
                double reached = 0;
                for (const int c : order) {
                    if (!expected.empty() && reached > 0 && keep < 1 && reached >= goal) break;
                    reached += static_cast<double>(m(r, c));
                    expected.push_back({i, r, c, m(r, c)});
                }
            }
        const AttentionLines lines = strongest_lines(refs(maps), {.keep = keep, .most = 100000});
        EXPECT_EQ(lines.all, 2 * 9 * 80);
        EXPECT_EQ(lines.remaining, static_cast<long long>(expected.size())) << keep;
        ASSERT_EQ(lines.lines.size(), expected.size()) << keep;
        for (const AttentionLine& line : expected)
            EXPECT_NE(std::find(lines.lines.begin(), lines.lines.end(), line), lines.lines.end());
        EXPECT_TRUE(std::is_sorted(lines.lines.begin(), lines.lines.end(),
                                   [](const auto& a, const auto& b) { return a.weight < b.weight; }));
    }
    EXPECT_EQ(strongest_lines(refs(maps), {.keep = 0}).lines.size(), 18u);  // at least one line per row
}

TEST(AttentionLinesTest, KeepTheLargestAndCountTheRest) {
    const std::vector<Matrix> maps = {drawn_weights(7, 40, 50)};
    const AttentionLines some = strongest_lines(refs(maps), {.most = 25}),
                         all = strongest_lines(refs(maps), {.most = 100000});
    ASSERT_EQ(some.lines.size(), 25u);
    EXPECT_EQ(some.remaining, 2000);
    ASSERT_EQ(all.lines.size(), 2000u);
    EXPECT_TRUE(std::equal(some.lines.begin(), some.lines.end(), all.lines.end() - 25));
}

/// The caller cancels the computation.
TEST(AttentionLinesTest, AreCancelled) {
    std::stop_source stop;
    stop.request_stop();
    const std::vector<Matrix> maps = {drawn_weights(7, 40, 50)};
    EXPECT_TRUE(strongest_lines(refs(maps), {}, stop.get_token()).lines.empty());
}

TEST(AttentionLinesTest, OnlyPickedTokens) {
    const std::vector<Matrix> maps = {drawn_weights(8, 6, 6)};
    const AttentionLines lines = strongest_lines(refs(maps), {.queries = {2}, .keys = {0}});
    EXPECT_EQ(lines.lines.size(), 6u + 6u - 1u);
    for (const AttentionLine& line : lines.lines) EXPECT_TRUE(line.query == 2 || line.key == 0);
}

TEST(AttentionLinesTest, EmptyInputGivesNoLines) {
    Matrix weights = Matrix::Zero(2, 3);
    weights(1, 2) = kHeadsNan;
    const std::vector<Matrix> maps = {weights};
    const AttentionLines lines = strongest_lines(refs(maps), {});
    EXPECT_TRUE(lines.lines.empty());
    EXPECT_EQ(lines.all, 0);
}

/// Every score of every form is the sum of its products, or is marked as not being a sum.
TEST(Products, SumUpToTheScore) {
    int taken_apart = 0;
    for_each_table_document([&](const Document&, const attn::Run& run) {
        for (StepId id = 0; id < run.trace.size(); ++id) {
            const Step& step = run.trace[id];
            if (step.tag.role != Role::Scores || step.value.size() == 0) continue;
            for (Eigen::Index c = 0; c < step.value.cols(); ++c) {
                const auto products = products_behind(run.trace, {id, 0, static_cast<int>(c)});
                if (!products) continue;
                ++taken_apart;
                double sum = 0;
                for (std::size_t f = 0; f < products->products.size(); ++f) {
                    EXPECT_NEAR(
                        products->products[f],
                        static_cast<double>(products->left_values[f]) * static_cast<double>(products->right_values[f]),
                        1e-6);
                    sum +=
                        static_cast<double>(products->left_values[f]) * static_cast<double>(products->right_values[f]);
                }
                EXPECT_NEAR(products->sum, sum, 1e-9);
                if (!products->activated) {
                    EXPECT_NEAR(step.value(0, c), sum, 1e-4 * std::max(1.0, std::abs(sum)));
                }
            }
        }
    });
    EXPECT_GT(taken_apart, 1000 / table_share());
}

TEST(Products, AddedScoresAreMadeOfTanh) {
    const attn::Run run = run_valid(document_of(R"({"text": "a b c", "variant": "multi_head", "score": "additive"})"));
    const StepId scores = find_id(run.trace, {Role::Scores});
    const auto products = products_behind(run.trace, {scores, 1, 2});
    ASSERT_TRUE(products);
    EXPECT_EQ(run.trace[products->left].tag.role, Role::PairTanh);
    EXPECT_EQ(run.trace[products->right].tag.role, Role::ScoreVector);
    EXPECT_EQ(products->left_cells[0].row, 1 * 3 + 2);
}

}  // namespace
}  // namespace attn::test
