// What a user changes in the matrices: numbers, the mask, the second text; and the screens.

#include <algorithm>

#include "app/content/number_text.h"
#include "app/screens/compare/comparison.h"
#include "app/state/edits.h"
#include "core/model/model.h"
#include "places.h"
#include "tests/app/app_hand_fixture.h"

namespace app {
namespace {

using attn::Role;

TEST_F(AppHand, ANumberIsTypedOverACellAndUndoRestoresIt) {
    show("the tired cat", "none", {Role::Scores});
    const attn::Document before = doc();
    const float computed = value(Role::Scores, 1, 2), weight = value(Role::Weights, 1, 2);
    click("cell_1_2");
    press(gui::Key::Enter);
    ASSERT_FALSE(rect_of(frame_with("number"), "number").empty());
    type("3.5");  // the previous number is selected
    press(gui::Key::Enter);
    ASSERT_EQ(doc().edits.size(), 1u);
    EXPECT_EQ(doc().edits[0], (attn::Edit{{Role::Scores}, 1, 2, 3.5f}));
    EXPECT_EQ(value(Role::Scores, 1, 2), 3.5f);
    EXPECT_GT(value(Role::Weights, 1, 2), weight);  // what depends on it changes
    EXPECT_NE(app_->derived().inspection.note.find(number_text(computed, 4)), std::string::npos);
    key_with_ctrl(gui::Key::Z);
    EXPECT_EQ(doc(), before);
}

/// The key that opened the field is held until it repeats: nothing is accepted, the field stays open.
TEST_F(AppHand, AHeldEnterDoesNotCloseTheFieldThatItOpened) {
    show("the tired cat", "none", {Role::Scores});
    const attn::Document before = doc();
    click("cell_1_2");
    gui::inject_key(gui::Key::Enter, true);
    for (int i = 0; i < 8; ++i) app_->build_frame(kSize, 0.2);
    gui::inject_key(gui::Key::Enter, false);
    for (int i = 0; i < 3; ++i) app_->build_frame(kSize, 0.02);
    ASSERT_FALSE(rect_of(frame_with("number"), "number").empty());
    EXPECT_EQ(doc(), before);
    type("3.5");
    press(gui::Key::Enter);
    ASSERT_EQ(doc().edits.size(), 1u);
    EXPECT_EQ(doc().edits[0].value, 3.5f);
}

TEST_F(AppHand, EscapeCancelsAndDeleteRestoresTheComputedNumber) {
    show("the tired cat", "none", {Role::Scores});
    const attn::Document before = doc();
    type_over("cell_0_1", "9");
    press(gui::Key::Escape);
    EXPECT_EQ(doc(), before);
    ASSERT_TRUE(app_->state().view.pinned);
    press(gui::Key::Enter);
    type("9");
    press(gui::Key::Enter);
    ASSERT_EQ(value(Role::Scores, 0, 1), 9);
    press(gui::Key::Delete);
    EXPECT_EQ(doc(), before);
}

TEST_F(AppHand, InvalidNumbersAreRefused) {
    show("the tired cat", "none", {Role::Scores});
    const attn::Document before = doc();
    type_over("cell_0_1", "two");
    press(gui::Key::Enter);
    EXPECT_EQ(doc(), before);
    EXPECT_FALSE(rect_of(frame_with("number"), "number").empty());
}

TEST_F(AppHand, TabGoesToTheNextCell) {
    show("the tired cat", "none", {Role::Scores});
    type_over_two("cell_0_2");
    ASSERT_EQ(doc().edits.size(), 2u);
    EXPECT_EQ(doc().edits[1], (attn::Edit{{Role::Scores}, 1, 0, 2}));
}

TEST_F(AppHand, AnInputIsTypedOverAsWell) {
    show("the tired cat", "none", {Role::Embeddings});
    type_over("cell_2_0", "0.75");
    press(gui::Key::Enter);
    ASSERT_EQ(doc().edits.size(), 1u);
    EXPECT_EQ(value(Role::Embeddings, 2, 0), 0.75f);
}

TEST_F(AppHand, ADragWithShiftMovesTheNumberAndIsUndoneAtOnce) {
    show("the tired cat", "none", {Role::Scores});
    const attn::Document before = doc();
    const float computed = value(Role::Scores, 1, 1);
    const Point from = middle("cell_1_1");
    gui::inject_key(gui::Key::Shift, true);
    frame();
    gui::inject_mouse_pos(from);
    frame();
    gui::inject_mouse_button(0, true);
    frame(2);
    for (int i = 1; i <= 4; ++i) {
        gui::inject_mouse_pos({from.x, from.y - 10.0f * static_cast<float>(i)});
        frame(2);
        app_->apply(Advance{2});  // a drag may pause
    }
    gui::inject_mouse_button(0, false);
    frame(2);
    gui::inject_key(gui::Key::Shift, false);
    frame();
    ASSERT_EQ(doc().edits.size(), 1u);
    EXPECT_GT(value(Role::Scores, 1, 1), computed);
    app_->apply(Undo{});
    EXPECT_EQ(doc(), before);
}

TEST_F(AppHand, ARectangleOfTheMaskIsPaintedInOneUndo) {
    show("the tired cat sat down", "causal", {Role::Masked});
    const attn::Document before = doc();
    paint_rectangle();
    app_->apply(Undo{});
    EXPECT_EQ(doc(), before);
}

/// If playback is paused in the middle of the step, painting works as well, and its effect is seen at once.
TEST_F(AppHand, TheMaskIsPaintedWhereTheWalkIsPaused) {
    for (const double progress : {0.4, 0.75}) {
        show("the tired cat sat down", "causal", {Role::Masked});
        app_->apply(GoToStop{app_->derived().pose.stop, progress});
        click("cell_3_1");
        ASSERT_EQ(doc().config.mask, "drawn") << progress;
        EXPECT_EQ(doc().mask_pattern(3, 1), 0);
        EXPECT_EQ(app_->derived().pose.progress, 1);
        EXPECT_EQ(trace()[app_->derived().pose.step].tag.role, Role::Masked);
    }
}

TEST_F(AppHand, ANameSelectsItsWholeRowOrColumn) {
    show("the tired cat", "causal", {Role::Masked});
    const FrameLog log = frame();
    const Rect first = rect_of(log, "cell_0_0"), last = rect_of(log, "cell_2_0");
    click_at({last.x - 30, last.center().y});  // all of it is seen; a click hides it
    ASSERT_EQ(doc().config.mask, "drawn");
    EXPECT_TRUE((doc().mask_pattern.row(2).array() == 0).all());
    EXPECT_EQ(doc().mask_pattern(1, 0), 1);
    click_at({first.center().x, first.y - 12});  // partly seen; a click shows all
    EXPECT_TRUE((doc().mask_pattern.col(0).array() == 1).all());
}

TEST_F(AppHand, AMaskOfTwoTextsIsPaintedInItsOwnShape) {
    attn::Document cross;
    cross.text = "early morning";
    attn::choose_form(cross, "cross");
    cross.source = "good day my friend";
    cross.config.mask = "drawn";
    cross.mask_pattern = attn::Matrix::Ones(2, 4);
    app_->apply(becomes(cross));
    const attn::Trace& trace = app_->derived().run->trace;
    const int stop = stop_of(app_->derived().timeline, trace, attn::find_id(trace, {Role::Masked}));
    ASSERT_GE(stop, 0);
    app_->apply(GoToStop{stop, 1});
    drag(middle("cell_0_2"), middle("cell_1_3"));
    ASSERT_EQ(doc().mask_pattern.rows(), 2);
    ASSERT_EQ(doc().mask_pattern.cols(), 4);
    for (int r = 0; r < 2; ++r)
        for (int c = 0; c < 4; ++c) EXPECT_EQ(doc().mask_pattern(r, c) != 0, c < 2) << r << "," << c;
    EXPECT_EQ(value(Role::Weights, 1, 3), 0);
    EXPECT_NEAR(value(Role::Weights, 1, 0) + value(Role::Weights, 1, 1), 1, 1e-6f);
}

TEST_F(AppHand, TheSecondTextIsTypedInOneUndo) {
    attn::Document cross;
    cross.text = "early morning";
    attn::choose_form(cross, "cross");
    app_->apply(becomes(cross));
    click("source");
    key_with_ctrl(gui::Key::A);
    for (const char* letter : {"d", "a", "y"}) type(letter);
    EXPECT_EQ(doc().source, "day");
    EXPECT_EQ(trace().source_tokens, (std::vector<std::string>{"day"}));
    app_->apply(Undo{});
    EXPECT_EQ(doc(), cross);
}

/// BERT reads it after the first text: [CLS] a [SEP] b [SEP]. Without it there is one text, and a model that reads one has no
/// field.
TEST_F(AppHand, ASecondSentenceOfBertIsTypedAndRemoved) {
    const auto model = attn::find_model(ATTN_SOURCE_DIR "/tests/data/cases/16-sentence-pair", {.folders = true});
    ASSERT_TRUE(model) << model.error().text();
    attn::Document one;
    one.text = "the cat";
    use_model(one, *model);
    app_->apply(becomes(one));
    EXPECT_EQ(trace().tokens, (std::vector<std::string>{"[CLS]", "the", "cat", "[SEP]"}));
    click("source");
    for (const char* letter : {"d", "o", "g"}) type(letter);
    EXPECT_EQ(doc().source, "dog");
    EXPECT_EQ(trace().tokens, (std::vector<std::string>{"[CLS]", "the", "cat", "[SEP]", "dog", "[SEP]"}));
    EXPECT_EQ(value(Role::SegmentShares, 4, 1), 1);
    attn::Document other = doc();
    use_model(other, nullptr);
    EXPECT_EQ(other.source, "dog");
    app_->apply(Undo{});
    EXPECT_EQ(doc(), one);
    EXPECT_EQ(trace().tokens.size(), 4u);
    attn::Document back = doc();
    use_model(back, nullptr);
    EXPECT_EQ(back.source, attn::Document{}.source);
    attn::choose_form(back, "cross");
    use_model(back, *model);
    EXPECT_TRUE(back.source.empty());
    EXPECT_EQ(attn::tokens_of(back).size(), 4u);
}

/// A click on a step goes there and stands still; further clicks go through the steps of its stage.
TEST_F(AppHand, AClickOnAStepStandsStill) {
    attn::Document two;
    two.text = "the tired cat";
    two.weights = "random";
    two.config.heads = 2;
    app_->apply(becomes(two));
    app_->apply(ChangeView{[](ViewState& v) { v.screen = Screen::Stage; }});
    frame();
    const std::vector<Section> sections = app_->derived().timeline.sections;
    ASSERT_GE(sections.size(), 5U);
    int of_several = 0;
    for (std::size_t i = 1; i < sections.size(); ++i) {
        SCOPED_TRACE(i);
        int expected = sections[i].last;
        for (int again = 0; again <= sections[i].last - sections[i].first + 1; ++again) {
            click("section_" + std::to_string(i + 1));
            for (int passed = 0; passed < 20; ++passed) app_->apply(Advance{0.1});
            EXPECT_FALSE(app_->state().view.playing);
            EXPECT_EQ(app_->derived().pose.stop, expected);
            EXPECT_EQ(app_->state().view.playhead.progress, 1);
            expected = expected < sections[i].last ? expected + 1 : sections[i].first;
        }
        of_several += sections[i].last > sections[i].first;
    }
    EXPECT_GT(of_several, 0);
}

/// After stepping past the end of a page's motion, playback does not jump back.
TEST_F(AppHand, LeavingAPagesMotionDoesNotPullTheWalkBack) {
    app_->apply(becomes(attn::Document{}));
    app_->apply(ChangeView{[](ViewState& v) { v.screen = Screen::Stage; }});
    frame();
    const int last = app_->derived().timeline.sections[1].last;
    const attn::Tag end = trace()[app_->derived().timeline.stops[static_cast<std::size_t>(last)].step].tag;
    app_->apply(Play{true});
    app_->apply(ChangeView{[end](ViewState& v) { v.course.play_to = end; }});
    app_->apply(GoToStop{last + 1, 1});
    app_->apply(Replay{});
    app_->apply(Advance{0.01});
    EXPECT_EQ(app_->derived().pose.stop, last + 1);
    EXPECT_TRUE(app_->state().view.playing);
    EXPECT_FALSE(app_->state().view.course.play_to);
}

TEST_F(AppHand, TheScreensChangeByTabAndByKey) {
    show("the tired cat", "none", {Role::Scores});
    click("screen.2");
    EXPECT_EQ(app_->state().view.screen, Screen::Compare);
    rect_of(frame_with("left_0_0"), "left_0_0");
    press(gui::Key::F2);
    EXPECT_EQ(app_->state().view.screen, Screen::Stage);
    rect_of(frame_with("cell_0_0"), "cell_0_0");
    press(gui::Key::F3);
    EXPECT_EQ(app_->state().view.screen, Screen::Compare);
}

TEST_F(AppHand, ABoxBehindTheAttentionUnfoldsAndFolds) {
    attn::Document doc;
    doc.text = "the tired cat";
    attn::choose_form(doc, "encoder");
    app_->apply(becomes(doc));
    app_->apply(ChangeView{[](ViewState& v) { v.screen = Screen::Flow; }});
    const auto unfolded = [&] { return app_->state().view.unfolded ? attn::step_name(*app_->state().view.unfolded) : ""; };
    click("flow_box_l1.residual");
    EXPECT_EQ(unfolded(), "l1.residual");
    click("flow_box_l1.up");
    EXPECT_EQ(unfolded(), "l1.up");
    click("flow_box_l1.up");
    EXPECT_EQ(unfolded(), "");
    click("flow_box_l1.up");
    press(gui::Key::Escape);
    EXPECT_EQ(unfolded(), "");
    EXPECT_EQ(app_->state().view.screen, Screen::Flow) << "no number was entered";
}

TEST_F(AppHand, AGatedUnitOpensBesideItsRowOfTheAlignment) {
    attn::Document doc;
    use_model(doc, attn::shipped_model("alignment"));
    doc.source = "a black cat .";
    doc.text = "fr un chat noir .";
    app_->apply(becomes(doc));
    app_->apply(ChangeView{[](ViewState& v) { v.screen = Screen::Heads; }});
    click("alignment_state_0");
    ASSERT_TRUE(app_->state().view.unfolded);
    EXPECT_EQ(app_->state().view.unfolded->role, Role::State);
    const auto pinned = app_->state().view.pinned;
    ASSERT_TRUE(pinned) << "the row of the state is spoken of";
    EXPECT_EQ(pinned->tag.time, 0);
    click("alignment_state_0");
    EXPECT_FALSE(app_->state().view.unfolded);
}

TEST_F(AppHand, PointingIsSharedByTheThreeMatrices) {
    show("the tired cat", "none", {Role::Scores});
    app_->apply(GoToStop{0, 1});
    press(gui::Key::F3);
    gui::inject_mouse_pos(middle("right_1_2"));
    const FrameLog log = frame();
    const attn::Matrix& difference = *app_->derived().part<ComparisonData>().compared.difference.value;
    ASSERT_EQ(difference.rows(), 3);
    const std::string number = (difference(1, 2) > 0 ? "+" : "") + number_text(difference(1, 2));
    const auto said = std::find_if(log.labels.begin(), log.labels.end(), [&](const LabelRect& label) {
        return label.text.find("tired → cat") != std::string::npos && label.text.find(number) != std::string::npos;
    });
    EXPECT_NE(said, log.labels.end());
}

TEST_F(AppHand, TheChangeIsShownInPlaceOfTheNumbers) {
    show("the tired cat", "none", {Role::Weights});
    attn::Document edited = doc();
    edited.edits = {{{Role::Scores}, 0, 1, 4}};
    app_->apply(becomes(edited));
    press(gui::Key::D);
    ASSERT_TRUE(app_->state().view.difference);
    const attn::Matrix& change = *app_->derived().edit_change.value;
    ASSERT_EQ(change.rows(), 3);
    EXPECT_GT(change(0, 1), 0);
    EXPECT_LT(change(0, 0), 0);
    EXPECT_EQ(change(1, 1), 0);
    click("cell_0_1");
    EXPECT_EQ(app_->state().view.pinned, (CellRef{{Role::Weights}, 0, 1}));
    click("change");
    EXPECT_FALSE(app_->state().view.difference);
}

}  // namespace
}  // namespace app
