// What a hand changes: numbers, the mask, the settings, the second text, the screens.

#include <algorithm>

#include "app/content/number_text.h"
#include "app/state/examples.h"
#include "app/views/settings_table.h"
#include "app/views/view.h"
#include "core/model/model.h"
#include "tests/app/app_fixture.h"

namespace app {
namespace {

using attn::Role;

class AppHand : public AppFrame {
protected:
    const attn::Document& doc() { return app_->state().document; }
    const attn::Trace& trace() { return app_->derived().run->trace; }
    float value(Role role, int row, int col) { return attn::find(trace(), {role})->value(row, col); }
};

TEST_F(AppHand, ANumberIsTypedOverACellAndUndoTakesItBack) {
    show("the tired cat", "none", {Role::Scores});
    const attn::Document before = doc();
    const float computed = value(Role::Scores, 1, 2), weight = value(Role::Weights, 1, 2);
    click("cell_1_2");
    press(gui::Key::Enter);
    ASSERT_FALSE(rect_of(frame_with("number"), "number").empty());
    type("3.5");  // what stood there is selected
    press(gui::Key::Enter);
    ASSERT_EQ(doc().edits.size(), 1u);
    EXPECT_EQ(doc().edits[0], (attn::Edit{{Role::Scores}, 1, 2, 3.5f}));
    EXPECT_EQ(value(Role::Scores, 1, 2), 3.5f);
    EXPECT_GT(value(Role::Weights, 1, 2), weight);  // what follows from it follows
    EXPECT_NE(app_->derived().inspection.note.find(number_text(computed, 4)), std::string::npos);
    key_with_ctrl(gui::Key::Z);
    EXPECT_EQ(doc(), before);
}

/// A finger rests on the key that opened the field until the library repeats it: nothing is accepted, the field stays.
TEST_F(AppHand, AHeldEnterDoesNotCloseTheFieldThatItOpened) {
    show("the tired cat", "none", {Role::Scores});
    const attn::Document before = doc();
    click("cell_1_2");
    gui::inject_key(gui::Key::Enter, true);
    for (int i = 0; i < 8; ++i) app_->run_frame(kSize, 0.2);
    gui::inject_key(gui::Key::Enter, false);
    for (int i = 0; i < 3; ++i) app_->run_frame(kSize, 0.02);
    ASSERT_FALSE(rect_of(frame_with("number"), "number").empty());
    EXPECT_EQ(doc(), before);
    type("3.5");
    press(gui::Key::Enter);
    ASSERT_EQ(doc().edits.size(), 1u);
    EXPECT_EQ(doc().edits[0].value, 3.5f);
}

TEST_F(AppHand, EscapeGivesUpAndDeleteComputesAgain) {
    show("the tired cat", "none", {Role::Scores});
    const attn::Document before = doc();
    click("cell_0_1");
    press(gui::Key::Enter);
    type("9");
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

TEST_F(AppHand, WhatIsNoNumberIsNotTaken) {
    show("the tired cat", "none", {Role::Scores});
    const attn::Document before = doc();
    click("cell_0_1");
    press(gui::Key::Enter);
    type("two");
    press(gui::Key::Enter);
    EXPECT_EQ(doc(), before);
    EXPECT_FALSE(rect_of(frame_with("number"), "number").empty());
}

TEST_F(AppHand, TabGoesToTheNextCell) {
    show("the tired cat", "none", {Role::Scores});
    click("cell_0_2");
    press(gui::Key::Enter);
    type("1");
    press(gui::Key::Tab);
    type("2");
    press(gui::Key::Enter);
    ASSERT_EQ(doc().edits.size(), 2u);
    EXPECT_EQ(doc().edits[1], (attn::Edit{{Role::Scores}, 1, 0, 2}));
}

TEST_F(AppHand, AnInputIsTypedOverAsWell) {
    show("the tired cat", "none", {Role::Embeddings});
    click("cell_2_0");
    press(gui::Key::Enter);
    type("0.75");
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
        app_->apply(Advance{2});  // a hand may rest on its way
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
    drag(middle("cell_0_1"), middle("cell_2_3"));
    ASSERT_EQ(doc().config.mask, "drawn");
    for (int r = 0; r < 5; ++r)
        for (int c = 0; c < 5; ++c)
            EXPECT_EQ(doc().mask_pattern(r, c) != 0, c <= r || (r <= 2 && c >= 1 && c <= 3)) << r << "," << c;
    app_->apply(Undo{});
    EXPECT_EQ(doc(), before);
}

TEST_F(AppHand, ANameTakesItsWholeRowOrColumn) {
    show("the tired cat", "causal", {Role::Masked});
    const FrameLog log = frame();
    const Rect first = rect_of(log, "cell_0_0"), last = rect_of(log, "cell_2_0");
    const auto click_at = [&](Point at) {
        gui::inject_mouse_pos(at);
        frame();
        gui::inject_mouse_button(0, true);
        frame();
        gui::inject_mouse_button(0, false);
        frame();
    };
    click_at({last.x - 30, last.center().y});  // all of it is seen: now none
    ASSERT_EQ(doc().config.mask, "drawn");
    EXPECT_TRUE((doc().mask_pattern.row(2).array() == 0).all());
    EXPECT_EQ(doc().mask_pattern(1, 0), 1);
    click_at({first.center().x, first.y - 12});  // partly seen: now all
    EXPECT_TRUE((doc().mask_pattern.col(0).array() == 1).all());
}

TEST_F(AppHand, AMaskOfTwoTextsIsPaintedInItsOwnShape) {
    attn::Document cross;
    cross.text = "early morning";
    attn::choose_variant(cross, "cross");
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
    attn::choose_variant(cross, "cross");
    app_->apply(becomes(cross));
    click("source");
    key_with_ctrl(gui::Key::A);
    for (const char* letter : {"d", "a", "y"}) type(letter);
    EXPECT_EQ(doc().source, "day");
    EXPECT_EQ(trace().source_tokens, (std::vector<std::string>{"day"}));
    rect_of(frame_with("source_chip0"), "source_chip0");
    app_->apply(Undo{});
    EXPECT_EQ(doc(), cross);
}

TEST_F(AppHand, AHeadIsSwitchedOff) {
    attn::Document two;
    two.text = "the tired cat";
    two.weights = "random";
    two.config.heads = 2;
    app_->apply(becomes(two));
    scroll_to("head_2");
    click("head_2");
    EXPECT_EQ(doc().config.heads_off, (std::vector<int>{1}));
    EXPECT_NE(attn::find(trace(), {Role::HeadSwitched, 1}), nullptr);
    click("head_2");
    EXPECT_EQ(doc(), two);
}

TEST_F(AppHand, AModelIsTakenFromTheSettings) {
    show("the boy saw the bird and he loved it", "none", {Role::Weights});
    scroll_to("model");
    click("model");
    click("gallery.questions");
    ASSERT_NE(app_->state().document.model, nullptr);
    EXPECT_EQ(app_->state().view.sheet, Sheet::None);
    EXPECT_EQ(app_->state().document.config.heads, 4);
    EXPECT_EQ(app_->state().document.text, "the boy saw the bird and he loved it");
    scroll_to("model");
    click("model");
    click("gallery.none");
    EXPECT_EQ(app_->state().document.model, nullptr);
}

TEST_F(AppHand, AFormIsTakenFromTheSettings) {
    show("the tired cat", "none", {Role::Weights});
    scroll_to("variant");
    click("variant");
    click("gallery.multi_head");
    EXPECT_EQ(doc().config.variant, "multi_head");
    EXPECT_EQ(doc().text, "the tired cat");
}

TEST_F(AppHand, AnExampleIsTakenFromItsPicture) {
    show("the tired cat", "none", {Role::Weights});
    key_with_ctrl(gui::Key::O);
    click("gallery.morning");
    EXPECT_EQ(doc(), example_document("morning").document);
}

TEST_F(AppHand, OnlyWhatIsReadIsOffered) {
    show("the tired cat", "none", {Role::Scores});
    EXPECT_FALSE(shows("window+"));
    scroll_to("window+");  // opens every group
    EXPECT_FALSE(shows("window+"));
    scroll_to("heads");
    EXPECT_FALSE(shows("heads"));  // the form has none
    attn::Document windowed = doc();
    windowed.config.mask = "sliding_window";
    app_->apply(becomes(windowed));
    scroll_to("window+");
    EXPECT_TRUE(shows("window+"));
    click("window+");
    EXPECT_EQ(doc().config.window, windowed.config.window + 1);
}

/// Where not all settings have room, one group stands open; the others say what they are set to.
TEST_F(AppHand, GroupsOfSettingsFold) {
    attn::Document blocks;
    blocks.text = "the tired cat";
    attn::choose_variant(blocks, "encoder");
    app_->apply(becomes(blocks));
    EXPECT_TRUE(shows("score"));
    EXPECT_FALSE(shows("mask"));
    click("settings_group.2");
    EXPECT_FALSE(shows("score"));
    EXPECT_TRUE(shows("mask"));
    const attn::Document before = doc();
    click("settings_group.2");
    EXPECT_FALSE(shows("mask"));
    EXPECT_EQ(doc(), before);
    // Every setting is in sight once its group is opened, without scrolling.
    for (std::size_t i = 0; i < setting_groups().size(); ++i) {
        const std::string group = "settings_group." + std::to_string(i);
        if (!shows(group)) continue;
        click(group);
        EXPECT_FALSE(shows("settings_scroll")) << group;
    }
}

/// Icons and settings say what they do once the pointer has rested on them for half a second, and not before.
TEST_F(AppHand, WhatThePointerRestsOnSaysWhatItDoes) {
    show("the tired cat", "none", {Role::Scores});
    const std::pair<const char*, const char*> kThings[] = {{"convention", "hint.convention"}, {"theme", "hint.next_theme"},
                                                           {"export", "hint.export"},         {"undo", "hint.undo"},
                                                           {"score", "hint.score"},           {"mask", "hint.mask"}};
    for (const auto& [control, said] : kThings) {
        scroll_to(control);
        gui::inject_mouse_pos({1, kSize.h - 1});
        frame();
        gui::inject_mouse_pos(middle(control));
        frame(20);
        EXPECT_FALSE(shows(said)) << control << " after a third of a second";
        EXPECT_TRUE(app_->wants_frame()) << "time brings it";
        frame(20);
        EXPECT_TRUE(shows(said)) << control;
    }
    gui::inject_mouse_button(0, true);
    EXPECT_FALSE(shows("hint.mask"));
    gui::inject_mouse_button(0, false);
    frame();
}

/// Whatever can be clicked in the header, the steps and settings, and the transport says what it does, in both languages.
TEST_F(AppHand, EveryControlSaysWhatItDoes) {
    const std::pair<const char*, Language> kSeen[] = {
        {"multi_head", Language::English}, {"multi_head", Language::Chinese}, {"encoder", Language::English}};
    const auto told_of = [](const FrameLog& log) {
        return std::any_of(log.widgets.begin(), log.widgets.end(),
                           [](const WidgetRect& w) { return w.id.starts_with("hint."); });
    };
    for (const auto& [form, language] : kSeen) {
        attn::Document seen;
        seen.text = "the tired cat";
        attn::choose_variant(seen, form);
        seen.config.heads = 2;
        app_->apply(becomes(seen));
        app_->state().view.language = language;
        gui::inject_mouse_pos({kSize.w / 2, kSize.h / 2});
        const FrameLog all = frame();
        const Rect header{0, 0, kSize.w, 60}, footer{0, kSize.h - 64, kSize.w, 64}, left{0, 60, 226, kSize.h - 124};
        int asked = 0;
        for (const WidgetRect& widget : all.widgets) {
            const Point at = widget.rect.center();
            if (widget.rect.empty() || (!header.contains(at) && !footer.contains(at) && !left.contains(at))) continue;
            gui::inject_mouse_pos(at);
            FrameLog log;
            for (int i = 0; i < 4; ++i) {
                log = {};
                app_->run_frame(kSize, 0.3, &log);
            }
            EXPECT_TRUE(told_of(log)) << form << ' ' << language_id(language) << ' ' << widget.id;
            ++asked;
        }
        EXPECT_GT(asked, 20) << form;
    }
}

/// Each number or choice of a document that some form reads has its control, and it is offered wherever it is read.
TEST(Settings, EveryNumberAndChoiceOfADocumentHasItsControl) {
    const auto setting_of = [](std::string_view key) -> const Setting* {
        for (const SettingGroup& group : setting_groups())
            for (const Setting& setting : group.settings)
                if (setting.field == key) return &setting;
        return nullptr;
    };
    for (const attn::Field& field : attn::document_fields()) {
        using attn::FieldKind;
        if (field.kind != FieldKind::Choice && field.kind != FieldKind::Integer && field.kind != FieldKind::Number) continue;
        EXPECT_NE(setting_of(field.key), nullptr) << field.key;
    }
    for (const auto& [form, key] : {std::pair("multi_head", "head_width"), std::pair("multi_head", "b_Q"),
                                    std::pair("encoder", "epsilon"), std::pair("bahdanau", "unit"),
                                    std::pair("multi_head", "temperature")}) {
        attn::Document doc;
        attn::choose_variant(doc, form);
        ASSERT_NE(setting_of(key), nullptr) << key;
        EXPECT_TRUE(is_offered(*setting_of(key), doc)) << form << ' ' << key;
    }
    attn::Document rotated;
    rotated.config.position = "rope";
    EXPECT_TRUE(is_offered(*setting_of("rope_base"), rotated));
    attn::Document added;
    added.config.score = "additive";
    EXPECT_TRUE(is_offered(*setting_of("score_width"), added));
    EXPECT_FALSE(is_offered(*setting_of("score_width"), attn::Document{}));
}

TEST_F(AppHand, WhatOnlyADocumentCouldSayIsSetHere) {
    attn::Document blocks;
    blocks.text = "the tired cat";
    attn::choose_variant(blocks, "encoder");
    blocks.config.position = "rope";
    app_->apply(becomes(blocks));
    const auto press_on = [&](const char* id) {
        scroll_to(id);
        click(id);
    };
    press_on("temperature.inf");
    EXPECT_TRUE(std::isinf(doc().config.temperature));
    press_on("temperature.inf");
    EXPECT_FLOAT_EQ(doc().config.temperature, 1.0f);
    press_on("rope_base+");
    EXPECT_FLOAT_EQ(doc().config.rope_base, 100000.0f);
    const float epsilon = doc().config.epsilon;
    press_on("epsilon-");
    EXPECT_NEAR(doc().config.epsilon, epsilon / 10, epsilon * 1e-4f);
    attn::Document plain;
    plain.text = "the tired cat";
    app_->apply(becomes(plain));
    press_on("head_width+");
    EXPECT_EQ(doc().config.head_width, 1);
    press_on("bias_Q");
    ASSERT_TRUE(doc().matrix(attn::Given::b_Q).has_value());
    EXPECT_NE(attn::find(trace(), {Role::QueryBias}), nullptr);
    EXPECT_TRUE(attn::problems(doc()).empty());
    press_on("bias_Q");
    EXPECT_FALSE(doc().matrix(attn::Given::b_Q).has_value());
}

/// In both languages, every setting.
TEST(Settings, EachSaysWhatItDoes) {
    for (const SettingGroup& group : setting_groups())
        for (const Setting& setting : group.settings) {
            const std::string_view english = hint_of(setting.field, Language::English), chinese = hint_of(setting.field, Language::Chinese);
            EXPECT_TRUE(english.ends_with('.')) << setting.field;
            EXPECT_TRUE(chinese.ends_with("。")) << setting.field;
        }
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

TEST_F(AppHand, PointingIsSharedByTheThreeMatrices) {
    show("the tired cat", "none", {Role::Scores});
    app_->apply(GoToStop{0, 1});
    press(gui::Key::F3);
    gui::inject_mouse_pos(middle("right_1_2"));
    const FrameLog log = frame();
    const attn::Matrix& difference = *app_->derived().compared.difference.value;
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

class AppColumns : public AppHand {
protected:
    /// Tokens as columns, by the key.
    void show_columns(std::string_view text, std::string_view mask, attn::Tag step) {
        show(text, mask, step);
        press(gui::Key::T);
        ASSERT_EQ(app_->state().view.convention, attn::Convention::Columns);
    }
};

TEST_F(AppColumns, TheKeyAndTheButtonTurnIt) {
    show_columns("the tired cat", "none", {Role::Scores});
    click("convention");
    EXPECT_EQ(app_->state().view.convention, attn::Convention::Rows);
    click("convention");
    EXPECT_EQ(app_->state().view.convention, attn::Convention::Columns);
}

/// What stands right of a cell is the next row's; what is clicked there is that cell.
TEST_F(AppColumns, ACellIsWhereItIsSeen) {
    show_columns("the tired cat", "none", {Role::Scores});
    const FrameLog log = frame();
    const Rect a = rect_of(log, "cell_0_0"), right = rect_of(log, "cell_1_0"), down = rect_of(log, "cell_0_1");
    EXPECT_GT(right.x, a.x);
    EXPECT_EQ(right.y, a.y);
    EXPECT_GT(down.y, a.y);
    EXPECT_EQ(down.x, a.x);
    click("cell_2_1");
    EXPECT_EQ(app_->state().view.pinned, (CellRef{{Role::Scores}, 2, 1}));
    gui::inject_key(gui::Key::Alt, true);
    press(gui::Key::Down);
    gui::inject_key(gui::Key::Alt, false);
    frame();
    EXPECT_EQ(app_->state().view.pinned, (CellRef{{Role::Scores}, 2, 2}));
}

TEST_F(AppColumns, TabGoesToTheNextOneSeen) {
    show_columns("the tired cat", "none", {Role::Scores});
    click("cell_2_0");  // the last of the first line
    press(gui::Key::Enter);
    type("1");
    press(gui::Key::Tab);
    type("2");
    press(gui::Key::Enter);
    ASSERT_EQ(doc().edits.size(), 2u);
    EXPECT_EQ(doc().edits[1], (attn::Edit{{Role::Scores}, 0, 1, 2}));
}

TEST_F(AppColumns, TheMaskIsPaintedWhereItIsSeen) {
    show_columns("the tired cat sat down", "causal", {Role::Masked});
    drag(middle("cell_0_1"), middle("cell_2_3"));
    for (int r = 0; r < 5; ++r)
        for (int c = 0; c < 5; ++c)
            EXPECT_EQ(doc().mask_pattern(r, c) != 0, c <= r || (r <= 2 && c >= 1 && c <= 3)) << r << "," << c;
}

/// Left of the cells stand the keys now, above them the queries.
TEST_F(AppColumns, ANameTakesWhatItNames) {
    show_columns("the tired cat", "causal", {Role::Masked});
    const FrameLog log = frame();
    const Rect above = rect_of(log, "cell_2_0"), left = rect_of(log, "cell_0_2");
    const auto click_at = [&](Point at) { drag(at, at); };
    click_at({above.center().x, above.y - 12});  // the last query sees everything: now nothing
    ASSERT_EQ(doc().config.mask, "drawn");
    EXPECT_TRUE((doc().mask_pattern.row(2).array() == 0).all());
    EXPECT_EQ(doc().mask_pattern(1, 0), 1);
    click_at({left.x - 30, left.center().y});  // no query sees the last key: now all do
    EXPECT_TRUE((doc().mask_pattern.col(2).array() == 1).all());
}

TEST_F(AppColumns, TheComparedMatricesStandTransposedAsWell) {
    show_columns("the tired cat", "none", {Role::Scores});
    press(gui::Key::F3);
    gui::inject_mouse_pos(middle("right_1_2"));
    const FrameLog log = frame();
    EXPECT_GT(rect_of(log, "left_1_0").x, rect_of(log, "left_0_0").x);
    EXPECT_GT(rect_of(log, "left_0_1").y, rect_of(log, "left_0_0").y);
    EXPECT_TRUE(std::any_of(log.labels.begin(), log.labels.end(), [](const LabelRect& label) {
        return label.text.find("tired → cat") != std::string::npos;
    }));
}

}  // namespace
}  // namespace app
