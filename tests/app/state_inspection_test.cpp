// The inspector's derivation of a number ends in that number, for every operation, in both languages.

#include "app/explain/inspection.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/state/examples.h"
#include "tests/app/inspection_documents.h"

namespace {

using namespace app;
using namespace inspected_documents;
using attn::Cell;
using attn::Op;
using attn::Role;
using attn::StepId;

using attn::Convention;

Inspection inspected(const attn::Trace& trace, Cell cell, Language language, Convention convention = Convention::Rows) {
    return inspect(trace, cell, labels_of(trace, language), language, convention);
}

bool same(float a, float b) {
    if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
    return a == b || std::abs(a - b) <= 1e-5f * std::max(1.0f, std::abs(b));
}

TEST(Inspection, TheLineOfANumberEndsInIt) {
    for (const Fields& fields : kDocuments) {
        const attn::Run run = run_of(fields);
        for (StepId id = 0; id < run.trace.size(); ++id) {
            const attn::Matrix& value = run.trace[id].value;
            for (const Cell cell :
                 {Cell{id, 0, 0}, Cell{id, static_cast<int>(value.rows()) - 1, static_cast<int>(value.cols()) - 1}}) {
                SCOPED_TRACE(name_of(fields) + attn::step_name(run.trace[id].tag));
                const Inspection in = inspected(run.trace, cell, Language::English);
                const auto here =
                    std::count_if(in.chain.begin(), in.chain.end(), [](const ChainRow& r) { return r.here; });
                EXPECT_EQ(here, in.chain.empty() ? 0 : 1);
                for (const ChainRow& row : in.chain) {
                    EXPECT_FALSE(row.how.empty());
                    EXPECT_FALSE(std::isnan(row.value)) << row.how;
                    if (row.here) {
                        EXPECT_TRUE(same(row.value, value(cell.row, cell.col))) << row.value;
                    }
                }
            }
        }
    }
}

/// From the weights of every form back to the product, whatever lies between: nothing is left out, and their row is shown.
TEST(Inspection, AChainOfAWeightBeginsAtItsScore) {
    int checked = 0;
    for (const Fields& fields : kDocuments) {
        const attn::Run run = run_of(fields);
        for (StepId id = 0; id < run.trace.size(); ++id) {
            if (run.trace[id].tag.role != Role::Weights || run.trace[id].tag.pass != 0) continue;
            std::size_t between = 1;
            StepId from = id;
            for (; run.trace[from].tag.role != Role::Scores && run.trace[from].op != Op::Stack && !run.trace[from].inputs.empty(); ++between)
                from = run.trace[from].inputs[0];
            if (run.trace[from].tag.role != Role::Scores) continue;
            SCOPED_TRACE(name_of(fields) + attn::step_name(run.trace[id].tag));
            const Cell cell{id, static_cast<int>(run.trace[id].value.rows()) - 1, 0};
            const Inspection in = inspected(run.trace, cell, Language::English);
            EXPECT_TRUE(in.chain_of_score);
            EXPECT_GE(in.chain.size(), between);
            EXPECT_EQ(static_cast<Eigen::Index>(in.shares.size()), run.trace[id].value.cols());
            ++checked;
        }
    }
    EXPECT_GT(checked, 30);
}

TEST(Inspection, OnlyUnchangedVectorsAreCalledCompared) {
    const auto name = [](const Fields& fields) {
        const attn::Run run = run_of(fields);
        const StepId id = attn::find_step(run.trace, "keys_transposed");
        return id == attn::kNoStep ? std::string() : std::string(app::name_of(run.trace, id, Language::English));
    };
    EXPECT_EQ(name({{"variant", "raw"}}), "vectors, transposed");
    for (const Fields& keys : {Fields{{"position", "rope"}}, Fields{{"score", "cosine"}}, Fields{{"score", "dot"}},
                               Fields{{"variant", "luong"}}})
        EXPECT_EQ(name(keys), "keys, transposed") << name_of(keys);
}

/// A word that occurs twice is marked with its position; one that occurs once is not.
TEST(Inspection, EqualWordsOfARowHaveTheirPosition) {
    attn::Document document;
    document.text = "the cat the dog";
    const auto run = attn::run(document);
    ASSERT_TRUE(run);
    const Inspection in = inspected(run->trace, {attn::find_step(run->trace, "weights"), 0, 0}, Language::English);
    std::vector<std::string> names;
    for (const ShareRow& share : in.shares) names.push_back(share.name());
    EXPECT_EQ(names, (std::vector<std::string>{"the 1", "cat", "the 3", "dog"}));
}

/// 0.33 + 0.33 + 0.33 is shown as 0.99 and the sum as 1.00: a note explains this, and appears only in such cases.
TEST(Inspection, ASumOfRoundedTermsSaysSo) {
    const auto of = [](float third) {
        attn::Document document;
        document.text = "";
        attn::choose_form(document, "raw");
        attn::Matrix x(1, 3);
        x << third, third, third;
        document.given[static_cast<std::size_t>(attn::Given::X)] = x;
        const auto run = attn::run(document);
        return inspected(run->trace, {attn::find_step(run->trace, "scores"), 0, 0}, Language::English).rounded;
    };
    EXPECT_TRUE(of(std::sqrt(1.0f / 3)));
    EXPECT_FALSE(of(0.5f));
    EXPECT_TRUE(of(0.03f)) << "0.00 + 0.00 + 0.00 = 0.0027";
    EXPECT_FALSE(of(0.0f));
}

TEST(Inspection, ALocationScoreNamesNoKey) {
    attn::Document document;
    document.text = "the tired cat sat";
    document.config.score = "location";
    const auto run = attn::run(document);
    ASSERT_TRUE(run);
    const Inspection in = inspected(run->trace, {attn::find_step(run->trace, "scores"), 2, 1}, Language::English);
    ASSERT_FALSE(in.chain.empty());
    EXPECT_EQ(in.chain.front().how, "q·w");
    ASSERT_TRUE(in.geometry);
    EXPECT_EQ(in.geometry->right, "\\q w");
}

/// The drawing agrees with the text: the arrows are in the plane of the two vectors, whatever their width.
TEST(Inspection, TheArrowsHaveTheStatedAngle) {
    for (const int width : {2, 3, 64}) {
        attn::Document document;
        document.text = "the tired cat sat";
        document.config.form = "multi_head";
        document.vectors = "random";
        document.weights = "random";
        document.width = width;
        const auto run = attn::run(document);
        ASSERT_TRUE(run) << run.error().text();
        const attn::StepId scores = attn::find_step(run->trace, "scores");
        ASSERT_NE(scores, attn::kNoStep);
        for (int key = 0; key < 4; ++key) {
            const Inspection in = inspected(run->trace, {scores, 2, key}, Language::English);
            ASSERT_TRUE(in.geometry);
            const Geometry& g = *in.geometry;
            const double dot = static_cast<double>(g.a.x) * static_cast<double>(g.b.x) + static_cast<double>(g.a.y) * static_cast<double>(g.b.y);
            const double lengths = std::hypot(static_cast<double>(g.a.x), static_cast<double>(g.a.y)) * std::hypot(static_cast<double>(g.b.x), static_cast<double>(g.b.y));
            EXPECT_NEAR(dot, g.product, 1e-4 * (1 + std::abs(g.product))) << width;
            EXPECT_NEAR(std::acos(dot / lengths) * 180 / 3.14159265358979, g.degrees, 0.05) << width;
            EXPECT_EQ(g.first_feature, width == 2 ? 1 : 0);
        }
    }
}

TEST(Inspection, AScoresChainLeadsToTheUsedWeight) {
    const std::pair<Fields, Role> kLast[] = {
        {kDocuments[0], Role::Weights}, {kDocuments[2], Role::Weights}, {kDocuments[3], Role::LocalWeights},
        {kDocuments[4], Role::Weights}, {kDocuments[6], Role::Drawn},
    };
    for (const auto& [fields, last] : kLast) {
        SCOPED_TRACE(name_of(fields));
        const attn::Run run = run_of(fields);
        const StepId scores = attn::find_id(run.trace, {Role::Scores}), used = attn::find_id(run.trace, {last});
        ASSERT_NE(scores, attn::kNoStep);
        ASSERT_NE(used, attn::kNoStep);
        const Inspection in = inspected(run.trace, {scores, 2, 1}, Language::Chinese);
        ASSERT_FALSE(in.chain.empty());
        EXPECT_TRUE(in.chain_of_score);
        EXPECT_TRUE(in.chain.front().here);
        EXPECT_TRUE(same(in.chain.back().value, run.trace[used].value(2, 1)));
        // Its row of shares is that of the weights that are used.
        ASSERT_EQ(static_cast<Eigen::Index>(in.shares.size()), run.trace[used].value.cols());
        for (std::size_t j = 0; j < in.shares.size(); ++j)
            EXPECT_EQ(in.shares[j].value, run.trace[used].value(2, static_cast<Eigen::Index>(j)));
    }
}

TEST(Inspection, NormsShowMeanSpreadGainAndShift) {
    const attn::Run run = run_of({{"variant", "encoder"}});
    const auto at = std::find_if(run.trace.steps.begin(), run.trace.steps.end(),
                                 [](const attn::Step& s) { return s.op == Op::LayerNorm; });
    ASSERT_NE(at, run.trace.steps.end());
    const Inspection in =
        inspected(run.trace, {static_cast<StepId>(at - run.trace.steps.begin()), 1, 2}, Language::English);
    ASSERT_EQ(in.chain.size(), 5u);  // x, minus the mean, divided by the standard deviation, times γ, plus β
    EXPECT_NE(in.chain[3].how.find("γ"), std::string::npos);
    EXPECT_NE(in.chain[4].how.find("β"), std::string::npos);
}

TEST(Inspection, DrawsAreCountedInBothLanguages) {
    const attn::Run run = run_of(kDocuments[6]);
    const StepId drawn = attn::find_id(run.trace, {Role::Drawn});
    ASSERT_NE(drawn, attn::kNoStep);
    int all = 0;
    for (int j = 0; j < 4; ++j) {
        const Inspection english = inspected(run.trace, {drawn, 0, j}, Language::English),
                         chinese = inspected(run.trace, {drawn, 0, j}, Language::Chinese);
        const auto count = std::to_string(english.explanation.terms.size());
        EXPECT_EQ(english.chain.back().how, count + " of 7 draws");
        EXPECT_NE(chinese.chain.back().how, english.chain.back().how);
        EXPECT_NE(chinese.chain.back().how.find(count), std::string::npos);
        all += static_cast<int>(english.explanation.terms.size());
    }
    EXPECT_EQ(all, 7);
}

TEST(Inspection, ContextsShowTheWeightsThatMixedThem) {
    for (const Fields& fields : kDocuments) {
        const attn::Run run = run_of(fields);
        for (StepId id = 0; id < run.trace.size(); ++id) {
            if (run.trace[id].tag.role != Role::HeadOutput || run.trace[id].op != Op::MatMul) continue;
            SCOPED_TRACE(name_of(fields) + attn::step_name(run.trace[id].tag));
            const attn::Step& weights = run.trace[run.trace[id].inputs[0]];
            const Inspection in = inspected(run.trace, {id, 0, 0}, Language::English);
            if (weights.tag.role == Role::Weights) {
                EXPECT_EQ(static_cast<Eigen::Index>(in.shares.size()), weights.value.cols());
            }
        }
    }
}

/// If tokens are columns, the text has the same numbers: the factors of a product change places, and positions are as shown.
TEST(Inspection, ColumnsShowTheSameNumbers) {
    for (const Fields& fields : kDocuments) {
        const attn::Run run = run_of(fields);
        for (StepId id = 0; id < run.trace.size(); ++id) {
            SCOPED_TRACE(name_of(fields) + attn::step_name(run.trace[id].tag));
            const attn::Step& step = run.trace[id];
            const Cell cell{id, static_cast<int>(step.value.rows()) - 1, 0};
            const Inspection rows = inspected(run.trace, cell, Language::English),
                             columns = inspected(run.trace, cell, Language::English, Convention::Columns);
            const std::string row = std::to_string(cell.row + 1);
            EXPECT_EQ(rows.place.find("row " + row + ", column 1"), 0u) << rows.place;
            EXPECT_EQ(columns.place.find("row 1, column " + row), 0u) << columns.place;
            EXPECT_EQ(columns.row_label, rows.row_label);
            EXPECT_EQ(columns.sum, rows.sum);
            ASSERT_EQ(columns.terms.size(), rows.terms.size());
            for (std::size_t i = 0; i < rows.terms.size(); ++i) {
                const TermRow &a = rows.terms[i], &z = columns.terms[i];
                EXPECT_EQ(z.value, a.value);
                EXPECT_EQ(z.left, step.op == Op::MatMul ? a.right : a.left);
                EXPECT_EQ(z.right_hue, step.op == Op::MatMul ? a.left_hue : a.right_hue);
            }
            ASSERT_EQ(columns.chain.size(), rows.chain.size());
            for (std::size_t i = 0; i < rows.chain.size(); ++i)
                EXPECT_TRUE(same(columns.chain[i].value, rows.chain[i].value));
        }
    }
}

TEST(Inspection, TheChainBeginsAsTheFormulaHasIt) {
    const attn::Run run = run_of(kDocuments[1]);
    const StepId scores = attn::find_id(run.trace, {Role::Scores});
    const auto begins = [&](Convention convention) {
        return inspected(run.trace, {scores, 0, 0}, Language::English, convention).chain.front().how;
    };
    EXPECT_EQ(begins(Convention::Rows), "q W k");
    EXPECT_EQ(begins(Convention::Columns), "k Wᵀ q");
    const StepId weight = attn::find_id(run.trace, {Role::ScoreWeight});
    EXPECT_EQ(symbol_of(run.trace, weight, Convention::Rows), "W_a");
    EXPECT_EQ(symbol_of(run.trace, weight, Convention::Columns), "W_a^T");
}

/// Masked keys do not count for the uniform weight: row 2 of a causal mask has two keys.
TEST(Inspection, TheLargestEntropyCountsVisibleKeys) {
    attn::Document doc;
    doc.text = "a b c d";
    doc.config.mask = "causal";
    const auto run = attn::run(doc);
    ASSERT_TRUE(run);
    const StepId weights = attn::find_id(run->trace, {Role::Weights});
    EXPECT_NE(inspected(run->trace, {weights, 1, 0}, Language::English).note.find("of 0.69 nats"), std::string::npos);
    EXPECT_NE(inspected(run->trace, {weights, 3, 0}, Language::English).note.find("of 1.39 nats"), std::string::npos);
}

/// For a number between two words of which one is unknown, this note comes first; other numbers do not have it.
TEST(Inspection, NotesAnUnknownWord) {
    attn::Document document = example_document("asked").document;
    document.text = "she plays the xylophom and it sounds nice";
    const attn::Run run = *attn::run(document);
    for (const Role role : {Role::Scores, Role::Weights}) {
        const StepId id = attn::find_id(run.trace, {role, 0});
        ASSERT_NE(id, attn::kNoStep);
        for (const auto& [row, col] : {std::pair{3, 5}, {5, 3}}) {
            EXPECT_TRUE(inspected(run.trace, {id, row, col}, Language::English).note.starts_with("“xylophom” was never seen")) << row;
            EXPECT_TRUE(inspected(run.trace, {id, row, col}, Language::Chinese).note.starts_with("模型没见过“xylophom”")) << row;
        }
        EXPECT_EQ(inspected(run.trace, {id, 5, 0}, Language::English).note.find("never seen"), std::string::npos);
    }
    const StepId mixed = attn::find_id(run.trace, {Role::HeadOutput, 0});
    ASSERT_NE(mixed, attn::kNoStep);
    EXPECT_NE(inspected(run.trace, {mixed, 3, 0}, Language::English).note.find("never seen"), std::string::npos);
    EXPECT_EQ(inspected(run.trace, {mixed, 5, 0}, Language::English).note.find("never seen"), std::string::npos);
}

}  // namespace
