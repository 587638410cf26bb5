// What must be true of every run: over every row of every table, and over random documents.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <numeric>

#include "core/attention/forms/attention.h"
#include "core/attention/parts/score.h"
#include "core/attention/parts/selection.h"
#include "core/base/random.h"
#include "tests/core/properties.h"
#include "tests/core/support.h"

namespace attn::test {
namespace {

TEST(EveryTableRow, EarlierInputs) {
    for_each_table_document(
        [](const Document&, const attn::Run& run) { EXPECT_EQ(inputs_come_earlier(run.trace), ""); });
}

TEST(EveryTableRow, NamesRoundTrip) {
    for_each_table_document(
        [](const Document&, const attn::Run& run) { EXPECT_EQ(names_are_unique_and_read_back(run.trace), ""); });
}

TEST(EveryTableRow, Labels) {
    for_each_table_document(
        [](const Document&, const attn::Run& run) { EXPECT_EQ(every_row_and_column_has_a_label(run.trace), ""); });
}

TEST(EveryTableRow, EveryCellIsTheSumOfItsTerms) {
    for_each_table_document([](const Document& doc, const attn::Run& run) {
        if (doc.tokenizer == "bytes") return;  // many tokens, and nothing new to test
        EXPECT_EQ(every_cell_is_explained(run.trace), "");
    });
}

TEST(EveryTableRow, EveryStepComputesAgainBitForBit) {
    for_each_table_document(
        [](const Document&, const attn::Run& run) { EXPECT_EQ(every_step_computes_again(run.trace), ""); });
}

TEST(EveryTableRow, RowsAreSharesAndMaskedCellsAreZero) {
    for_each_table_document([](const Document&, const attn::Run& run) { EXPECT_EQ(rows_are_shares(run.trace), ""); });
}

TEST(EveryTableRow, TheCostIsExact) {
    for_each_table_document(
        [](const Document& doc, const attn::Run& run) { EXPECT_EQ(cost_is_exact(run, doc), ""); });
}

TEST(EveryTableRow, SameDocumentSameBits) {
    for_each_table_document([](const Document& doc, const attn::Run& run) {
        const attn::Run again = run_valid(doc);
        ASSERT_EQ(again.trace.steps.size(), run.trace.steps.size());
        for (StepId id = 0; id < run.trace.size(); ++id) {
            EXPECT_TRUE(same_bits(again.trace[id].value, run.trace[id].value)) << step_name(run.trace[id].tag);
        }
    });
}

/// Two copies of a word have the same vector; without positions also the same weight, to the last bit, and output.
TEST(EveryTableRow, TheSameWordTwiceCountsTheSame) {
    for_each_table_document([](const Document& doc, const attn::Run& run) {
        const bool ordered = doc.config.mask != "none" || doc.config.position != "none" || doc.config.scope != "global" ||
                          doc.config.selection == "hard" || score_of(doc.config) == "location";
        const Reads reads = find_form(doc.config.form)->reads;
        if (doc.tokenizer != "auto" || ordered || doc.padding > 0 || !has(reads, Reads::Order) || has(reads, Reads::Causal)) return;
        const int last = run.inputs.n() - 1;
        ASSERT_EQ(run.trace.tokens.front(), run.trace.tokens.back());
        for (const Step& step : run.trace.steps) {
            const bool all_rows = step.rows.kind == Axis::Kind::Tokens && step.value.rows() == run.inputs.n();
            if (step.tag.role == Role::Weights) {
                EXPECT_EQ(step.value.col(0), step.value.col(last)) << step_name(step.tag);
            }
            if (all_rows) {
                EXPECT_EQ(step.value.row(0), step.value.row(last)) << step_name(step.tag);
            }
        }
    });
}

std::vector<int> shuffled(int n, std::uint64_t seed) {
    std::vector<int> order(static_cast<std::size_t>(n));
    std::iota(order.begin(), order.end(), 0);
    Random random(seed);
    for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.next() % i]);
    return order;
}

/// Without positions and mask attention treats its tokens as a set: permuting them permutes the rows and changes
/// nothing else. Scores and scopes that use places depend on the order, as positions do.
TEST(Permutation, OfTokensPermutesTheOutputs) {
    constexpr int kTokens = 9;
    const std::vector<int> order = shuffled(kTokens, 3);
    const Matrix x = seeded_matrix(1, kTokens, 8);
    Matrix reordered(x.rows(), x.cols());
    for (int i = 0; i < kTokens; ++i) reordered.row(i) = x.row(order[static_cast<std::size_t>(i)]);
    int compared = 0;
    for (const Form& form : forms())
        for (const Score& score : scores())
            for (const Selection& selection : selections())
                for (const int heads : {1, 4}) {
                    if (!has(form.reads, Reads::Order) || !has(form.reads, Reads::Score) || score.id == "location" ||
                        selection.draws || (heads > 1 && !has(form.reads, Reads::Heads)))
                        continue;
                    Document doc = numbers_document(x, form.id);
                    doc.config.score = score.id;
                    doc.config.heads = heads;
                    if (has(form.reads, Reads::Selection)) doc.config.selection = selection.id;
                    if (has(form.reads, Reads::Weights)) doc.weights = "random";
                    if (!problems(doc).empty() || has(form.reads, Reads::Words)) continue;
                    SCOPED_TRACE(name_of(doc));
                    const attn::Run plain = run_valid(doc);
                    doc.given[static_cast<std::size_t>(Given::X)] = reordered;
                    const attn::Run other = run_valid(doc);
                    const Matrix& from = find(plain.trace, {Role::Output})->value;
                    Matrix expected(from.rows(), from.cols());
                    for (int i = 0; i < kTokens; ++i) expected.row(i) = from.row(order[static_cast<std::size_t>(i)]);
                    EXPECT_TRUE(close(find(other.trace, {Role::Output})->value, expected, 1e-5));
                    ++compared;
                }
    EXPECT_GE(compared, 100);
}

TEST(RandomDocuments, NothingIsWrong) {
    EXPECT_TRUE(rc::check("any document", [] {
        const Document doc = *any_document();
        const auto result = run(doc);
        RC_ASSERT(result.ok());
        RC_ASSERT(anything_wrong(doc, *result) == "");
    }));
}

TEST(RandomDocuments, NothingIsWrongWithTypedOverNumbers) {
    EXPECT_TRUE(rc::check("any document, up to four edits", [] {
        Document doc = *any_document();
        const attn::Run plain = *run(doc);
        const int edits = *rc::gen::inRange(1, 5);
        for (int i = 0; i < edits; ++i) doc.edits.push_back(*any_edit(plain));
        const auto result = run(doc);
        RC_ASSERT(result.ok());
        RC_ASSERT(result->unused_edits == 0);
        RC_ASSERT(anything_wrong(doc, *result) == "");
    }));
}

/// No weight right of the diagonal where queries and keys are one text, whatever else is chosen.
TEST(RandomDocuments, CausalNeverLooksAhead) {
    EXPECT_TRUE(rc::check("causal", [] {
        Document doc = *any_document();
        const Reads reads = find_form(doc.config.form)->reads;
        RC_PRE(has(reads, Reads::Order) && has(reads, Reads::Mask));
        doc.config.mask = "causal";
        doc.mask_pattern.resize(0, 0);
        RC_PRE(problems(doc).empty());
        const attn::Run run = run_valid(doc);
        for (const Step& step : run.trace.steps)
            for (int r = 0; step.tag.role == Role::Weights && step.rows.kind == Axis::Kind::Tokens &&
                            step.cols.kind == Axis::Kind::Tokens && r < step.value.rows();
                 ++r)
                for (int c = step.rows.first + r + 1; c < step.value.cols(); ++c) RC_ASSERT(step.value(r, c) == 0.0f);
    }));
}

}  // namespace
}  // namespace attn::test
