// Typed-over numbers: the cell is what was typed, everything after it follows, and the explanation says so.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "core/document/fields.h"
#include "core/ops/explain.h"
#include "core/ops/ops.h"
#include "tests/core/support.h"

namespace attn::test {
namespace {

StepId id_of(const attn::Run& run, const Edit& edit) { return find_id(run.trace, edit.tag); }

/// Rows of the edited step that the edit does not affect: a recurrence continues from the typed state.
bool is_untouched(const Step& step, int edited_row, Eigen::Index row) {
    if (step.op != Op::Recur || row == edited_row) return true;
    return step.as<RecurParams>().backward ? row > edited_row : row < edited_row;
}

TEST(Edits, AnyCellCanBeTypedOverAndIsExplained) {
    EXPECT_TRUE(rc::check("one edit", [] {
        Document doc = *any_document();
        const attn::Run plain = *run(doc);
        const Edit edit = *any_edit(plain);
        doc.edits = {edit};
        const attn::Run edited = *run(doc);
        const Cell cell{id_of(plain, edit), edit.row, edit.col};
        RC_ASSERT(edited.trace[cell.step].value(cell.row, cell.col) == edit.value);
        const Explanation e = explain(edited.trace, cell);
        RC_ASSERT(e.edited && e.result == edit.value);
        RC_ASSERT(same_number(e.computed, plain.trace[cell.step].value(cell.row, cell.col)));
        RC_ASSERT(explain_text(edited.trace, e).find("typed over by hand") != std::string::npos);
        // The rest of the step and all earlier steps are unchanged.
        Matrix restored(edited.trace[cell.step].value);
        restored(cell.row, cell.col) = e.computed;
        for (Eigen::Index row = 0; row < restored.rows(); ++row)
            RC_ASSERT(!is_untouched(edited.trace[cell.step], cell.row, row) ||
                      same_bits(restored.row(row), plain.trace[cell.step].value.row(row)));
        for (StepId id = 0; id < cell.step; ++id) RC_ASSERT(same_bits(edited.trace[id].value, plain.trace[id].value));
    }));
}

/// Everything after the edit is computed from the typed value, as if it had been computed.
TEST(Edits, EverythingAfterIsRecomputed) {
    EXPECT_TRUE(rc::check("one edit", [] {
        Document doc = *any_document();
        const attn::Run plain = *run(doc);
        const Edit edit = *any_edit(plain);
        doc.edits = {edit};
        const attn::Run edited = *run(doc);
        Trace follows = plain.trace;
        follows.edits = doc.edits;
        const StepId at = id_of(plain, edit);
        Step& typed = follows.steps[static_cast<std::size_t>(at)];
        if (typed.op == Op::Recur) typed.value = compute(follows, typed);
        Matrix with_edit(typed.value);
        with_edit(edit.row, edit.col) = edit.value;
        typed.value = with_edit;
        for (StepId id = at + 1; id < follows.size(); ++id) {
            Step& step = follows.steps[static_cast<std::size_t>(id)];
            step.value = compute(follows, step);
            RC_ASSERT(same_bits(step.value, edited.trace[id].value));
        }
    }));
}

/// Typing over a number of a given matrix equals giving the matrix with that number.
TEST(Edits, OfAGivenMatrixEqualThatMatrixGiven) {
    EXPECT_TRUE(rc::check("X", [] {
        Document doc = *any_document();
        // The words of a prediction take their vectors from X, too.
        RC_PRE(!has(find_form(doc.config.form)->reads, Reads::Words));
        Matrix x(*doc.matrix(Given::X));
        Edit edit{{Role::Embeddings}};
        edit.row = *rc::gen::inRange(0, static_cast<int>(x.rows()));
        edit.col = *rc::gen::inRange(0, static_cast<int>(x.cols()));
        edit.value = 0.75f;
        Document typed = doc;
        typed.edits = {edit};
        x(edit.row, edit.col) = edit.value;
        doc.given[static_cast<std::size_t>(Given::X)] = x;
        const attn::Run given_so = *run(doc), typed_over = *run(typed);
        RC_ASSERT(given_so.trace.size() == typed_over.trace.size());
        for (StepId id = 0; id < given_so.trace.size(); ++id)
            RC_ASSERT(same_bits(given_so.trace[id].value, typed_over.trace[id].value));
    }));
}

TEST(Edits, TheLastOfTwoOnOneCellCounts) {
    Document doc;
    doc.edits = {{{Role::Scaled}, 0, 1, 5.0f}, {{Role::Scaled}, 0, 1, 6.0f}};
    const attn::Run plain = run_valid({}), run = run_valid(doc);
    const Explanation e = explain(run.trace, {find_step(run.trace, "scaled"), 0, 1});
    EXPECT_EQ(e.result, 6.0f);
    EXPECT_EQ(e.computed, find(plain.trace, {Role::Scaled})->value(0, 1));
}

TEST(Edits, OfMissingStepsAreCountedAndChangeNothing) {
    Document doc;
    doc.edits = {{{Role::Weights, 3}, 0, 0, 1.0f}, {{Role::Scores}, 99, 0, 1.0f}, {{Role::Scores}, 0, 99, 1.0f}};
    const attn::Run plain = run_valid({}), run = run_valid(doc);
    EXPECT_EQ(run.unused_edits, 3);
    for (StepId id = 0; id < plain.trace.size(); ++id)
        EXPECT_TRUE(same_bits(plain.trace[id].value, run.trace[id].value));
}

/// A 0 in the pattern hides a key from the row, in every head.
TEST(Edits, OfTheMaskPatternMaskEveryHead) {
    const attn::Run run = run_valid(document_of(
        R"({"mask": "causal", "heads": 2, "edits": [{"step": "mask_pattern", "row": 3, "column": 1, "value": 0}]})"));
    for (const int head : {0, 1}) EXPECT_EQ(find(run.trace, {Role::Weights, head})->value(2, 0), 0.0f);
}

TEST(Edits, AScoreTypedOverAMaskedPositionCounts) {
    const attn::Run run = run_valid(
        document_of(R"({"mask": "causal", "edits": [{"step": "masked", "row": 1, "column": 2, "value": 50}]})"));
    EXPECT_NEAR(find(run.trace, {Role::Weights})->value(0, 1), 1.0f, 1e-6f);
}

TEST(Edits, ARecurrenceContinuesFromTheTypedState) {
    const std::string document = R"({"variant": "bahdanau", "text": "a b", "source": "x y z", "weights": "random")";
    const attn::Run plain = run_valid(document_of(document + "}")),
                    run = run_valid(document_of(document + R"(, "edits": [{"step": "source.states", "row": 1, "column": 1,
                                                               "value": 0.9}]})"));
    const StepId states = find_step(run.trace, "source.states");
    ASSERT_NE(states, kNoStep);
    EXPECT_EQ(run.trace[states].value(0, 0), 0.9f);
    for (const Eigen::Index row : {1, 2})
        EXPECT_FALSE(same_bits(run.trace[states].value.row(row), plain.trace[states].value.row(row))) << row;
}

}  // namespace
}  // namespace attn::test
