// Definitions that were corrected, and the limits of a run's cost: each test here has failed once.
#include <gtest/gtest.h>

#include <cmath>

#include "core/base/progress.h"
#include "core/document/fields.h"
#include "core/kernels/kernels.h"
#include "core/ops/explain.h"
#include "core/ops/ops.h"
#include "tests/core/support.h"

namespace attn::test {
namespace {

std::optional<Error> refusal_to(std::string_view json) {
    const auto doc = document_from_json(json, "doc");
    if (!doc) return doc.error();
    return std::nullopt;
}

/// elu(x) + 1 underflows float32 below about -88; the quotient does not.
TEST(Linear, RowsAreRightIfTheFeatureMapUnderflows) {
    for (const std::string mask : {"none", "causal"}) {
        const auto run = run_valid(document_of(
            R"({"variant":"linear","tokens":["a","b"],"X":[[-60,-60],[-50,-70]],"mask":")" + mask + "\"}"));
        const Matrix& out = find(run.trace, {Role::HeadOutput})->value;
        // phi(q_2) . phi(k_j): e^-100 with itself, e^-110 with the first; and so on.
        EXPECT_NEAR(out(1, 0), mask == "none" ? -50.000454f : -50.000454f, 2e-4f) << mask;
        EXPECT_NEAR(out(1, 1), -69.99955f, 2e-4f) << mask;
        EXPECT_NEAR(out(0, 0), mask == "none" ? -50.0009f : -60.0f, 2e-4f) << mask;
        EXPECT_NEAR(out(0, 1), mask == "none" ? -69.9991f : -60.0f, 2e-4f) << mask;
    }
    // Far beyond any float, and a token whose own features underflow to 0.
    const auto far = run_valid(document_of(R"({"variant":"linear","tokens":["a","b"],"X":[[-300],[-500]],"mask":"causal"})"));
    EXPECT_FLOAT_EQ(find(far.trace, {Role::HeadOutput})->value(0, 0), -300);
    EXPECT_FLOAT_EQ(find(far.trace, {Role::HeadOutput})->value(1, 0), -300);
    EXPECT_TRUE(far.trace.notes.empty());
}

TEST(Online, AWhollyMaskedRowIsNoted) {
    const auto run = run_valid(document_of(
        R"({"variant":"online","tokens":["a","b"],"X":[[1,0],[0,1]],"mask":"drawn","mask_pattern":[[0,0],[1,1]],"tile":1})"));
    const StepId output = find_id(run.trace, {Role::HeadOutput});
    EXPECT_EQ(row_state(run.trace, output, 0), RowState::AllMasked);
    EXPECT_EQ(row_state(run.trace, output, 1), std::nullopt);
    EXPECT_EQ(explain(run.trace, {output, 0, 0}).state, RowState::AllMasked);
}

/// y_i enters the state after it: changing the last word changes no earlier state.
TEST(Bahdanau, AStateReadsThePreviousWord) {
    for (const std::string unit : {"tanh", "gru"}) {
        const std::string rest = R"(,"X_source":[[1,0],[0.5,1]],"source":"","weights":"random","unit":")" + unit + "\"}";
        const std::string begin = R"({"variant":"bahdanau","tokens":["a","b","c"],"X":[[0.3,0.1],)";
        const auto one = run_valid(document_of(begin + "[1,0],[0,1]]" + rest));
        const auto other = run_valid(document_of(begin + "[-1,2],[3,1]]" + rest));
        const auto state = [](const attn::Run& run, int time) { return find(run.trace, {Role::State, kNoHead, kNoLayer, time})->value; };
        EXPECT_EQ(state(one, 0), state(other, 0)) << unit;
        EXPECT_EQ(state(one, 1), state(other, 1)) << unit << ": the second state knows the first word only";
        EXPECT_NE(state(one, 2), state(other, 2)) << unit;
    }
}

TEST(Bahdanau, TheGatedUnitInterpolatesBetweenOldStateAndCandidate) {
    const auto run = run_valid(document_of(
        R"({"variant":"bahdanau","tokens":["a","b"],"X":[[0.3,0.1],[1,0]],"X_source":[[1,0]],"source":"","weights":"random","unit":"gru"})"));
    const auto at = [&](Role role) { return find(run.trace, {role, kNoHead, kNoLayer, 1})->value; };
    const FrozenMatrix z = at(Role::Update), s = at(Role::Queries), c = at(Role::Candidate), made = at(Role::State);
    for (Eigen::Index i = 0; i < s.size(); ++i)
        EXPECT_NEAR(made(0, i), (1 - z(0, i)) * s(0, i) + z(0, i) * c(0, i), 1e-6f);
}

TEST(Temperature, InfinityCanBeWrittenAndIsUniform) {
    const auto run = run_valid(document_of(R"({"variant":"raw","text":"a b c","temperature":"inf"})"));
    const Matrix& weights = find(run.trace, {Role::Weights})->value;
    EXPECT_TRUE((weights.array() == weights(0, 0)).all());
    Document doc;
    ASSERT_TRUE(set_field(doc, "temperature", "inf").ok());
    EXPECT_TRUE(std::isinf(doc.config.temperature));
    const auto again = document_from_json(document_to_json(doc), "doc");
    ASSERT_TRUE(again.ok()) << again.error().text();
    EXPECT_TRUE(*again == doc);
    for (const char* wrong : {"\"-inf\"", "\"nan\"", "\"infinity\"", "null", "-1"}) {
        const auto error = refusal_to(std::string("{\"temperature\":") + wrong + "}");
        ASSERT_TRUE(error) << wrong;
        EXPECT_EQ(error->key, "temperature");
    }
    EXPECT_TRUE(refusal_to(R"({"penalty":"inf"})")) << "of others a number is expected";
}

/// Temperature 0.25 is applied first and sharpens: fewer words reach p than without it.
TEST(Generate, TopPUsesTheSharesAtTheTemperature) {
    const auto kept = [](const std::string& temperature) {
        const auto run = run_valid(document_of(
            R"({"variant":"generate","text":"a b c d e f","generate":1,"choose":"sample","choose_top_p":0.9,"choose_temperature":)" +
            temperature + "}"));
        const Matrix& likely = find(run.trace, {Role::LogitsTopP, kNoHead, kNoLayer, 0})->value;
        return (likely.array() > -std::numeric_limits<float>::infinity()).count();
    };
    const auto sharp = kept("0.05"), plain = kept("1"), flat = kept("\"inf\"");
    EXPECT_LT(sharp, plain);
    EXPECT_EQ(flat, 6);
    EXPECT_EQ(kept("0"), 1);
}

TEST(Document, AFieldThatNothingReadsIsRefused) {
    for (const char* unread : {R"({"tile":3})", R"({"draws":5})", R"({"top_k":3})", R"({"window":3})", R"({"choose_top_p":0.5})",
                               R"({"choose_top_k":2})", R"({"choose_temperature":2})", R"({"global_tokens":2})",
                               R"({"relative_clip":3})", R"({"draw_seed":5})", R"({"scene_seed":5})", R"({"vector_seed":5})",
                               R"({"width":5})", R"({"rope_base":100})", R"({"epsilon":0.1})", R"({"score_width":3})",
                               R"({"unit":"gru"})", R"({"variant":"raw","head_width":3})",
                               R"({"variant":"generate","choose":"greedy","choose_top_k":2})",
                               R"({"X":[[1]],"text":"","vectors":"random"})"}) {
        const auto error = refusal_to(unread);
        ASSERT_TRUE(error) << unread;
        EXPECT_NE(error->message.find("it is read only by"), std::string::npos) << unread << error->text();
        EXPECT_NE(std::string_view(unread).find(error->key), std::string_view::npos) << unread;
    }
}

TEST(Document, AMaskIsEditedWithOnesAndZeros) {
    const auto error = refusal_to(
        R"({"mask":"causal","text":"a b","edits":[{"step":"mask_pattern","row":1,"column":2,"value":0.5}]})");
    ASSERT_TRUE(error);
    EXPECT_EQ(error->key, "edits[0].value");
    EXPECT_FALSE(refusal_to(R"({"mask":"causal","text":"a b","edits":[{"step":"mask_pattern","row":1,"column":2,"value":1}]})"));
}

std::string many_edits(int count) {
    std::string json = R"({"text":"a","edits":[)";
    for (int i = 0; i < count; ++i)
        json += (i > 0 ? "," : "") + std::string(R"({"step":"scores","row":1,"column":1,"value":1})");
    return json + "]}";
}

/// Whatever can be opened can be saved, and opened again.
TEST(Document, WhatOpensCanBeSavedAndOpenedAgain) {
    const auto error = refusal_to(many_edits(320'000));
    ASSERT_TRUE(error);
    EXPECT_EQ(error->key, "edits");
    const auto fits = document_from_json(many_edits(80'000), "doc");
    ASSERT_TRUE(fits.ok()) << fits.error().text();
    const std::string written = document_to_json(*fits);
    EXPECT_LE(written.size(), JsonLimits{}.max_bytes);
    EXPECT_TRUE(document_from_json(written, "doc").ok());
    Document bytes;  // each invalid byte is written as three
    bytes.text = std::string(6 << 20, '\xff');
    ASSERT_FALSE(problems(bytes).empty());
    EXPECT_EQ(problems(bytes).front().key, "text");
}

TEST(Document, AGivenTokenHasALimit) {
    const auto error = refusal_to(R"({"tokens":[")" + std::string(100'000, 'a') + "\"]}");
    ASSERT_TRUE(error);
    EXPECT_EQ(error->key, "tokens[0]");
    EXPECT_FALSE(refusal_to(R"({"tokens":[")" + std::string(kMaxTokenBytes, 'a') + "\"]}"));
}

/// A wrong field is dropped, the rest of the document is kept.
TEST(Document, IsReadInPart) {
    const auto read = document_from_json_in_part(
        R"({"text":"the cat","heads":"many","variant":"multi_head","nonsense":1,"mask":"causal","W_Q":[[1,2]],"temperature":2})", "last");
    ASSERT_TRUE(read.ok());
    EXPECT_EQ(read->document.text, "the cat");
    EXPECT_EQ(read->document.config.mask, "causal");
    EXPECT_EQ(read->document.config.temperature, 2);
    EXPECT_TRUE(problems(read->document).empty());
    std::vector<std::string> left;
    for (const Error& error : read->left_out) left.push_back(error.key);
    EXPECT_EQ(left, (std::vector<std::string>{"heads", "nonsense", "W_Q"}));
    EXPECT_FALSE(document_from_json_in_part("[1,2", "last").ok());
}

/// A long run is stopped in the middle, and reports progress that never goes back.
TEST(Progress, IsReportedDuringARun) {
    const Document doc = document_of(R"({"variant":"raw","selection":"hard","draws":100000,"text":"a b c d e f g h"})");
    std::vector<double> shares;
    {
        const Progress progress([&](double share) { shares.push_back(share); });
        ASSERT_TRUE(run(doc).ok());
    }
    ASSERT_GE(shares.size(), 2u);
    EXPECT_TRUE(std::is_sorted(shares.begin(), shares.end()));
    EXPECT_LE(shares.back(), 1);
    EXPECT_GE(shares.back(), 0.3);
    const std::size_t reports = shares.size();
    EXPECT_TRUE(run(doc).ok()) << "nobody listens";
    EXPECT_EQ(shares.size(), reports);
}

/// Draws use a lookup instead of a search for each, and must follow the weights.
TEST(Draws, AreTheSameShares) {
    Matrix weights(1, 4);
    weights << 0.25f, 0, 0.5f, 0.25f;
    std::array<int, 4> tally{};
    for (const int column : draws_of(weights, 0, 40000, 7)) ++tally[static_cast<std::size_t>(column)];
    EXPECT_EQ(tally[1], 0);
    EXPECT_NEAR(tally[0], 10000, 400);
    EXPECT_NEAR(tally[2], 20000, 400);
}

}  // namespace
}  // namespace attn::test
