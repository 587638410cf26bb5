// The heads of long texts: looked through on a thread, looked at where they are, and what several say together.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string_view>

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
        change(view.heads);
        b_.act(becomes(view));
    }
    void finish() { b_.deriver.finish(b_.state, b_.derived); }
    const HeadsData& data() { return b_.derived.heads; }
    const attn::Trace& trace() { return b_.derived.run->trace; }

    Bench b_{long_document()};
};

TEST_F(LongHeads, AreLookedThroughOnAThreadAndWhereTheyAre) {
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

/// Until the other page is made the one that is there says which it is.
TEST_F(LongHeads, APageStaysUntilTheNextIsThere) {
    show("lines");
    choose([](HeadsChoice& h) { h.page = "grid"; });
    EXPECT_EQ(data().page, "lines");
    EXPECT_FALSE(data().drawn.empty());
    finish();
    EXPECT_EQ(data().page, "grid");
    EXPECT_TRUE(data().here()->average && data().here()->largest && data().here()->strongest);
}

TEST_F(LongHeads, TheNewestChoiceCountsWithAllThatCameBefore) {
    show("lines");
    choose([](HeadsChoice& h) { h.hide_first = true; });
    choose([](HeadsChoice& h) { h.keep = 0.5f; });
    finish();
    EXPECT_TRUE(std::isnan((*data().weights[0])(5, 0)));
    EXPECT_LT(data().lines.kept, data().lines.all);
}

TEST_F(LongHeads, OfAnotherRunNothingStays) {
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

TEST_F(LongHeads, EveryPageIsMade) {
    for (const std::string_view page : kHeadsPages) show(page);
    EXPECT_NE(data().plane.queries, attn::kNoStep);
    choose([](HeadsChoice& h) { h.page = "neuron"; });
    finish();
    EXPECT_EQ(data().neuron.rows.size(), 400u);
}

/// Each block of each level says which head has the largest weight in it, and how large that is.
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

TEST(StrongestLevelTest, CodesGoBothWays) {
    for (int head = 0; head < attn::kMaxHeads; ++head)
        for (const float share : {0.0f, 0.25f, 1.0f}) {
            const float code = StrongestLevel::code_of(head, share);
            EXPECT_EQ(StrongestLevel::head_of(code), head);
            EXPECT_NEAR(StrongestLevel::share_of(code), share, 1e-4);
        }
    EXPECT_EQ(StrongestLevel::head_of(-std::numeric_limits<float>::infinity()), -1);
}

/// What lies between two large matrices takes a while; where they stand is known at once.
TEST(LongCompared, IsSubtractedOnAThread) {
    attn::Document doc = app_test::document_of("", 2);
    for (int i = 0; i < 600; ++i) doc.text += i % 3 ? "cat " : "dog ";
    Bench b(doc);
    ViewState view = b.view();
    view.screen = Screen::Compare;
    view.comparison.kind = "head";
    view.comparison.choice = "2";
    b.act(becomes(view));
    EXPECT_TRUE(b.derived.compared.same_shape);
    EXPECT_NE(b.derived.compared.left, attn::kNoStep);
    const unsigned serial = b.derived.compared.serial;
    b.deriver.finish(b.state, b.derived);
    const attn::Trace& trace = b.derived.run->trace;
    ASSERT_TRUE(b.derived.compared.difference.value);
    EXPECT_EQ(*b.derived.compared.difference.value,
              attn::Matrix(trace[b.derived.compared.right].value - trace[b.derived.compared.left].value));
    EXPECT_EQ(b.derived.compared.serial, serial);
    view.comparison.shown = "scores";
    b.act(becomes(view));
    EXPECT_FALSE(b.derived.compared.difference.value) << "the weights' difference is not the scores'";
    EXPECT_NE(b.derived.compared.serial, serial);
}

}  // namespace
}  // namespace app
