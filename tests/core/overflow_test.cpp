// Numbers beyond float32: reported, never shown as a number.
#include <gtest/gtest.h>

#include <cmath>

#include "core/document/fields.h"
#include "core/ops/explain.h"
#include "tests/core/properties.h"
#include "tests/core/support.h"

namespace attn::test {
namespace {

std::optional<RowState> state(const Trace& t, std::string_view step, int row) {
    return row_state(t, find_step(t, step), row);
}

/// No step shows a finite number that was computed from an overflow: every such row is noted or contains none.
void expect_noted(const Trace& t) {
    for (StepId id = 0; id < t.size(); ++id)
        for (int row = 0; row < t[id].value.rows(); ++row) {
            const auto values = t[id].value.row(row);
            const bool sound = values.allFinite();
            const bool moved = t[id].op == Op::Transpose || t[id].op == Op::Slice || t[id].op == Op::Concat;
            if (!sound && !moved && t[id].op != Op::Mask) {
                EXPECT_EQ(row_state(t, id, row), RowState::Overflow) << step_name(t[id].tag) << " row " << row;
            }
        }
}

TEST(Overflow, VectorsOf1e25AreNotedInEveryStep) {
    for (const std::string_view form : {"raw", "multi_head"}) {
        const Document doc = numbers_document(Matrix::Constant(3, 2, 1e25f), form);
        const attn::Run run = run_valid(doc);
        const Trace& t = run.trace;
        expect_noted(t);
        for (int row = 0; row < 3; ++row)
            for (const std::string_view step : {"scores", "weights", "output"}) {
                EXPECT_EQ(state(t, step, row), RowState::Overflow) << form << " " << step << " " << row;
            }
        EXPECT_TRUE(find(t, {Role::Weights})->value.array().isNaN().all());
        EXPECT_TRUE(find(t, {Role::Output})->value.array().isNaN().all());
        EXPECT_EQ(every_cell_is_explained(t), "");
        const std::string said = explain_text(t, explain(t, {find_step(t, "weights"), 0, 0}));
        EXPECT_NE(said.find("beyond float32"), std::string::npos) << said;
    }
}

/// W_Q negates the queries, so that every score overflows to −∞: that must not count as masked.
TEST(Overflow, ToMinusInfinityIsNotAMask) {
    const attn::Run run = run_valid(document_of(R"({"X": [[1e25], [1e24]], "W_Q": [[-1]], "score": "dot"})"));
    const Trace& t = run.trace;
    for (int row = 0; row < 2; ++row) {
        EXPECT_EQ(state(t, "scores", row), RowState::Overflow);
        EXPECT_EQ(state(t, "weights", row), RowState::Overflow);
        EXPECT_EQ(state(t, "output", row), RowState::Overflow);
    }
    EXPECT_TRUE(find(t, {Role::Weights})->value.array().isNaN().all());
    EXPECT_EQ(every_cell_is_explained(t), "");
    EXPECT_EQ(every_step_computes_again(t), "");
}

/// One of two scores of the row overflows to −∞, and the mask lets it through.
TEST(Overflow, ToMinusInfinityWithAMask) {
    const attn::Run run = run_valid(document_of(
        R"({"X": [[1, 0], [0, 1]], "W_Q": [[-1e20], [1]], "W_K": [[1], [1e20]], "score": "dot", "mask": "drawn"})"));
    EXPECT_EQ(state(run.trace, "masked", 0), RowState::Overflow);
    EXPECT_EQ(state(run.trace, "weights", 0), RowState::Overflow);
    EXPECT_EQ(state(run.trace, "weights", 1), std::nullopt);
    EXPECT_EQ(every_cell_is_explained(run.trace), "");
}

/// The score that overflows is masked: the row is unaffected.
TEST(Overflow, OfAMaskedScoreLeavesTheRowUnchanged) {
    const attn::Run run = run_valid(document_of(
        R"({"X": [[1, 0], [0, 1]], "W_Q": [[1e20], [1e20]], "W_K": [[1], [1e20]], "score": "dot", "mask": "causal"})"));
    const Trace& t = run.trace;
    EXPECT_EQ(state(t, "scores", 0), RowState::Overflow);
    EXPECT_EQ(state(t, "masked", 0), std::nullopt);
    EXPECT_EQ(state(t, "weights", 0), std::nullopt);
    EXPECT_EQ(find(t, {Role::Weights})->value(0, 0), 1.0f);
    EXPECT_EQ(state(t, "weights", 1), RowState::Overflow);
    EXPECT_EQ(every_cell_is_explained(t), "");
}

TEST(Overflow, OfTheScaledScoreAlone) {
    // 1 / sqrt(1) leaves the scale unchanged, but a sum of two products may overflow where neither product does.
    const attn::Run run = run_valid(document_of(R"({"X": [[1.5e19, 1.5e19], [1, 1]]})"));
    EXPECT_EQ(state(run.trace, "scores", 0), RowState::Overflow);
    EXPECT_EQ(state(run.trace, "scaled", 0), RowState::Overflow);
    EXPECT_EQ(state(run.trace, "weights", 1), std::nullopt);
    expect_noted(run.trace);
}

/// The overflowed number can be typed over; what follows is finite again.
TEST(Overflow, IsRemovedByTypingOver) {
    Document doc = numbers_document((Matrix(1, 1) << 1e25f).finished(), "raw");
    doc.edits = {{{Role::Scores}, 0, 0, 3.0f}};
    const attn::Run run = run_valid(doc);
    EXPECT_TRUE(run.trace.notes.empty());
    EXPECT_EQ(find(run.trace, {Role::Weights})->value(0, 0), 1.0f);
    EXPECT_TRUE(std::isinf(explain(run.trace, {find_step(run.trace, "scores"), 0, 0}).computed));
}

}  // namespace
}  // namespace attn::test
