// The gradient that a document requests: that of one number against the effect of typing over, that of the loss against
// its definition, and what is refused.
#include "core/document/gradient_request.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "core/document/fields.h"
#include "tests/core/properties.h"
#include "tests/core/support.h"

namespace attn::test {
namespace {

using testing::HasSubstr;

Document asking(std::string_view of, std::string_view more = R"("variant":"multi_head","text":"the tired cat sat","weights":"random","heads":2)") {
    return document_of("{" + std::string(more) + R"(,"gradient":")" + std::string(of) + "\"}");
}

/// The requested number after another one is typed over.
double with_typed(Document doc, Tag tag, int row, int col, double value, Cell target) {
    doc.gradient.reset();
    doc.edits = {{tag, row, col, static_cast<float>(value)}};
    return static_cast<double>(run_valid(doc).trace[target.step].value(target.row, target.col));
}

double measured_slope(const Document& doc, const attn::Run& run, Tag tag, int row, int col, Cell target) {
    constexpr double kNudge = 0.02;
    const auto here = static_cast<double>(find(run.trace, tag)->value(row, col));
    return (with_typed(doc, tag, row, col, here + kNudge, target) - with_typed(doc, tag, row, col, here - kNudge, target)) / (2 * kNudge);
}

TEST(DocumentGradient, IsTheEffectOfTypingOverANumber) {
    const Document doc = asking("output,3,2");
    const attn::Run run = run_valid(doc);
    ASSERT_FALSE(run.no_gradient);
    const Cell target{find_id(run.trace, {Role::Output}), 2, 1};
    int slopes = 0;
    for (const Tag tag : {Tag{Role::Embeddings}, Tag{Role::QueryWeight}, Tag{Role::Queries, 0}, Tag{Role::Keys, 1}, Tag{Role::Scores, 0},
                          Tag{Role::Weights, 1}, Tag{Role::HeadOutput, 0}, Tag{Role::Joined}}) {
        const Step* gradient = find(run.trace, tag.of_pass(1));
        ASSERT_NE(gradient, nullptr) << step_name(tag);
        for (const auto& [row, col] : {std::pair(0, 1), std::pair(2, 0), std::pair(2, 3)}) {
            if (col >= gradient->value.cols()) continue;
            const double slope = measured_slope(doc, run, tag, row, col, target);
            EXPECT_NEAR(static_cast<double>(gradient->value(row, col)), slope, 2e-3 + 0.02 * std::abs(slope)) << step_name(tag) << ' ' << row << ' ' << col;
            slopes += std::abs(slope) > 1e-3;
        }
    }
    EXPECT_GE(slopes, 6) << "slopes that are all 0 would prove nothing";
}

TEST(DocumentGradient, FollowsTheUnchangedRun) {
    const Document doc = asking("weights.h2,1,2");
    Document plain = doc;
    plain.gradient.reset();
    const attn::Run with = run_valid(doc), without = run_valid(plain);
    ASSERT_GT(with.trace.size(), without.trace.size());
    for (StepId id = 0; id < without.trace.size(); ++id) {
        EXPECT_EQ(with.trace[id].tag, without.trace[id].tag);
        EXPECT_TRUE(with.trace[id].value.matrix() == without.trace[id].value.matrix());
    }
    for (StepId id = without.trace.size(); id < with.trace.size(); ++id) EXPECT_GT(with.trace[id].tag.pass, 0);
    for (const auto& check : {inputs_come_earlier, names_are_unique_and_read_back, every_cell_is_explained})
        EXPECT_EQ(check(with.trace), "");
}

/// A decoder over two texts predicts its own next tokens.
TEST(DocumentGradient, TheLossOfADecoderIsMinusTheLogarithmOfItsNextTokens) {
    const Document doc = asking("loss", R"("variant":"decoder","text":"good day sir","source":"the tired cat","weights":"random")");
    const attn::Run run = run_valid(doc);
    const Trace& t = run.trace;
    const Matrix& p = find(t, {Role::LossProbabilities})->value;
    ASSERT_EQ(p.rows(), 2) << "nothing comes after the last token";
    const auto word = [&](std::string_view name) {
        return std::find(t.words.begin(), t.words.end(), name) - t.words.begin();
    };
    const double loss = -(std::log(static_cast<double>(p(0, word("day")))) + std::log(static_cast<double>(p(1, word("sir"))))) / 2;
    EXPECT_NEAR(static_cast<double>(find(t, {Role::Loss})->value(0, 0)), loss, 1e-5);
    const Matrix& slope = find(t, Tag{Role::LossLogits}.of_pass(1))->value;
    for (Eigen::Index w = 0; w < p.cols(); ++w)
        EXPECT_NEAR(slope(0, w), (p(0, w) - (w == word("day") ? 1.0f : 0.0f)) / 2, 1e-6);
    const Cell target{find_id(t, {Role::Loss}), 0, 0};
    Document measured = doc;  // the loss must be in the document to be measured
    const Tag x{Role::Embeddings};
    const auto loss_at = [&](float value) {
        measured.edits = {{x, 1, 0, value}};
        return static_cast<double>(run_valid(measured).trace[target.step].value(0, 0));
    };
    const float here = find(t, x)->value(1, 0);
    EXPECT_NEAR(static_cast<double>(find(t, x.of_pass(1))->value(1, 0)), (loss_at(here + 0.02f) - loss_at(here - 0.02f)) / 0.04, 5e-3);
}

TEST(DocumentGradient, OnlyRowsWithATargetCount) {
    const Document doc = asking("loss", R"("variant":"encoder","unembedding":"tied","text":"the tired cat sat","weights":"random","target":["[PAD]","cat","[PAD]","the"])");
    const attn::Run run = run_valid(doc);
    const Matrix& p = find(run.trace, {Role::LossProbabilities})->value;
    ASSERT_EQ(p.rows(), 2);
    const Matrix& all = find(run.trace, {Role::Probabilities})->value;
    EXPECT_TRUE(p.row(0).isApprox(all.row(1)));
    EXPECT_TRUE(p.row(1).isApprox(all.row(3)));
    const Matrix& back = find(run.trace, Tag{Role::Logits}.of_pass(1))->value;
    EXPECT_EQ(back.row(0).norm(), 0);
    EXPECT_EQ(back.row(2).norm(), 0);
    EXPECT_GT(back.row(1).norm(), 0.01f);
}

TEST(DocumentGradient, TheLossOfHardAttentionIsMinusItsLowerBound) {
    const attn::Run run = run_valid(asking("loss", R"("variant":"raw","text":"the tired cat sat","selection":"hard","draws":4,"target":["cat"])"));
    EXPECT_NEAR(find(run.trace, {Role::Loss})->value(0, 0), -find(run.trace, {Role::Bound})->value.matrix().mean(), 1e-5f);
    EXPECT_NE(find(run.trace, Tag{Role::Scores}.of_pass(1)), nullptr);
}

TEST(DocumentGradient, AWhollyMaskedRowDoesNotCountInTheLoss) {
    const attn::Run run = run_valid(asking("loss", R"("variant":"raw","text":"a b c","selection":"hard","draws":4,"target":["a"],
                                                      "mask":"drawn","mask_pattern":[[1,1,1],[0,0,0],[1,0,1]])"));
    const attn::FrozenMatrix& bound = find(run.trace, {Role::Bound})->value;
    EXPECT_NEAR(find(run.trace, {Role::Loss})->value(0, 0), -(bound(0, 0) + bound(2, 0)) / 2, 1e-5f);
    const attn::Run none = run_valid(asking("loss", R"("variant":"raw","text":"a b","selection":"hard","draws":4,"target":["a"],
                                                       "mask":"drawn","mask_pattern":[[0,0],[0,0]])"));
    EXPECT_TRUE(none.no_gradient) << "no row has a loss";
}

TEST(DocumentGradient, RoundTrips) {
    for (const char* text : {"loss", "output,2,1", "weights.h2,1,3", "cross.l1.keys,4,4"}) {
        const auto request = parse_gradient(text);
        ASSERT_TRUE(request.ok()) << text;
        EXPECT_EQ(gradient_text(*request), text);
    }
    for (const char* wrong : {"", "output", "output,1", "output,0,1", "output,1,x", "nothing,1,1", "grad.output,1,1", ",1,1", "1,2"})
        EXPECT_FALSE(parse_gradient(wrong).ok()) << wrong;
    Document doc;
    EXPECT_TRUE(set_field(doc, "gradient", "output,2,1").ok());
    EXPECT_EQ(doc.gradient->row, 1);
    EXPECT_TRUE(set_field(doc, "gradient", "").ok());
    EXPECT_FALSE(doc.gradient);
}

TEST(DocumentGradient, InvalidRequestsAreReportedAndOnlyTheyAreDropped) {
    const attn::Run run = run_valid(asking("output,9,1"));
    EXPECT_TRUE(run.no_gradient);
    EXPECT_NE(find(run.trace, {Role::Output}), nullptr);
}

TEST(DocumentGradient, ALossNeedsATarget) {
    const auto why = [](std::string_view more) {
        return refusal_of("{" + std::string(more) + R"(,"gradient":"loss"})").text();
    };
    EXPECT_THAT(why(R"("variant":"multi_head","text":"a b")"), HasSubstr("gradient"));
    EXPECT_THAT(why(R"("variant":"encoder","unembedding":"tied","text":"a b")"), HasSubstr("target"));
    EXPECT_THAT(why(R"("variant":"decoder","text":"good","source":"the cat")"), HasSubstr("next token"));
    EXPECT_THAT(why(R"("variant":"encoder","unembedding":"tied","text":"a b","target":["c"])"), HasSubstr("none of the words"));
    EXPECT_TRUE(problems(asking("loss", R"("variant":"generate","text":"good day","target":["day"])")).empty());
}

/// The cost that is predicted before computing covers the reverse pass.
TEST(DocumentGradient, CostsWhatWasPredicted) {
    int cells = 0, met = 0;
    for_each_table_document([&](const Document& document, const attn::Run& plain) {
        if (met++ % 7 != 0 || plain.trace.size() == 0 || plain.trace.steps.back().value.size() == 0) return;
        Document doc = document;
        doc.gradient = GradientOf{false, plain.trace.steps.back().tag, 0, 0};
        if (!problems(doc).empty()) return;
        const attn::Run run = run_valid(doc);
        Cost taken;
        for (StepId id = 0; id < run.trace.size(); ++id) {
            taken.bytes += cost(run.trace, id).bytes;
            taken.work += cost(run.trace, id).work;
        }
        EXPECT_LE(taken.bytes, cost_of(doc).bytes) << document_to_json(doc);
        EXPECT_LE(taken.work, cost_of(doc).work) << document_to_json(doc);
        ++cells;
    });
    EXPECT_GT(cells, 20);
}

}  // namespace
}  // namespace attn::test
