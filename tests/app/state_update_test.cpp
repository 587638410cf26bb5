// Actions in, state out.

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "tests/app/state_fixture.h"

namespace {

using namespace app;
using app_test::Bench;
using app_test::document_of;
using attn::Role;

TEST(Update, EditReplacesTheDocumentAndUndoRestoresIt) {
    Bench b;
    const attn::Document before = b.state.document, after = document_of("hello there");
    b.edit(after);
    EXPECT_EQ(b.state.document, after);
    EXPECT_TRUE(b.state.history.can_undo());
    b.act(Undo{});
    EXPECT_EQ(b.state.document, before);
    EXPECT_FALSE(b.state.history.can_undo());
    b.act(Redo{});
    EXPECT_EQ(b.state.document, after);
}

TEST(Update, AnEditThatChangesNothingIsNotRemembered) {
    Bench b;
    b.edit(b.state.document);
    EXPECT_FALSE(b.state.history.can_undo());
}

TEST(Update, EditsOfOneGestureAreUndoneTogether) {
    Bench b;
    const attn::Document before = b.state.document;
    for (const char* text : {"h", "he", "hel"}) b.edit(document_of(text), "typing");
    b.act(Undo{});
    EXPECT_EQ(b.state.document, before);
}

TEST(Update, APauseOrAnotherGestureSeparatesEdits) {
    Bench b;
    b.edit(document_of("a"), "typing");
    b.pass(History<attn::Document>::kGesturePause + 0.5);
    b.edit(document_of("b"), "typing");
    b.edit(document_of("c"), "slider");
    b.act(Undo{});
    EXPECT_EQ(b.state.document.text, "b");
    b.act(Undo{});
    EXPECT_EQ(b.state.document.text, "a");
    // After an undo the same gesture is a new one.
    b.edit(document_of("d"), "typing");
    b.act(Undo{});
    EXPECT_EQ(b.state.document.text, "a");
}

TEST(Update, AnEditClearsTheRedoHistory) {
    Bench b;
    b.edit(document_of("a"));
    b.act(Undo{});
    b.edit(document_of("b"));
    EXPECT_FALSE(b.state.history.can_redo());
}

TEST(Update, HistoryIsBounded) {
    Bench b;
    for (int i = 0; i < 10'000; ++i) update(b.state, becomes(document_of("word " + std::to_string(i))), b.derived);
    int undone = 0;
    for (; b.state.history.can_undo(); ++undone) update(b.state, Undo{}, b.derived);
    EXPECT_EQ(static_cast<std::size_t>(undone), History<attn::Document>::kDepth);
    EXPECT_EQ(b.state.document.text, "word " + std::to_string(10'000 - 1 - undone));
}

TEST(Update, PinAndPoint) {
    Bench b;
    const CellRef cell = b.cell(Role::Weights, attn::kNoHead, 1, 2);
    b.act(PointAt{cell});
    EXPECT_EQ(b.view().pointed, cell);
    b.act(Pin{cell});
    b.act(PointAt{});
    EXPECT_EQ(b.view().pinned, cell);
    EXPECT_TRUE(b.derived.focus_pinned);
    b.act(Pin{});
    EXPECT_FALSE(b.view().pinned);
}

TEST(Update, ThePinMovesInsideItsMatrix) {
    Bench b;  // five tokens
    b.act(MovePin{1, 1});
    EXPECT_FALSE(b.view().pinned);
    b.act(Pin{b.cell(Role::Weights, attn::kNoHead, 1, 2)});
    b.act(MovePin{-1, 1});
    EXPECT_EQ(b.view().pinned, b.cell(Role::Weights, attn::kNoHead, 0, 3));
    b.act(MovePin{-5, 50});
    EXPECT_EQ(b.view().pinned, b.cell(Role::Weights, attn::kNoHead, 0, 4));
    b.act(MovePin{99, -99});
    EXPECT_EQ(b.view().pinned, b.cell(Role::Weights, attn::kNoHead, 4, 0));
}

/// All actions of a frame are created before the first of them is applied.
TEST(Update, TwoChangesOfOneFrameBothCount) {
    Bench b;
    const Actions frame{ChangeView{[](ViewState& v) { v.cube = true; }},
                        ChangeView{[](ViewState& v) { v.shared_scale = true; }},
                        EditDocument{[](attn::Document& d) { d.weights = "random"; }},
                        EditDocument{[](attn::Document& d) { d.config.mask = "causal"; }}};
    for (const Action& action : frame) b.act(action);
    EXPECT_TRUE(b.view().cube);
    EXPECT_TRUE(b.view().shared_scale);
    EXPECT_EQ(b.state.document.weights, "random");
    EXPECT_EQ(b.state.document.config.mask, "causal");
    b.act(Undo{});
    EXPECT_EQ(b.state.document.config.mask, "none");
    EXPECT_EQ(b.state.document.weights, "random");
}

/// If tokens are columns, moving down follows a row of the value.
TEST(Update, ThePinMovesInScreenDirections) {
    Bench b;
    ViewState view = b.view();
    view.convention = attn::Convention::Columns;
    b.act(becomes(view));
    b.act(Pin{b.cell(Role::Weights, attn::kNoHead, 1, 2)});
    b.act(MovePin{1, 0});
    EXPECT_EQ(b.view().pinned, b.cell(Role::Weights, attn::kNoHead, 1, 3));
    b.act(MovePin{0, -1});
    EXPECT_EQ(b.view().pinned, b.cell(Role::Weights, attn::kNoHead, 0, 3));
}

/// The switch belongs to the view: nothing is computed again, nothing can be undone, and switching back restores everything.
TEST(Update, TheConventionDoesNotChangeTheRun) {
    Bench b;
    b.act(Pin{b.cell(Role::Scores, attn::kNoHead, 1, 2)});
    const Inspection rows = b.derived.inspection;
    const std::uint64_t generation = b.derived.generation;
    ViewState view = b.view();
    view.convention = attn::Convention::Columns;
    b.act(becomes(view));
    EXPECT_EQ(b.derived.generation, generation);
    EXPECT_FALSE(b.state.history.can_undo());
    EXPECT_EQ(b.derived.inspection.cell, rows.cell);
    EXPECT_NE(b.derived.inspection.place, rows.place);
    view.convention = attn::Convention::Rows;
    b.act(becomes(view));
    EXPECT_EQ(b.derived.inspection.place, rows.place);
}

TEST(Update, PinAndPlayheadFollowTheHead) {
    Bench b(document_of("the tired cat sat down", 4));
    b.view().playhead = {{Role::Weights, 0}, 1};
    b.act(Pin{b.cell(Role::Scores, 0, 1, 1)});
    b.act(ChooseHead{2});
    EXPECT_EQ(b.view().pinned->tag, (attn::Tag{Role::Scores, 2}));
    EXPECT_EQ(b.view().playhead.tag, (attn::Tag{Role::Weights, 2}));
    EXPECT_EQ((*b.derived.run).trace[b.derived.pose.step].tag, (attn::Tag{Role::Weights, 2}));
    b.act(ChooseHead{99});
    EXPECT_EQ(b.view().head, 3);
    b.act(ChooseHead{-1});
    EXPECT_EQ(b.view().head, 0);
}

TEST(Update, FewerHeadsAdjustTheSelectedHead) {
    Bench b(document_of("the tired cat sat down", 4));
    b.view().playhead = {{Role::Weights, 0}, 1};
    b.act(ChooseHead{3});
    b.act(Pin{b.cell(Role::Weights, 3, 0, 0)});
    b.edit(document_of("the tired cat sat down", 2));
    EXPECT_EQ(b.view().head, 1);
    EXPECT_EQ(b.view().pinned->tag.head, 1);
    b.edit(document_of("the tired cat sat down", 1));
    EXPECT_EQ(b.view().head, 0);
    EXPECT_EQ(b.view().playhead.tag, (attn::Tag{Role::Weights, attn::kNoHead}));
    EXPECT_EQ(b.view().pinned->tag.head, attn::kNoHead);
}

TEST(Update, AViewsChoicesAreKeptWithinTheirRanges) {
    Bench b;
    ViewState view = b.view();
    view.scale = 99;
    view.speed = 0;
    view.language = Language::Chinese;
    b.act(becomes(view));
    EXPECT_FLOAT_EQ(b.view().scale, kMaxScale);
    EXPECT_DOUBLE_EQ(b.view().speed, kMinSpeed);
    EXPECT_EQ(b.view().language, Language::Chinese);
}

TEST(Update, AnEmptyDocumentWorks) {
    Bench b(document_of(""));
    for (const Action& action : std::initializer_list<Action>{Play{true}, Advance{0.1}, StepBy{1}, StepBy{-1},
                                                              GoToStop{3, 0.5}, Seek{2}, MovePin{1, 1}, ChooseHead{1}})
        b.act(action);
    EXPECT_EQ(b.derived.pose.step, attn::kNoStep);
}

TEST(Update, FirstStateIsAnExampleInItsLanguage) {
    for (const Language language : {Language::English, Language::Chinese}) {
        const AppState state = first_state(language);
        EXPECT_EQ(state.view.language, language);
        EXPECT_TRUE(attn::problems(state.document).empty());
        EXPECT_FALSE(state.history.can_undo());
    }
    EXPECT_EQ(first_state(Language::Chinese).document.text, "早上好");
}

// -- any sequence at all

rc::Gen<attn::Document> any_document() {
    return rc::gen::map(rc::gen::tuple(rc::gen::element<std::string>("", "a", "the cat", "早上好", "the tired cat sat"),
                                       rc::gen::element(1, 2, 4), rc::gen::element<std::string>("none", "causal")),
                        [](const auto& t) { return document_of(std::get<0>(t), std::get<1>(t), std::get<2>(t)); });
}

rc::Gen<Action> any_action() {
    const auto cell = rc::gen::map(
        rc::gen::tuple(rc::gen::element(Role::Weights, Role::Queries, Role::Output), rc::gen::inRange(-1, 4),
                       rc::gen::inRange(0, 5), rc::gen::inRange(0, 9)),
        [](const auto& t) {
            return std::optional(CellRef{{std::get<0>(t), std::get<1>(t)}, std::get<2>(t), std::get<3>(t)});
        });
    const auto edit = rc::gen::map(rc::gen::tuple(any_document(), rc::gen::element<std::string>("", "typing")),
                                   [](const auto& t) -> Action { return becomes(std::get<0>(t), std::get<1>(t)); });
    const auto action = [](auto make) { return [make](auto value) -> Action { return make(value); }; };
    return rc::gen::oneOf(edit, edit, rc::gen::just<Action>(Undo{}), rc::gen::just<Action>(Undo{}),
                          rc::gen::just<Action>(Redo{}), rc::gen::map(cell, action([](auto c) { return Pin{c}; })),
                          rc::gen::map(cell, action([](auto c) { return PointAt{c}; })), rc::gen::just<Action>(Pin{}),
                          rc::gen::map(rc::gen::inRange(-3, 4), action([](int n) {
                                           return MovePin{n, -n};
                                       })),
                          rc::gen::map(rc::gen::arbitrary<bool>(), action([](bool on) { return Play{on}; })),
                          rc::gen::map(rc::gen::inRange(-5, 60), action([](int t) { return Seek{t / 2.0}; })),
                          rc::gen::map(rc::gen::inRange(-2, 20), action([](int s) {
                                           return GoToStop{s, 0.5};
                                       })),
                          rc::gen::map(rc::gen::inRange(-2, 3), action([](int s) { return StepBy{s}; })),
                          rc::gen::map(rc::gen::inRange(-1, 6), action([](int h) { return ChooseHead{h}; })),
                          rc::gen::map(rc::gen::inRange(0, 30), action([](int t) { return Advance{t / 10.0}; })));
}

/// What holds after every action.
void check_state(const Bench& b) {
    const ViewState& view = b.state.view;
    const int heads = std::max(b.state.document.config.heads, 1);
    RC_ASSERT(view.head >= 0 && view.head < heads);
    RC_ASSERT(view.playhead.progress >= 0 && view.playhead.progress <= 1);
    RC_ASSERT(view.rest >= 0);
    RC_ASSERT(b.derived.computed != nullptr);
    RC_ASSERT(b.derived.time >= 0 && b.derived.time <= b.derived.timeline.length() + 1e-9);
    if (!b.derived.timeline.stops.empty()) RC_ASSERT(b.derived.pose.stop <= b.last_stop());
    if (!b.derived.focus) return;
    const attn::Matrix& value = b.derived.run->trace[b.derived.focus->step].value;
    RC_ASSERT(b.derived.focus->row < value.rows() && b.derived.focus->col < value.cols());
}

TEST(UpdateProperty, UndoAfterAnyActionRestoresTheDocument) {
    EXPECT_TRUE(rc::check([] {
        Bench b;
        for (const Action& action : *rc::gen::container<std::vector<Action>>(any_action())) {
            b.act(action);
            check_state(b);
        }
        const attn::Document before = b.state.document;
        const attn::Document after = *any_document();
        b.edit(after);
        RC_ASSERT(b.state.document == after);
        if (after == before) return;
        b.act(Undo{});
        RC_ASSERT(b.state.document == before);
        b.act(Redo{});
        RC_ASSERT(b.state.document == after);
    }));
}

TEST(UpdateProperty, UndoingAllAndRedoingAllEndsWhereItBegan) {
    EXPECT_TRUE(rc::check([] {
        Bench b;
        const attn::Document first = b.state.document;
        for (const Action& action : *rc::gen::container<std::vector<Action>>(any_action())) b.act(action);
        while (b.state.history.can_redo()) b.act(Redo{});
        const attn::Document last = b.state.document;
        while (b.state.history.can_undo()) b.act(Undo{});
        RC_ASSERT(b.state.document == first);
        while (b.state.history.can_redo()) b.act(Redo{});
        RC_ASSERT(b.state.document == last);
    }));
}

TEST(UpdateProperty, OnlyDocumentActionsChangeTheDocument) {
    EXPECT_TRUE(rc::check([] {
        Bench b;
        const Action action = *any_action();
        const attn::Document before = b.state.document;
        b.act(action);
        const bool may = std::holds_alternative<EditDocument>(action) || std::holds_alternative<Undo>(action) ||
                         std::holds_alternative<Redo>(action);
        RC_ASSERT(may || b.state.document == before);
    }));
}

}  // namespace
