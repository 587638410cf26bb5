// The heads of long texts: computed on a thread, shown in place, and combined.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "app/screens/compare/comparison.h"
#include "app/screens/heads/heads.h"
#include "core/remake/remake.h"
#include "tests/app/state_fixture.h"

namespace app {
namespace {

using app_test::Bench;
using attn::Role;

attn::Document long_document() {
    constexpr std::string_view kWords[] = {"the ", "tired ", "cat ", "sat ", "down ", "slept ", "warm "};
    attn::Document doc = app_test::large_document();
    doc.text.clear();
    for (std::size_t i = 0; i < 400; ++i) doc.text += kWords[i * i % std::size(kWords)];
    doc.config.heads = 2;
    return doc;
}

class LongHeads : public testing::Test {
protected:
    void show(std::string_view page) {
        choose([&](HeadsChoice& h) { h.page = page; });
        finish();
        ASSERT_TRUE(data().here());
    }
    template <class Change>
    void choose(Change change) {
        ViewState view = b_.view();
        view.screen = Screen::Heads;
        change(view.part<HeadsChoice>());
        b_.act(becomes(view));
    }
    void finish() { b_.deriver.finish(b_.state, b_.derived); }
    const HeadsData& data() { return b_.derived.part<HeadsData>(); }
    const attn::Trace& trace() { return b_.derived.run->trace; }

    Bench b_{long_document()};
};

TEST_F(LongHeads, AreComputedOnAThread) {
    choose([](HeadsChoice& h) { h.page = "lines"; });
    EXPECT_TRUE(data().computing);
    EXPECT_EQ(data().here(), nullptr);
    EXPECT_TRUE(b_.deriver.busy() || b_.deriver.ready());
    finish();
    EXPECT_FALSE(data().computing);
    EXPECT_FALSE(b_.deriver.busy());
    ASSERT_EQ(data().drawn.size(), 2u);
    for (int head = 0; head < 2; ++head)
        EXPECT_EQ(data().drawn[static_cast<std::size_t>(head)].weights->data(),
                  attn::find(trace(), {Role::Weights, head})->value.data())
            << "copied";
    EXPECT_FALSE(data().lines.lines.empty());
}

/// Until the other page is ready, the current page keeps its name.
TEST_F(LongHeads, APageStaysUntilTheNextIsReady) {
    show("lines");
    choose([](HeadsChoice& h) { h.page = "grid"; });
    EXPECT_EQ(data().page, "lines");
    EXPECT_FALSE(data().drawn.empty());
    finish();
    EXPECT_EQ(data().page, "grid");
    EXPECT_TRUE(data().here()->average && data().here()->largest && data().here()->strongest);
}

TEST_F(LongHeads, TheNewestChoiceCounts) {
    show("lines");
    choose([](HeadsChoice& h) { h.hide_first = true; });
    choose([](HeadsChoice& h) { h.keep = 0.5f; });
    finish();
    EXPECT_TRUE(std::isnan((*data().weights[0])(5, 0)));
    EXPECT_LT(data().lines.remaining, data().lines.all);
}

TEST_F(LongHeads, AnotherRunDropsEverything) {
    show("lines");
    attn::Document other = long_document();
    other.weight_seed = 77;
    b_.edit(other);
    while (!b_.deriver.ready()) std::this_thread::yield();
    b_.deriver.refresh(b_.state, b_.derived);
    EXPECT_EQ(data().here(), nullptr);
    finish();
    ASSERT_TRUE(data().here());
    EXPECT_EQ(data().weights[0].get(), attn::find(trace(), {Role::Weights, 0})->value.held().get());
}

TEST_F(LongHeads, EveryPageIsComputed) {
    for (const std::string_view page : kHeadsPages) show(page);
    EXPECT_NE(data().plane.queries, attn::kNoStep);
    choose([](HeadsChoice& h) { h.page = "neuron"; });
    finish();
    EXPECT_EQ(data().neuron.rows.size(), 400u);
}

/// Each block of each level has the head with the largest weight in it, and that weight.
TEST_F(LongHeads, TheStrongestOfEveryBlock) {
    show("grid");
    const HeadsPlace& place = *data().here();
    const std::vector<const attn::Matrix*> maps = data().of_place(place);
    ASSERT_GT(place.strongest->size(), 3u);
    for (const StrongestLevel& level : *place.strongest)
        for (int r = 0; r < level.code.rows(); r += 7)
            for (int c = 0; c < level.code.cols(); c += 5) {
                float best = 0;
                int who = -1;
                const int last_row = std::min((r + 1) * level.block, 400),
                          last_col = std::min((c + 1) * level.block, 400);
                for (int i = 0; i < 2; ++i)
                    for (int y = r * level.block; y < last_row; ++y)
                        for (int x = c * level.block; x < last_col; ++x)
                            if (const float w = (*maps[static_cast<std::size_t>(i)])(y, x); w > best) {
                                best = w;
                                who = i;
                            }
                const float share = std::min(1.0f, best / place.spread.colored());
                EXPECT_EQ(StrongestLevel::head_of(level.code(r, c)), who) << level.block;
                EXPECT_NEAR(StrongestLevel::share_of(level.code(r, c)), share, 1e-4);
            }
}

/// Three layers of four heads over a text so long that a single map is large.
class VeryLongHeads : public testing::Test {
protected:
    static constexpr int kTokens = 1100, kHeads = 4, kLayers = 3;
    static constexpr std::size_t kMap = std::size_t{kTokens} * kTokens;

    VeryLongHeads() : b_(document()) { budget_ = attn::memory_budget(); }
    ~VeryLongHeads() override { attn::set_memory_budget(budget_); }

    static attn::Document document() {
        constexpr std::string_view kWords[] = {"the ", "tired ", "cat ", "sat ", "down ", "slept ", "warm "};
        attn::Document doc = app_test::document_of("", kHeads);
        for (std::size_t i = 0; i < kTokens; ++i) doc.text += kWords[i * i % std::size(kWords)];
        doc.config.form = "encoder";
        doc.config.layers = kLayers;
        return doc;
    }
    template <class Change>
    void choose(Change change) {
        ViewState view = b_.view();
        view.screen = Screen::Heads;
        change(view);
        b_.act(becomes(view));
        b_.deriver.finish(b_.state, b_.derived);
    }
    void show(std::string_view page) {
        choose([&](ViewState& v) { v.part<HeadsChoice>().page = page; });
    }
    const HeadsData& data() { return b_.derived.part<HeadsData>(); }
    /// The maps that are stored whole.
    std::vector<int> whole() {
        std::vector<int> out;
        for (std::size_t i = 0; i < data().weights.size(); ++i)
            if (data().weights[i]) out.push_back(static_cast<int>(i));
        return out;
    }
    const attn::Matrix& map(int layer, int head) { return attn::find(b_.derived.run->trace, {Role::Weights, head, layer})->value; }

    Bench b_;
    double budget_ = 0;
};

/// The grid shows every head and stores the full matrix of one; those of the others are pooled.
TEST_F(VeryLongHeads, TheGridHoldsTheSelectedMap) {
    show("grid");
    ASSERT_EQ(data().maps.size(), static_cast<std::size_t>(kHeads * kLayers));
    EXPECT_EQ(whole(), std::vector<int>{0});
    for (const HeadsPlace& place : data().places) {
        EXPECT_TRUE(place.is_large() && place.strongest && place.far_average && place.far_largest);
        EXPECT_FALSE(place.average || place.largest);
    }
    for (const SharedFar& far : data().far) EXPECT_TRUE(far);
    EXPECT_LT(data().numbers_held(), 3 * kMap) << "of " << data().maps.size() + 6 << " maps";
    choose([](ViewState& v) {
        v.head = 2;
        v.part<HeadsChoice>().at.layer = 1;
    });
    EXPECT_EQ(whole(), std::vector<int>{kHeads + 2});
    EXPECT_LT(data().numbers_held(), 3 * kMap);
}

/// Pooled maps use all numbers: each cell is the mean of its block, or the largest in it, of one head or of all.
TEST_F(VeryLongHeads, PoolingUsesAllNumbers) {
    show("grid");
    const FarMap& far = *data().far[kHeads + 3];
    EXPECT_EQ(far.block, 8);
    EXPECT_LE(far.cells.mean.rows(), kSmallestLevel);
    const attn::Matrix& all = map(1, 3);
    const attn::Matrix average = [&] {
        const attn::Matrix* const heads[] = {&map(2, 0), &map(2, 1), &map(2, 2), &map(2, 3)};
        return attn::average_of(heads);
    }();
    for (const auto& [r, c] : {std::pair(0, 0), {3, 90}, {137, 137}, {60, 12}}) {
        const auto block = [&, r = r, c = c](const attn::Matrix& m) {
            return attn::Matrix(m.block(r * 8, c * 8, std::min(8, kTokens - r * 8), std::min(8, kTokens - c * 8)));
        };
        EXPECT_NEAR(far.cells.mean(r, c), block(all).mean(), 1e-7f);
        EXPECT_EQ(far.cells.largest(r, c), block(all).maxCoeff());
        EXPECT_EQ(data().places[2].far_average->cells.largest(r, c), block(average).maxCoeff());
    }
    EXPECT_EQ(data().spreads[kHeads + 3].most, all.maxCoeff());
}

/// Lines draw one layer's heads in full; their combination is one more map, for which no head's own map is stored.
TEST_F(VeryLongHeads, LinesHoldOneLayer) {
    show("lines");
    EXPECT_EQ(whole(), (std::vector<int>{0, 1, 2, 3}));
    EXPECT_EQ(data().numbers_held(), kHeads * kMap);
    EXPECT_EQ(data().left_out, 0);
    const attn::AttentionLines of_all = data().lines;
    choose([](ViewState& v) { v.part<HeadsChoice>().shown = "average"; });
    EXPECT_EQ(whole(), std::vector<int>{0});
    EXPECT_LT(data().numbers_held(), 4 * kMap);
    ASSERT_EQ(data().drawn.size(), 1u);
    // The head to which an average points is known without storing all of them.
    const attn::Matrix* const heads[] = {&map(0, 0), &map(0, 1), &map(0, 2), &map(0, 3)};
    const auto cell = weight_at(b_.derived.run->trace, data(), -1, {700, 650});
    ASSERT_TRUE(cell);
    float best = 0;
    int who = -1;
    for (int head = 0; head < kHeads; ++head)
        if (const float w = heads[head]->block(700, 650, 2, 2).maxCoeff(); w > best) best = w, who = head;
    EXPECT_EQ(cell->tag.head, who);
    show("plane");
    EXPECT_EQ(whole(), std::vector<int>{0});
    choose([](ViewState& v) {
        v.part<HeadsChoice>().page = "lines";
        v.part<HeadsChoice>().shown = "heads";
    });
    EXPECT_EQ(data().lines.lines, of_all.lines);
}

/// Heads beyond the memory budget are not drawn, and a message says so.
TEST_F(VeryLongHeads, LinesStayInsideTheMemoryBudget) {
    attn::set_memory_budget(4 * 2.5 * static_cast<double>(kMap * sizeof(float)));
    choose([](ViewState& v) {
        v.part<HeadsChoice>().page = "lines";
        v.head = 3;
    });
    ASSERT_EQ(data().drawn.size(), 2u);
    EXPECT_EQ(data().drawn[0].head, 0);
    EXPECT_EQ(data().drawn[1].head, 3) << "the one that is looked at is there";
    EXPECT_EQ(data().left_out, 2);
    EXPECT_EQ(data().numbers_held(), 2 * kMap);
}

/// Numbers are the same whether the whole map was stored or not: roles, distances, and the weights of hidden keys.
TEST_F(VeryLongHeads, ReportsMapsThatAreNotHeld) {
    choose([](ViewState& v) {
        v.part<HeadsChoice>().page = "grid";
        v.part<HeadsChoice>().hide_first = true;
    });
    const double share = [&] {
        double sum = 0;
        for (int head = 0; head < kHeads; ++head) sum += static_cast<double>(map(2, head).col(0).sum()) / static_cast<double>(map(2, head).sum());
        return sum / kHeads;
    }();
    EXPECT_NEAR(data().places[2].hidden_weight, share, 1e-5);
    EXPECT_TRUE(data().roles[kHeads * 2 + 1]);
    EXPECT_TRUE(std::isnan(data().far[kHeads]->cells.mean(40, 0)));
}

/// Each head of the grid can be shown as soon as it is computed, in the order of the run.
TEST_F(VeryLongHeads, TheGridFillsProgressively) {
    show("lines");
    HeadsData made;
    HeadsChoice grid;
    grid.page = "grid";
    grid.hide_first = true;
    make_heads(b_.derived.computed, b_.derived.labels, grid, made);
    std::vector<std::size_t> there;
    std::stop_source stop;
    const auto count = [&](const HeadsData& part) {
        EXPECT_EQ(part.page, "grid");
        there.push_back(static_cast<std::size_t>(std::count_if(part.far.begin(), part.far.end(), [](const SharedFar& far) { return far != nullptr; })));
        ASSERT_EQ(part.far.size(), part.maps.size());
        EXPECT_TRUE(part.far[there.back() - 1] && part.roles[there.back() - 1] && part.spreads[there.back() - 1].most > 0);
        if (there.size() == 6) stop.request_stop();
    };
    make_heads_page(b_.derived.run->trace, b_.derived.labels, grid, 0, false, {}, made, stop.get_token(), count);
    EXPECT_EQ(there, (std::vector<std::size_t>{1, 2, 3, 4, 5, 6}));
    // A job that was stopped in the middle of a layer starts the layer again and counts nothing twice.
    make_heads_page(b_.derived.run->trace, b_.derived.labels, grid, 0, false, {}, made, {}, {});
    choose([](ViewState& v) {
        v.part<HeadsChoice>().page = "grid";
        v.part<HeadsChoice>().hide_first = true;
    });
    for (std::size_t i = 0; i < data().places.size(); ++i) {
        EXPECT_EQ(made.places[i].hidden_weight, data().places[i].hidden_weight);
        EXPECT_EQ(made.places[i].far_average->cells.mean.rightCols(60), data().places[i].far_average->cells.mean.rightCols(60));
    }
    EXPECT_EQ(made.numbers_held(), data().numbers_held());
}

TEST(StrongestLevelTest, CodesRoundTrip) {
    for (int head = 0; head < attn::kMaxHeads; ++head)
        for (const float share : {0.0f, 0.25f, 1.0f}) {
            const float code = StrongestLevel::code_of(head, share);
            EXPECT_EQ(StrongestLevel::head_of(code), head);
            EXPECT_NEAR(StrongestLevel::share_of(code), share, 1e-4);
        }
    EXPECT_EQ(StrongestLevel::head_of(-std::numeric_limits<float>::infinity()), -1);
}

/// The difference of two large matrices takes a while; their places are known at once.
TEST(LongCompared, IsSubtractedOnAThread) {
    attn::Document doc = app_test::document_of("", 2);
    for (int i = 0; i < 600; ++i) doc.text += i % 3 ? "cat " : "dog ";
    Bench b(doc);
    ViewState view = b.view();
    view.screen = Screen::Compare;
    view.part<Comparison>().kind = "head";
    view.part<Comparison>().choice = "2";
    b.act(becomes(view));
    EXPECT_TRUE(b.derived.part<ComparisonData>().compared.same_shape);
    EXPECT_NE(b.derived.part<ComparisonData>().compared.left, attn::kNoStep);
    const unsigned serial = b.derived.part<ComparisonData>().compared.serial;
    b.deriver.finish(b.state, b.derived);
    const attn::Trace& trace = b.derived.run->trace;
    ASSERT_TRUE(b.derived.part<ComparisonData>().compared.difference.value);
    EXPECT_EQ(*b.derived.part<ComparisonData>().compared.difference.value,
              attn::Matrix(trace[b.derived.part<ComparisonData>().compared.right].value - trace[b.derived.part<ComparisonData>().compared.left].value));
    EXPECT_EQ(b.derived.part<ComparisonData>().compared.serial, serial);
    view.part<Comparison>().shown = "scores";
    b.act(becomes(view));
    EXPECT_FALSE(b.derived.part<ComparisonData>().compared.difference.value) << "the weights' difference is not the scores'";
    EXPECT_NE(b.derived.part<ComparisonData>().compared.serial, serial);
}

}  // namespace
}  // namespace app
