// The data of the heads screen: which maps are drawn, what follows the choice, and dragging arrows.
#include "app/state/derived.h"

#include <gtest/gtest.h>

#include <cmath>

#include "app/screens/heads/heads.h"
#include "app/state/settings.h"

namespace app {
namespace {

using attn::Role;

class Heads : public testing::Test {
protected:
    void show(std::string_view form, int heads = 1, std::string_view text = "the tired cat sat down") {
        state_.document = {};
        state_.document.text = text;
        attn::choose_form(state_.document, form);
        if (attn::has(attn::find_form(form)->reads, attn::Reads::Weights)) state_.document.weights = "random";
        state_.document.config.heads = heads;
        state_.view.screen = Screen::Heads;
        refresh();
        ASSERT_FALSE(derived_.error) << derived_.error->text();
    }
    void refresh() { deriver_.finish(state_, derived_); }
    template <class Change>
    void choose(Change change) {
        ViewState view = state_.view;
        change(view.part<HeadsChoice>());
        act(becomes(view));
    }
    void act(const Action& action) {
        update(state_, action, derived_);
        refresh();
    }
    const HeadsData& data() { return derived_.part<HeadsData>(); }
    const attn::Trace& trace() { return derived_.run->trace; }
    attn::Matrix weights(int head) { return attn::find(trace(), {Role::Weights, head})->value.matrix(); }

    AppState state_ = first_state(Language::English);
    Derived derived_;
    Deriver deriver_;
};

TEST_F(Heads, ExactlyTheRequestedHeadsAreDrawn) {
    show("multi_head", 4);
    ASSERT_EQ(data().drawn.size(), 4u);
    EXPECT_EQ(*data().drawn[2].weights, weights(2));
    choose([](HeadsChoice& h) { h.only = {1, 3}; });
    ASSERT_EQ(data().drawn.size(), 2u);
    EXPECT_EQ(data().drawn[1].head, 3);
    choose([](HeadsChoice& h) { h.only = {9}; });  // of another document
    EXPECT_EQ(data().drawn.size(), 4u);
    choose([](HeadsChoice& h) { h.shown = "average"; });
    ASSERT_EQ(data().drawn.size(), 1u);
    EXPECT_EQ(data().drawn[0].head, -1);
    for (int r = 0; r < 5; ++r)
        for (int c = 0; c < 5; ++c) {
            double sum = 0;
            for (int head = 0; head < 4; ++head) sum += static_cast<double>(weights(head)(r, c));
            EXPECT_NEAR((*data().drawn[0].weights)(r, c), sum / 4, 1e-6);
        }
}

TEST_F(Heads, TheStrongestAloneAddUpToTheLargest) {
    show("multi_head", 2);
    choose([](HeadsChoice& h) { h.shown = "strongest"; });
    ASSERT_EQ(data().drawn.size(), 2u);
    for (int r = 0; r < 5; ++r)
        for (int c = 0; c < 5; ++c) {
            const float a = (*data().drawn[0].weights)(r, c), b = (*data().drawn[1].weights)(r, c);
            EXPECT_NE(std::isnan(a), std::isnan(b));
            EXPECT_EQ(std::isnan(a) ? b : a, std::max(weights(0)(r, c), weights(1)(r, c)));
        }
}

TEST_F(Heads, PickedTokensAreSummedUpAndFilterTheLines) {
    show("multi_head");
    EXPECT_EQ(data().lines.lines.size(), 25u);
    choose([](HeadsChoice& h) { h.queries = {1, 3, 77}; });  // 77 belongs to a longer text
    EXPECT_EQ(data().lines.lines.size(), 10u);
    const attn::Matrix w = attn::find(trace(), {Role::Weights})->value.matrix();
    for (int c = 0; c < 5; ++c)
        EXPECT_NEAR(data().drawn[0].received[static_cast<std::size_t>(c)],
                    static_cast<double>(w(1, c)) + static_cast<double>(w(3, c)), 1e-7);
    choose([](HeadsChoice& h) { h.keep = 0; });
    EXPECT_EQ(data().lines.lines.size(), 2u);
}

TEST_F(Heads, HiddenKeysAreLeftOutAndReported) {
    show("multi_head");
    const attn::Matrix w = attn::find(trace(), {Role::Weights})->value.matrix();
    choose([](HeadsChoice& h) { h.hide_first = true; });
    EXPECT_TRUE(std::isnan((*data().weights[0])(0, 0)));
    EXPECT_EQ((*data().weights[0])(0, 1), w(0, 1));
    EXPECT_NEAR(data().here()->hidden_weight, w.col(0).cast<double>().sum() / 5, 1e-6);
    choose([](HeadsChoice& h) { h.renormalise = true; });
    EXPECT_NEAR((*data().weights[0])(0, 1), w(0, 1) / (1 - w(0, 0)), 1e-6);
    EXPECT_EQ(data().lines.all, 20);
    EXPECT_EQ(attn::find(trace(), {Role::Weights})->value, w);  // the computation is unchanged
}

TEST_F(Heads, PaddingIsSpecial) {
    show("multi_head");
    attn::Document padded = state_.document;
    padded.config.mask = "padding";
    padded.padding = 2;
    act(becomes(padded));
    choose([](HeadsChoice& h) { h.hide_special = true; });
    const auto& hidden = data().here()->hidden;
    EXPECT_EQ(std::count(hidden.begin(), hidden.end(), true), 2);
    EXPECT_TRUE(hidden.back());
    EXPECT_EQ(data().here()->hidden_weight, 0);
}

TEST_F(Heads, FormsWithoutWeightsHaveNone) {
    for (const char* form : {"online", "linear"}) {
        show(form);
        EXPECT_EQ(data().here(), nullptr) << form;
    }
    show("multi_head", 1, "");
    EXPECT_TRUE(data().lines.lines.empty());
}

TEST_F(Heads, TheRequestedAttentionIsShownOrTheTextsOwn) {
    state_.view.part<HeadsChoice>().page = "lines";
    show("decoder", 2);
    EXPECT_EQ(data().here()->at.part, attn::Part::Main);
    choose([](HeadsChoice& h) {
        h.at.part = attn::Part::Cross;
        h.at.layer = 0;
    });
    EXPECT_EQ(data().here()->at.part, attn::Part::Cross);
    EXPECT_EQ(data().here()->key_names.size(), trace().source_tokens.size());
    show("multi_head", 2);  // has no such part
    EXPECT_EQ(data().here()->at.part, attn::Part::Main);
}

/// One head alone is drawn, and another is chosen with the keys: it takes its place.
TEST_F(Heads, TheHeadOnTheStageIsTheOneAlone) {
    show("multi_head", 4);
    choose([](HeadsChoice& h) { h.only = {0}; });
    act(ChooseHead{2});
    EXPECT_EQ(state_.view.part<HeadsChoice>().only, (std::vector<int>{2}));
    EXPECT_EQ(data().head, 2);
    act(ChooseHead{99});
    EXPECT_EQ(data().head, 3);
}

TEST_F(Heads, AQueryIsDecomposedByFeature) {
    show("multi_head", 2);
    choose([](HeadsChoice& h) { h.page = "neuron"; });
    act(Pin{CellRef{{Role::Weights, 0}, 3, 1}});
    const NeuronData& n = data().neuron;
    EXPECT_EQ(n.query, 3);
    ASSERT_EQ(n.rows.size(), 5u);
    EXPECT_TRUE(n.same_left);
    EXPECT_FALSE(n.same_right);
    const attn::Matrix& scores = attn::find(trace(), {Role::Scores, 0})->value;
    for (int c = 0; c < 5; ++c) {
        const NeuronRow& row = n.rows[static_cast<std::size_t>(c)];
        EXPECT_NEAR(row.products->sum, static_cast<double>(scores(3, c)), 1e-5);
        EXPECT_EQ(row.values.front(), scores(3, c));
        EXPECT_EQ(row.values.back(), weights(0)(3, c));
    }
}

TEST_F(Heads, EveryFormThatHasWeightsHasItsPages) {
    for (const attn::Form& form : attn::forms())
        for (const std::string_view page : kHeadsPages) {
            show(form.id, 1, "a b c");
            choose([&](HeadsChoice& h) { h.page = page; });
            if (!data().here()) continue;
            EXPECT_TRUE(derived_.focus);
            EXPECT_TRUE(weight_at(trace(), data(), -1, {0, 0})) << form.id;
            if (page == "neuron") {
                EXPECT_FALSE(data().neuron.rows.empty()) << form.id;
            }
        }
}

TEST_F(Heads, ThePointedNumberIsTheSameCellAsEverywhere) {
    show("generate", 2, "a b");
    const auto cell = weight_at(trace(), data(), 1, {3, 2});
    ASSERT_TRUE(cell);
    const attn::Step* step = attn::find(trace(), cell->tag);
    ASSERT_NE(step, nullptr);
    EXPECT_EQ(cell->tag.head, 1);
    EXPECT_GT(cell->tag.time, 0);
    act(PointAt{cell});
    EXPECT_FALSE(derived_.inspection.chain.empty());
    EXPECT_EQ(query_key_of(trace(), data().maps[1], *derived_.focus), (QueryKey{3, 2}));
}

TEST_F(Heads, ThePlaneOfAPairPreservesAngles) {
    show("multi_head");
    choose([](HeadsChoice& h) { h.page = "plane"; });
    act(Pin{CellRef{{Role::Weights}, 1, 2}});
    const PlaneData& p = data().plane;
    const attn::Matrix &q = trace()[p.queries].value, &k = trace()[p.keys].value;
    EXPECT_NEAR(p.measure.dot, q.row(1).cast<double>().dot(k.row(2).cast<double>()), 1e-6);
    EXPECT_NEAR(std::hypot(p.left.tip[0], p.left.tip[1]), p.measure.left_length, 1e-6);
    EXPECT_NEAR(p.plane.share, 1, 1e-9);
    choose([](HeadsChoice& h) {
        h.first = 0;
        h.second = 3;
    });
    EXPECT_EQ(p.left.tip[0], static_cast<double>(q(1, 0)));
    EXPECT_EQ(p.left.tip[1], static_cast<double>(q(1, 3)));
    choose([](HeadsChoice& h) { h.plane = "map"; });
    EXPECT_NE(p.query_side.weight, attn::kNoStep);
    EXPECT_EQ(trace()[p.key_side.weight].tag.role, Role::KeyWeight);
    EXPECT_EQ(p.query_side.before.size(), 5u);
}

/// Dragging an arrow types over its row's numbers; the plane stays fixed during the drag; undo reverts the whole drag.
TEST_F(Heads, AnArrowMovesTheDocumentsNumbers) {
    show("multi_head");
    choose([](HeadsChoice& h) {
        h.page = "plane";
        h.held = true;
    });
    act(Pin{CellRef{{Role::Weights}, 1, 2}});
    const attn::Document before = state_.document;
    const attn::Plane plane = data().plane.plane;
    for (const double x : {0.5, 0.75, 1.0}) {
        attn::Document moved = state_.document;
        move_tip(moved, trace(), data().plane.plane, data().plane.left.at, {x, -0.5});
        act(becomes(moved, "arrow#1"));
    }
    EXPECT_TRUE(data().plane.plane.axes.isApprox(plane.axes));
    EXPECT_NEAR(data().plane.left.tip[0], 1.0, 0.02);
    EXPECT_NEAR(data().plane.left.tip[1], -0.5, 0.02);
    EXPECT_FALSE(state_.document.edits.empty());
    for (const attn::Edit& edit : state_.document.edits) EXPECT_EQ(edit.tag, (attn::Tag{Role::Queries}));
    act(Undo{});
    EXPECT_EQ(state_.document, before);
}

TEST_F(Heads, SelfAttentionWithoutProjectionsIsMovedInX) {
    show("raw", 1, "the tired cat");
    choose([](HeadsChoice& h) { h.page = "plane"; });
    EXPECT_TRUE(data().plane.same);
    attn::Document moved = state_.document;
    move_tip(moved, trace(), data().plane.plane, data().plane.left.at, {2, 1});
    act(becomes(moved));
    ASSERT_FALSE(state_.document.edits.empty());
    EXPECT_EQ(state_.document.edits[0].tag.role, Role::Embeddings);
}

TEST_F(Heads, TheChoiceIsSaved) {
    show("multi_head", 4);
    choose([](HeadsChoice& h) {
        h.page = "grid";
        h.at = {Role::Weights, attn::kNoHead, 1, attn::kNoTime, attn::Part::Cross};
        h.shown = "largest";
        h.only = {1, 2};
        h.matrix = h.hide_first = h.renormalise = true;
        h.queries = {0, 4};
        h.keys = {2};
        h.keep = 0.5f;
        h.plane = "all";
        h.first = 2;
        h.second = 0;
        h.held = true;
    });
    const auto back = part_from_json(part_to_json(part_of(state_.view, kPlace)), kPlace, "");
    ASSERT_TRUE(back.ok());
    HeadsChoice expected = state_.view.part<HeadsChoice>();
    expected.held = false;
    EXPECT_EQ(back->part.values.part<HeadsChoice>(), expected);
    EXPECT_EQ(back->part.values.screen, Screen::Heads);
}

TEST_F(Heads, InvalidEntriesInTheFileAreDropped) {
    const auto view = part_from_json(
        R"({"heads": {"page": 7, "at": "no such step", "only": [0, 2, 2, -3, "x"], "keep": 9, "matrix": "yes", "first": 0}})",
        kPlace, "");
    ASSERT_TRUE(view.ok());
    EXPECT_EQ(view->part.values.part<HeadsChoice>().page, HeadsChoice{}.page);
    EXPECT_EQ(view->part.values.part<HeadsChoice>().at, HeadsChoice{}.at);
    EXPECT_FALSE(view->part.values.part<HeadsChoice>().matrix);
    EXPECT_EQ(view->part.values.part<HeadsChoice>().keep, 1);
}

}  // namespace
}  // namespace app
