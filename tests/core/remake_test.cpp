// Values that a run evicts: recomputed values have the same bytes as retained ones, and the memory for them stays
// within the budget.
#include "core/remake/remake.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <thread>

#include "core/analysis/prediction.h"
#include "core/base/parallel.h"
#include "core/document/fields.h"
#include "core/ops/explain.h"
#include "core/ops/measure.h"
#include "core/ops/ops.h"
#include "places.h"
#include "tests/core/support.h"

namespace attn::test {
namespace {

const std::filesystem::path kCheckpoints = ATTN_SOURCE_DIR "/tests/data/checkpoints";

std::vector<std::string> families() {
    std::vector<std::string> out;
    for (const auto& entry : std::filesystem::directory_iterator(kCheckpoints)) out.push_back(entry.path().filename().string());
    std::sort(out.begin(), out.end());
    return out;
}

Document checkpoint_of(const std::string& family, const std::string& text, std::string more = "") {
    if (const auto picture = kCheckpoints / family / "picture.png"; std::filesystem::exists(picture)) more += ", \"picture\": \"" + picture.string() + "\"";
    const bool pair = std::filesystem::exists(kCheckpoints / family / "text.txt");  // both texts share one sequence
    if (std::filesystem::exists(kCheckpoints / family / "source.txt")) more += pair ? R"(, "source": "red hat")" : R"(, "source": "red hat ran away")";
    const auto doc = document_from_json(R"({"text": ")" + text + R"(", "tokenizer": "words", "model": ")" +
                                            (kCheckpoints / family).string() + "\"" + more + "}",
                                        "", {.folders = true});
    EXPECT_TRUE(doc) << (doc ? "" : doc.error().text());
    return doc ? *doc : Document{};
}

/// A run that evicts every value it can.
attn::Run evicting_run(const Document& doc) {
    auto made = run(doc, {}, 0);
    EXPECT_TRUE(made) << (made ? "" : made.error().text());
    return made ? std::move(*made) : attn::Run{};
}

int count_evicted(const Trace& t) {
    return static_cast<int>(std::count_if(t.steps.begin(), t.steps.end(), [](const Step& s) { return s.value.recipe() != nullptr; }));
}

/// Compares each row's state alone, before notes that wait for the whole step are made.
void expect_the_same_notes(const Trace& held, const Trace& remade, StepId id) {
    const PinScope pins;
    for (int row = 0; row < held[id].value.rows(); ++row) {
        if (row > 3 && row + 1 < held[id].value.rows() && notes_wait(remade[id].value)) continue;
        EXPECT_EQ(row_state(held, id, row), row_state(remade, id, row)) << step_name(held[id].tag) << " row " << row;
    }
    const std::vector<Note> before = notes_of(held, id), after = notes_of(remade, id);
    ASSERT_EQ(before.size(), after.size()) << step_name(held[id].tag);
    for (std::size_t i = 0; i < before.size(); ++i) {
        EXPECT_EQ(after[i].step, id);
        EXPECT_EQ(before[i].row, after[i].row);
        EXPECT_EQ(before[i].state, after[i].state);
    }
}

/// Compares all steps, bytes and notes, from the last step to the first, so that nothing is cached by chance.
void expect_the_same(const Trace& held, const Trace& remade) {
    ASSERT_EQ(held.size(), remade.size());
    for (StepId id = held.size() - 1; id >= 0; --id) {
        const PinScope pins;
        EXPECT_TRUE(same_bits(held[id].value.matrix(), remade[id].value.matrix())) << step_name(held[id].tag);
        if (remade[id].value.recipe() && remade[id].value.rows() > 0) {
            const auto last = remade[id].value.rows() - 1;
            EXPECT_TRUE(same_bits(Matrix(held[id].value.row(last)), Matrix(remade[id].value.one_row(last)))) << step_name(held[id].tag);
        }
    }
    for (StepId id = held.size() - 1; id >= 0; --id) expect_the_same_notes(held, remade, id);
}

class Remake : public testing::TestWithParam<std::string> {};

TEST_P(Remake, RecomputesEveryStepOfACheckpoint) {
    const Document doc = checkpoint_of(GetParam(), "the cat sat on cat");
    const attn::Run held = run_valid(doc), remade = evicting_run(doc);
    EXPECT_EQ(count_evicted(held.trace), 0);
    EXPECT_GT(count_evicted(remade.trace), 10);
    expect_the_same(held.trace, remade.trace);
}

INSTANTIATE_TEST_SUITE_P(Families, Remake, testing::ValuesIn(families()), [](const auto& of) {
    std::string name = of.param;
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
});

TEST(RemakeForms, RecomputesEveryStepOfEveryForm) {
    int evicted = 0;
    for_each_table_document([&](const Document& doc, const attn::Run& held) {
        const attn::Run remade = evicting_run(doc);
        evicted += count_evicted(remade.trace);
        expect_the_same(held.trace, remade.trace);
    });
    EXPECT_GT(evicted, 1000);
}

std::string long_text(int words) {
    constexpr std::array kWords = {"the", "cat", "sat", "on", "red", "hat", "ran", "away"};
    std::string out;
    for (int i = 0; i < words; ++i) out += (i == 0 ? "" : " ") + std::string(kWords[static_cast<std::size_t>(i * i + i / 3) % kWords.size()]);
    return out;
}

/// More rows than one block, on several threads and on one.
TEST(RemakeForms, RecomputesLongTextsOnAnyNumberOfThreads) {
    const Document doc = document_of(R"({"text": ")" + long_text(700) + R"(", "variant": "encoder", "heads": 2, "layers": 2, "mask": "causal"})");
    const attn::Run held = run_valid(doc);
    for (const int count : {1, 2, 3}) {
        const int before = threads();
        set_threads(count);
        expect_the_same(held.trace, evicting_run(doc).trace);
        set_threads(before);
    }
}

/// Scores beyond float32, and rows that see nothing: recomputing in blocks gives the same notes.
TEST(RemakeForms, NotesTheSameRows) {
    const Document doc = document_of(R"({"X": [[1e19, 0], [0, 1e20], [1, 1], [2, 1]], "variant": "raw", "mask": "drawn",
        "mask_pattern": [[1, 1, 1, 1], [0, 0, 0, 0], [1, 0, 1, 1], [1, 1, 1, 0]]})");
    const attn::Run held = run_valid(doc), remade = evicting_run(doc);
    EXPECT_FALSE(held.trace.notes.empty());
    EXPECT_GT(count_evicted(remade.trace), 0);
    expect_the_same(held.trace, remade.trace);
}

/// This many rows of X, a pair of numbers each, under a causal mask: blocks skip what the mask hides.
template <class Pair>
Document causal_pairs(int rows, const Pair& pair, const std::string& more = R"(, "mask": "causal")") {
    std::string x;
    for (int i = 0; i < rows; ++i) x += (i ? ", [" : "[") + pair(i) + "]";
    return document_of(R"({"variant": "raw", "X": [)" + x + "]" + more + "}");
}

/// The last key's products with all queries overflow float32, and the mask hides them from all rows but its own.
TEST(RemakeForms, NotesScoresThatAMaskHides) {
    const Document doc = causal_pairs(90, [](int i) { return i == 89 ? std::string("9e37, 0") : "10, " + std::to_string(i % 7); });
    const attn::Run held = run_valid(doc), remade = evicting_run(doc);
    EXPECT_GT(notes_of(held.trace, find_id(held.trace, {Role::Scores})).size(), 80u);
    expect_the_same(held.trace, remade.trace);
}

/// The first 32 values sum to −0 after rounding; adding 0 × a later, hidden value makes it +0.
TEST(RemakeForms, RecomputesTheSignOfZeroOfHiddenValues) {
    const Document doc = causal_pairs(90, [](int i) { return std::string(i < 32 ? "-1e-45, 0" : "1, 0"); });
    const attn::Run held = run_valid(doc), remade = evicting_run(doc);
    EXPECT_FALSE(std::signbit(find(held.trace, {Role::Output})->value(31, 0)));
    expect_the_same(held.trace, remade.trace);
}

/// Rows that see nothing, or only the first key, next to rows that see all; with a score beyond float32, or with a
/// top-k selection of what the mask has left.
TEST(RemakeForms, NotesTheSameRowsUnderAnyMask) {
    std::string pattern;
    for (int i = 0; i < 90; ++i) {
        pattern += i ? ", [" : "[";
        for (int j = 0; j < 90; ++j) pattern += std::string(j ? ", " : "") + (i % 5 == 1 ? "0" : (i % 5 == 2 ? j == 0 : j <= i + i % 3) ? "1" : "0");
        pattern += "]";
    }
    for (const auto& [large, more] : {std::pair{"1e20", ""}, {"1", ""}, {"1", R"(, "selection": "top_k", "top_k": 3)"}}) {
        const auto pair = [&, number = large](int i) { return (i == 60 ? number : std::to_string(i % 3)) + std::string(", 1"); };
        const Document doc = causal_pairs(90, pair, R"(, "mask": "drawn", "mask_pattern": [)" + pattern + "]" + more);
        const attn::Run held = run_valid(doc), remade = evicting_run(doc);
        EXPECT_GT(notes_of(held.trace, find_id(held.trace, {Role::Weights})).size(), 15u);
        expect_the_same(held.trace, remade.trace);
    }
}

/// Logits, which no other step reads, are searched for overflows on request only.
TEST(RemakeForms, NotesUnreadValuesOnRequest) {
    Document doc = checkpoint_of("gpt2", "the cat sat on cat");
    const attn::Run found = run_valid(doc);
    const Step& logits = *find(found.trace, {Role::Logits});
    for (int col = 0; col < 8; ++col) doc.edits.push_back({found.trace[logits.inputs[0]].tag, 1, col, 3e38f});
    const attn::Run held = run_valid(doc), remade = evicting_run(doc);
    const StepId id = find_id(remade.trace, {Role::Logits});
    EXPECT_TRUE(notes_wait(remade.trace[id].value));
    EXPECT_TRUE(std::none_of(remade.trace.notes.begin(), remade.trace.notes.end(), [id](const Note& note) { return note.step == id; }));
    EXPECT_EQ(row_state(remade.trace, id, 1), RowState::Overflow);
    EXPECT_EQ(row_state(remade.trace, id, 2), std::nullopt);
    ASSERT_EQ(notes_of(remade.trace, id).size(), 1u);
    expect_the_same(held.trace, remade.trace);
}

/// Products and biases that fit into float32, while their sums do not.
TEST(RemakeForms, NotesSumsThatAreComputedInPlace) {
    Document doc = checkpoint_of("gpt2", "the cat sat on cat");
    const attn::Run found = run_valid(doc);
    const Step& up = *find(found.trace, {Role::Up, kNoHead, 0});
    const Step& products = found.trace[up.inputs[0]];
    for (int col = 0; col < up.value.cols(); ++col) doc.edits.push_back({found.trace[up.inputs[1]].tag, 0, col, 3.4e38f});
    for (int col = 0; col < 4; ++col) doc.edits.push_back({found.trace[products.inputs[0]].tag, 1, col, 1e38f});
    const attn::Run held = run_valid(doc), remade = evicting_run(doc);
    EXPECT_TRUE(notes_of(held.trace, find_id(held.trace, products.tag)).empty());
    EXPECT_EQ(row_state(held.trace, find_id(held.trace, up.tag), 1), RowState::Overflow);
    EXPECT_TRUE(find(remade.trace, up.tag)->value.recipe());
    expect_the_same(held.trace, remade.trace);
}

TEST(RemakeForms, RetainsTypedOverValues) {
    Document doc = checkpoint_of("gpt2", "the cat sat on cat");
    Tag tag{Role::Weights, 1, 0};
    doc.edits.push_back({tag, 3, 1, 0.75f});
    const attn::Run held = run_valid(doc), remade = evicting_run(doc);
    const Step& step = *find(remade.trace, tag);
    EXPECT_FALSE(step.value.recipe());
    ASSERT_EQ(step.replaced.size(), 1u);
    expect_the_same(held.trace, remade.trace);
}

TEST(RemakeForms, ExplainsEvictedValues) {
    const Document doc = checkpoint_of("gemma2", "the cat sat on cat");
    const attn::Run held = run_valid(doc), remade = evicting_run(doc);
    for (StepId id = 0; id < held.trace.size(); ++id) {
        const PinScope pins;
        const Step& step = held.trace[id];
        if (step.value.size() == 0) continue;
        const Cell cell{id, static_cast<int>(step.value.rows()) - 1, static_cast<int>(step.value.cols()) / 2};
        const Explanation a = explain(held.trace, cell), b = explain(remade.trace, cell);
        EXPECT_EQ(a.terms.size(), b.terms.size()) << step_name(step.tag);
        EXPECT_TRUE(same_number(a.computed, b.computed)) << step_name(step.tag);
        EXPECT_EQ(likeliest(held.trace, id, cell.row, 3).front().id, likeliest(remade.trace, id, cell.row, 3).front().id);
    }
}

/// Explaining a probability reads one row of logits only, since there may be millions of other numbers.
TEST(RemakeForms, ExplainsOneRowOfSharesAlone) {
    const Trace t = evicting_run(checkpoint_of("gpt2", "hat ran away red")).trace;
    const StepId shares = find_id(t, {Role::Probabilities});
    ASSERT_NE(shares, kNoStep);
    const StepValue& logits = t[t[shares].inputs[0]].value;
    ASSERT_FALSE(logits.at_hand());
    const Explanation e = explain(t, {shares, 2, 3});
    EXPECT_EQ(e.terms.size(), static_cast<std::size_t>(logits.cols()));
    EXPECT_FALSE(logits.at_hand());
}

TEST(RemakeForms, ComputesGradientsOfEvictedValues) {
    Document doc = checkpoint_of("gpt2", "the cat sat on cat", R"(, "gradient": "l1.residual,3,1")");
    const attn::Run held = run_valid(doc), remade = evicting_run(doc);
    EXPECT_GT(held.trace.steps.back().tag.pass, 0) << "there is a reverse pass";
    expect_the_same(held.trace, remade.trace);
}

/// Sets the memory budget for the object's lifetime.
class Budget {
public:
    explicit Budget(double bytes) { set_memory_budget(bytes); }
    ~Budget() { set_memory_budget(before_); }

private:
    double before_ = memory_budget();
};

TEST(RemakeForms, ReadsSingleCellsAndRowsOfAHugeValue) {
    const Document doc = checkpoint_of("gpt2", "hat ran away red");
    const Trace held = run_valid(doc).trace, t = evicting_run(doc).trace;
    const Budget little(64);
    for (const Role role : {Role::Logits, Role::Probabilities}) {
        const StepId id = find_id(t, {role});
        const StepValue& value = t[id].value;
        ASSERT_TRUE(is_huge(value.size()));
        for (int again = 0; again < 2; ++again)
            for (Eigen::Index row = 0; row < value.rows(); ++row) {
                for (Eigen::Index col = 0; col < value.cols(); ++col) ASSERT_EQ(value(row, col), held[id].value(row, col));
                ASSERT_EQ(value.one_row(row), held[id].value.row(row));
            }
        EXPECT_FALSE(value.at_hand()) << role_id(role);
    }
}

TEST(RemakeForms, ReadsCellsOfALongTextByRows) {
    const Document doc = document_of(R"({"text": ")" + long_text(2100) + R"(", "mask": "causal"})");
    const Trace held = run_valid(doc).trace, t = evicting_run(doc).trace;
    const StepId id = find_id(t, {Role::Weights});
    const StepValue& value = t[id].value;
    ASSERT_NE(value.recipe(), nullptr);
    for (const Eigen::Index row : {0, 1, 1000, 2099})
        for (const Eigen::Index col : {0, 1, 999, 1000, 2099}) EXPECT_EQ(value(row, col), held[id].value(row, col)) << row << ", " << col;
    EXPECT_FALSE(value.at_hand());
}

TEST(RemakeMemory, StaysWithinTheBudget) {
    const Document doc = document_of(R"({"text": ")" + long_text(128) + R"(", "variant": "multi_head", "heads": 8})");
    const attn::Run remade = evicting_run(doc);
    constexpr double kMatrix = 128 * 128 * sizeof(float);
    const Budget budget(4 * 6.5 * kMatrix);  // a quarter is for recomputed values
    for (int round = 0; round < 2; ++round)
        for (StepId id = 0; id < remade.trace.size(); ++id) {
            const PinScope pins;
            remade.trace[id].value.matrix();
            EXPECT_LE(static_cast<double>(recomputed_bytes()), 6.5 * kMatrix);
        }
    EXPECT_GE(static_cast<double>(recomputed_bytes()), 5 * kMatrix) << "and what has room is kept";
}

/// References stay valid for the lifetime of the PinScope, whatever else is read meanwhile.
TEST(RemakeMemory, KeepsReferencesValid) {
    const Document doc = document_of(R"({"text": ")" + long_text(64) + R"(", "variant": "multi_head", "heads": 8})");
    const attn::Run held = run_valid(doc), remade = evicting_run(doc);
    const Budget budget(1);
    const PinScope pins;
    std::vector<const Matrix*> seen;
    for (const Step& step : remade.trace.steps) seen.push_back(&step.value.matrix());
    for (StepId id = 0; id < held.trace.size(); ++id)
        EXPECT_TRUE(same_bits(held.trace[id].value.matrix(), *seen[static_cast<std::size_t>(id)])) << step_name(held.trace[id].tag);
}

TEST(RemakeMemory, IsFreedWithItsRun) {
    const std::size_t before = recomputed_bytes();
    {
        const attn::Run remade = evicting_run(document_of(R"({"text": ")" + long_text(64) + R"("})"));
        const PinScope pins;
        for (const Step& step : remade.trace.steps) step.value.matrix();
        EXPECT_GT(recomputed_bytes(), before);
    }
    EXPECT_EQ(recomputed_bytes(), before);
}

/// Several threads read the same steps, each with its own PinScope, under a budget that retains nothing.
TEST(RemakeMemory, IsThreadSafe) {
    const Document doc = document_of(R"({"text": ")" + long_text(48) + R"(", "variant": "multi_head", "heads": 4})");
    const attn::Run held = run_valid(doc), remade = evicting_run(doc);
    const Budget budget(1);
    std::atomic<int> wrong = 0;
    std::vector<std::jthread> all;
    for (int i = 0; i < 4; ++i)
        all.emplace_back([&, i] {
            for (int round = 0; round < 20; ++round)
                for (StepId k = 0; k < held.trace.size(); ++k) {
                    const StepId id = (k * (2 * i + 1) + round) % held.trace.size();
                    const PinScope pins;
                    if (!same_bits(held.trace[id].value.matrix(), remade.trace[id].value.matrix())) ++wrong;
                }
        });
    all.clear();
    EXPECT_EQ(wrong, 0);
}

/// What is held of a long text is a small part of all its values.
TEST(RemakeMemory, HoldsASmallPartOfALongText) {
    const Document doc = document_of(R"({"text": ")" + long_text(512) + R"(", "variant": "encoder", "heads": 4, "layers": 2, "mask": "causal"})");
    const attn::Run made = evicting_run(doc);
    double held = 0, all = 0;
    for (StepId id = 0; id < made.trace.size(); ++id) {
        if (made.trace[id].op == Op::Input) continue;
        const double bytes = cost(made.trace, id).bytes;
        all += bytes;
        held += made.trace[id].value.recipe() ? 0 : bytes;
    }
    EXPECT_LT(held, 0.15 * all);
}

}  // namespace
}  // namespace attn::test
