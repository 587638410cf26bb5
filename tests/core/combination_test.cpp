// Every form with every score, mask and position: compatible choices are computed and checked, incompatible ones are
// refused with both names. There is one test per form and score, over all masks and positions: one process for each
// cell of the whole table would take minutes to start; a failure names its cell ("multi_head_additive_causal_rope").
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <set>

#include "core/attention/forms/attention.h"
#include "core/attention/parts/mask.h"
#include "core/attention/parts/position.h"
#include "core/attention/parts/scope.h"
#include "core/attention/parts/score.h"
#include "core/attention/parts/selection.h"
#include "core/document/fields.h"
#include "tests/core/properties.h"
#include "tests/core/support.h"

namespace attn::test {
namespace {

using Ids = std::set<std::string_view>;

constexpr int kWords = 5;
constexpr int kCombinedWidth = 12;
constexpr int kPadding = 2;

// The rules again, written from the definitions: problems() must agree with them.
const Ids kInnerProducts = {"dot", "scaled_dot", "general", "cosine"};
const Ids kTurning = {"rope", "rope_half"};
const Ids kTellsDistance = {"rope", "rope_half", "alibi", "relative", "relative_bias"};
const Ids kSharesDistances = {"dot", "scaled_dot"};
const Ids kComparesPlaces = {"causal", "sliding_window", "global_window"};

const Ids kReadsTwoWays = {"dot", "scaled_dot", "cosine", "gat"};  // need keys as wide as the query
const Ids kRecurrent = {"bahdanau", "luong"};

/// Two incompatible choices: the field that the error names, its choice, and the other choice.
struct Clash {
    std::string_view key, id, other;
    bool own = false;  ///< the form itself refuses it, and the error names the field's choice alone
};

bool uses(const Document& doc, Reads use) { return has(find_form(doc.config.form)->reads, use); }

/// The restrictions of single forms.
void add_own_clashes(const AttentionConfig& c, std::vector<Clash>& out) {
    const std::string_view score = score_of(c);
    if (c.form == "bahdanau" && kReadsTwoWays.contains(score)) out.push_back({"score", score, c.form, true});
    if (c.form == "online" && !kSharesDistances.contains(score)) out.push_back({"score", score, c.form, true});
    if (c.form == "online" && c.position == "relative") out.push_back({"position", c.position, c.form, true});
    if (c.form != "generate") return;
    if (c.mask == "padding" || c.mask == "drawn") out.push_back({"mask", c.mask, c.form, true});
    if (score == "location") out.push_back({"score", score, c.form, true});
    if (c.penalty != 0) out.push_back({"penalty", "", c.form, true});
}

std::vector<Clash> clashes(const Document& doc) {
    const AttentionConfig& c = doc.config;
    const bool two = !uses(doc, Reads::Order);
    const std::string_view score = score_of(c);
    std::vector<Clash> out;
    if (kRecurrent.contains(c.form) && c.position != "none")
        out.push_back({"position", c.position, c.form, true});
    add_own_clashes(c, out);
    if (two && kTellsDistance.contains(c.position)) out.push_back({"position", c.position, c.form});
    if (two && kComparesPlaces.contains(c.mask)) out.push_back({"mask", c.mask, c.form});
    if (kTurning.contains(c.position) && !kInnerProducts.contains(score))
        out.push_back({"position", c.position, score});
    if (c.position == "relative" && !kSharesDistances.contains(score)) out.push_back({"position", c.position, score});
    if (c.position == "alibi" && !std::has_single_bit(static_cast<unsigned>(c.heads)))
        out.push_back({"position", c.position, "heads"});
    if (out.empty() && kTurning.contains(c.position) && kCombinedWidth / c.heads % 2 != 0)
        out.push_back({"position", c.position, "heads"});
    if (c.selection == "hard" && c.scope == "local_p") out.push_back({"selection", c.selection, c.scope});
    return out;
}

/// Every refusal is a known clash, every clash is refused, and the message has both names.
void expect_refused(const Document& doc, const std::vector<Clash>& expected) {
    const std::vector<Error> wrong = problems(doc);
    const auto named = [&](const Clash& clash) {
        return std::any_of(wrong.begin(), wrong.end(), [&](const Error& error) {
            const bool both = clash.own || error.message.find(clash.id) != std::string::npos;
            return error.key == clash.key && both && error.message.find(clash.other) != std::string::npos;
        });
    };
    const auto own = [](const Clash& clash) { return clash.own; };
    if (std::any_of(expected.begin(), expected.end(), own)) {
        EXPECT_TRUE(std::any_of(expected.begin(), expected.end(), [&](const Clash& c) { return c.own && named(c); }));
    }
    for (const Error& error : wrong)
        EXPECT_TRUE(std::any_of(expected.begin(), expected.end(), [&](const Clash& c) { return c.key == error.key; }))
            << error.text();
    for (const Clash& clash : expected)
        EXPECT_TRUE(clash.own || named(clash))
            << clash.key << " \"" << clash.id << "\" with " << clash.other << " is not refused with both names";
}

/// Five words, of a width that 1, 2, 3, 4 and 6 heads can share; the second text has other words. The temperature is
/// high enough that every visible key has a weight above 0.
Document five_words(const Form& form, std::vector<std::string> words = {"a", "b", "c", "d", "e"}) {
    Document doc;
    doc.tokens = std::move(words);
    doc.source = "uno dos tres cuatro";
    doc.vectors = "random";
    doc.width = kCombinedWidth;
    doc.config.form = form.id;
    if (has(form.reads, Reads::Temperature)) doc.config.temperature = 5;
    if (has(form.reads, Reads::Heads)) doc.config.heads = 2;
    if (has(form.reads, Reads::Blocks)) doc.config.ffn_width = 6;
    if (has(form.reads, Reads::Generate)) doc.config.generate = 2;
    return doc;
}

void finish_combined(Document& doc) {
    if (find_field("weights")->is_read(doc)) doc.weights = "random";
    if (doc.config.mask == "padding") doc.padding = kPadding;
    if (doc.config.position == "relative_bias") doc.config.bias_buckets = 6, doc.config.bias_distance = 5;  // few to explain
    if (doc.config.mask != "drawn") return;
    const Sizes s = sizes_of(doc);
    doc.mask_pattern = (seeded_matrix(5, s.n, uses(doc, Reads::Order) ? s.n : s.m).array() > -0.3f).cast<float>();
    doc.mask_pattern.row(1).setZero();
}

/// What each mask hides, written again from its definition.
bool hidden(const Document& doc, int query, int key, int keys) {
    const AttentionConfig& c = doc.config;
    if (c.mask == "causal") return key > query;
    if (c.mask == "padding") return key >= keys - kPadding;
    if (c.mask == "sliding_window") return key > query || key < query - c.window;
    if (c.mask == "global_window")
        return std::abs(query - key) > c.window && query >= c.global_tokens && key >= c.global_tokens;
    return c.mask == "drawn" && doc.mask_pattern(query, key) == 0.0f;
}

/// The same for one cell of one attention: where a model has several, the mask applies to one of them.
bool hidden_in(const Document& doc, const Step& step, int row, int col) {
    const bool from_source = step.rows.kind == Axis::Kind::SourceTokens,
               to_source = step.cols.kind == Axis::Kind::SourceTokens;
    const int query = step.rows.first + row, key = step.cols.first + col;
    const Sizes s = sizes_of(doc);
    const bool one_text = !from_source && !to_source;
    if (uses(doc, Reads::Causal) && one_text && key > query) return true;
    const bool several = uses(doc, Reads::Source) && uses(doc, Reads::Order);
    const bool masked = !several || (doc.config.mask == "padding" ? to_source : one_text);
    return masked && hidden(doc, query, key, to_source ? s.m : s.n);
}

/// Checks the weights or, for online softmax, the exponentials of a tile.
void expect_masked_cells_weigh_nothing(const Document& doc, const attn::Run& run) {
    int looked = 0;
    for (const Step& step : run.trace.steps) {
        if (step.tag.role != Role::Weights && step.tag.role != Role::Shifted) continue;
        ++looked;
        for (int i = 0; i < static_cast<int>(step.value.rows()); ++i)
            for (int j = 0; j < static_cast<int>(step.value.cols()); ++j)
                EXPECT_EQ(step.value(i, j) == 0.0f, hidden_in(doc, step, i, j))
                    << step_name(step.tag) << "[" << i << ", " << j << "] is " << step.value(i, j);
    }
    EXPECT_GE(looked, doc.config.heads);
}

/// Whether the order of the words matters. Padding does not count: it hides the same last keys from every query.
bool knows_order(const Document& doc) {
    return doc.config.position != "none" || (doc.config.mask != "none" && doc.config.mask != "padding") ||
           score_of(doc.config) == "location";
}

/// Reordered words give the same outputs, reordered, if and only if nothing depends on their order.
void expect_a_set_unless_ordered(const Document& doc, const attn::Run& run) {
    constexpr std::array kOrder = {2, 0, 4, 1, 3};
    Document other = doc;
    for (std::size_t i = 0; i < kOrder.size(); ++i) other.tokens[i] = doc.tokens[static_cast<std::size_t>(kOrder[i])];
    const Matrix from = find(run.trace, {Role::Output})->value.topRows(kWords);
    const Matrix to = find(run_valid(other).trace, {Role::Output})->value.topRows(kWords);
    Matrix expected(from.rows(), from.cols());
    for (int i = 0; i < kWords; ++i) expected.row(i) = from.row(kOrder[static_cast<std::size_t>(i)]);
    // With two texts the order of the queries matters only to positions added to them, or to a mask drawn by place.
    const bool two = !uses(doc, Reads::Order),
               walks = kRecurrent.contains(doc.config.form) || uses(doc, Reads::Causal);
    const bool ordered = walks || (two ? doc.config.position != "none" || doc.config.mask == "drawn" : knows_order(doc));
    EXPECT_EQ(static_cast<bool>(close(to, expected, 1e-5)), !ordered);
}

void check(const Document& doc) {
    const std::vector<Clash> expected = clashes(doc);
    expect_refused(doc, expected);
    if (!expected.empty() || testing::Test::HasFailure()) return;
    const attn::Run run = run_valid(doc);
    EXPECT_EQ(anything_wrong(doc, run), "");
    expect_masked_cells_weigh_nothing(doc, run);
    expect_a_set_unless_ordered(doc, run);
}

/// A form that compares by scores, and one of its scores.
struct Pair {
    const Form* form;
    const Score* score;
};

std::vector<Pair> pairs() {
    std::vector<Pair> out;
    for (const Form& form : forms())
        for (const Score& score : scores()) {
            if (has(form.reads, Reads::Score)) out.push_back({&form, &score});
        }
    return out;
}

std::string pair_name(const Pair& pair) { return fmt::format("{}_{}", pair.form->id, pair.score->id); }

void PrintTo(const Pair& pair, std::ostream* out) { *out << pair_name(pair); }

class Combination : public testing::TestWithParam<Pair> {};

TEST_P(Combination, WithEveryMaskAndPosition) {
    test_support::TableShare share(pair_name(GetParam()).size());
    for (const Mask& mask : masks())
        for (const Position& position : positions()) {
            if (!share.takes_next()) continue;
            SCOPED_TRACE(fmt::format("{}_{}_{}", pair_name(GetParam()), mask.id, position.id));
            Document doc = five_words(*GetParam().form);
            doc.config.score = GetParam().score->id;
            doc.config.mask = mask.id;
            doc.config.position = position.id;
            finish_combined(doc);
            check(doc);
            if (HasFailure()) return;  // one cell is enough to read
        }
}

INSTANTIATE_TEST_SUITE_P(Tables, Combination, testing::ValuesIn(pairs()),
                         [](const auto& instance) { return pair_name(instance.param); });

TEST(Combinations, AreThoseOfTheTables) {
    EXPECT_GE(pairs().size(), 10 * scores().size()) << "all forms but linear attention compare by scores";
}

/// Slopes need a power of two as number of heads, pairs of features an even width.
TEST(Combinations, OfPositionsWithNumbersOfHeads) {
    int refused = 0, taken = 0;
    for (const Pair& pair : pairs())
        for (const Position& position : positions())
            for (const int heads : {1, 3, 4, 6}) {
                if (pair.score->id != "scaled_dot" || kRecurrent.contains(pair.form->id) ||
                    (heads > 1 && !has(pair.form->reads, Reads::Heads)))
                    continue;
                SCOPED_TRACE(fmt::format("{}_{}_{}_heads", pair.form->id, position.id, heads));
                Document doc = five_words(*pair.form);
                doc.config.position = position.id;
                doc.config.heads = heads;
                finish_combined(doc);
                (clashes(doc).empty() ? taken : refused) += 1;
                check(doc);
                if (HasFailure()) return;
            }
    EXPECT_GT(refused, 10);
    EXPECT_GT(taken, 50);
}

/// Scopes, selections, the gate and the penalty, with a mask as well; each form with its own score.
TEST(Combinations, OfScopesSelectionsAndGates) {
    test_support::TableShare share(0);
    for (const Form& form : forms())
        for (const Scope& scope : scopes())
            for (const Selection& selection : selections())
                for (const std::string_view gate : {"none", "sigmoid"})
                    for (const std::string_view mask : {"none", "drawn"}) {
                        if (!has(form.reads, Reads::Selection) || !has(form.reads, Reads::Scope) || !share.takes_next()) continue;
                        SCOPED_TRACE(fmt::format("{}_{}_{}_{}_{}", form.id, scope.id, selection.id, gate, mask));
                        Document doc = five_words(form);
                        doc.config.scope = scope.id;
                        doc.config.selection = selection.id;
                        doc.config.gate = gate;
                        doc.config.mask = mask;
                        if (selection.draws) doc.config.draws = 9;
                        if (gate != "none") doc.config.penalty = 0.5f;
                        finish_combined(doc);
                        const std::vector<Clash> expected = clashes(doc);
                        expect_refused(doc, expected);
                        if (!expected.empty()) continue;
                        EXPECT_EQ(anything_wrong(doc, run_valid(doc)), "");
                        if (HasFailure()) return;
                    }
}

/// Linear attention has no scores: it supports only the causal mask, and only positions that are added to the inputs.
TEST(Combinations, OfLinearAttention) {
    const Form& linear = *find_form("linear");
    for (const Mask& mask : masks())
        for (const Position& position : positions()) {
            SCOPED_TRACE(fmt::format("linear_{}_{}", mask.id, position.id));
            Document doc = five_words(linear);
            doc.config.mask = mask.id;
            doc.config.position = position.id;
            finish_combined(doc);
            std::vector<Clash> expected;
            if (mask.id != "none" && mask.id != "causal") expected.push_back({"mask", mask.id, "linear", true});
            if (kTellsDistance.contains(position.id)) expected.push_back({"position", position.id, "linear", true});
            expect_refused(doc, expected);
            if (!expected.empty()) continue;
            const attn::Run run = run_valid(doc);
            EXPECT_EQ(anything_wrong(doc, run), "");
            expect_a_set_unless_ordered(doc, run);
            if (HasFailure()) return;
        }
}

}  // namespace
}  // namespace attn::test
