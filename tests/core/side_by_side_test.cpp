// Heads that are computed in parallel: the numbers and the notes on rows are those of one head after the other.
#include "core/ops/side_by_side.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>

#include "core/attention/forms/attention.h"
#include "core/base/parallel.h"
#include "core/base/progress.h"
#include "tests/core/support.h"

namespace attn::test {
namespace {

/// So many rows that the heads are worth sharing among threads.
constexpr int kRows = 300, kColumns = 24, kHeads = 3;

Document heads_of(const Form& form) {
    Document doc = numbers_document(seeded_matrix(3, kRows, kColumns), form.id);
    doc.config.heads = kHeads;
    doc.weights = "random";
    doc.config.mask = "causal";
    if (!problems(doc).empty()) doc.config.mask = "none";
    return doc;
}

/// The products of this row with all others overflow float32.
Document with_large_row(Document doc) {
    Matrix x(doc.given[static_cast<std::size_t>(Given::X)]->matrix());
    x.row(7).setConstant(3e37f);
    doc.given[static_cast<std::size_t>(Given::X)] = x;
    return doc;
}

attn::Run run_with(int count, const Document& doc, std::optional<Eigen::Index> evict_from) {
    const int before = threads();
    set_threads(count);
    auto made = run(doc, {}, evict_from);
    set_threads(before);
    EXPECT_TRUE(made) << (made ? "" : made.error().text());
    return made ? std::move(*made) : attn::Run{};
}

void expect_the_same(const Trace& alone, const Trace& shared, const std::string& what) {
    ASSERT_EQ(alone.size(), shared.size()) << what;
    EXPECT_EQ(alone.notes.size(), shared.notes.size()) << what;
    for (std::size_t i = 0; i < std::min(alone.notes.size(), shared.notes.size()); ++i) {
        const Note &a = alone.notes[i], &b = shared.notes[i];
        ASSERT_TRUE(a.step == b.step && a.row == b.row && a.state == b.state) << what << ", note " << i;
    }
    for (StepId id = 0; id < alone.size(); ++id) {
        ASSERT_EQ(alone[id].tag, shared[id].tag) << what;
        ASSERT_FALSE(shared[id].value.is_shape()) << what << ": " << step_name(shared[id].tag);
        EXPECT_TRUE(same_bits(alone[id].value, shared[id].value)) << what << ": " << step_name(shared[id].tag);
    }
}

TEST(SideBySide, EqualsSequentialComputation) {
    int compared = 0;
    for (const Form& form : forms()) {
        const Document doc = heads_of(form);
        if (!has(form.reads, Reads::Heads) || !problems(doc).empty()) continue;
        for (const std::optional<Eigen::Index> evict_from : {std::optional<Eigen::Index>{}, std::optional<Eigen::Index>{1000}}) {
            const attn::Run alone = run_with(1, doc, evict_from);
            for (const int count : {2, 3}) expect_the_same(alone.trace, run_with(count, doc, evict_from).trace, std::string(form.id));
            ++compared;
        }
    }
    EXPECT_GE(compared, 6);
}

TEST(SideBySide, HeadsThatShareKeysAreTheSame) {
    Document doc = heads_of(*find_form("multi_head"));
    doc.config.heads = 4;
    doc.config.kv_heads = 2;
    ASSERT_TRUE(problems(doc).empty());
    expect_the_same(run_with(1, doc, {}).trace, run_with(2, doc, {}).trace, "two of keys");
}

TEST(SideBySide, NotesOnRowsAreTheSameAndInOrder) {
    const Document doc = with_large_row(heads_of(*find_form("multi_head")));
    const attn::Run alone = run_with(1, doc, {}), shared = run_with(2, doc, {});
    for (int head = 0; head < kHeads; ++head)
        EXPECT_FALSE(notes_of(alone.trace, find_id(alone.trace, Tag{Role::Weights, head})).empty()) << "head " << head + 1;
    expect_the_same(alone.trace, shared.trace, "a large row");
}

TEST(SideBySide, TypedOverNumbersApply) {
    Document doc = heads_of(*find_form("multi_head"));
    doc.edits.push_back({Tag{Role::Weights, 1}, 3, 1, 0.75f});
    const attn::Run alone = run_with(1, doc, {}), shared = run_with(2, doc, {});
    EXPECT_EQ(find(shared.trace, Tag{Role::Weights, 1})->replaced.size(), 1u);
    expect_the_same(alone.trace, shared.trace, "typed over");
}

TEST(SideBySide, ReportsItsProgress) {
    const Document doc = heads_of(*find_form("multi_head"));
    double last = 0;
    const Progress listens([&](double share) {
        EXPECT_GE(share, last);
        last = share;
    });
    run_with(2, doc, {});
    EXPECT_GT(last, 0.98);
}

}  // namespace
}  // namespace attn::test
