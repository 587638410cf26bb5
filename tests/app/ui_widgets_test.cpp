#include "tests/app/ui_stage.h"

#include <cmath>
#include <limits>

namespace app {
namespace {

using gui::Key;
using Widgets = UiStage;

TEST_F(Widgets, ButtonIsClickedOnce) {
    int clicks = 0;
    const auto draw = [&](Ui& ui) { clicks += button(ui, "go", {20, 20, 100, 32}, "Go"); };
    frames(2, draw);
    click("go", draw);
    EXPECT_EQ(clicks, 1);
    click(Point{300, 300}, draw);
    EXPECT_EQ(clicks, 1);
}

TEST_F(Widgets, DisabledButtonKeepsStill) {
    int clicks = 0;
    const auto draw = [&](Ui& ui) { clicks += button(ui, "go", {20, 20, 100, 32}, "Go", ButtonKind::Filled, false); };
    frames(2, draw);
    click("go", draw);
    EXPECT_EQ(clicks, 0);
}

TEST_F(Widgets, SelectOpensChoosesAndCloses) {
    int chosen = 0;
    const std::string_view options[] = {"None", "Causal", "手绘"};
    const auto draw = [&](Ui& ui) { select(ui, "mask", {300, 50, 120, 30}, std::span(options), chosen); };
    frames(2, draw);
    click("mask", draw);
    EXPECT_TRUE(gui::any_popup());
    click("mask.2", draw);
    EXPECT_EQ(chosen, 2);
    EXPECT_FALSE(gui::any_popup());
}

TEST_F(Widgets, SelectStaysOnTheScreen) {
    int chosen = 0;
    std::vector<std::string_view> options(60, "an option");
    const auto draw = [&](Ui& ui) {
        select(ui, "many", {600, 470, 40, 30}, std::span<const std::string_view>(options), chosen);
    };
    frames(2, draw);
    gui::inject_mouse_pos({610, 475});
    click(Point{610, 475}, draw);
    const Rect row = rect_of("many.0");
    EXPECT_GE(row.x, 0.0f);
    EXPECT_LE(row.right(), kSize.w);
    EXPECT_GE(row.y, 0.0f);
}

TEST_F(Widgets, SelectIsWorkedByKeys) {
    int chosen = 0;
    const SelectOption options[] = {{"a"}, {"b", false}, {"c"}};
    const auto draw = [&](Ui& ui) {
        select(ui, "s", {300, 50, 120, 30}, std::span<const SelectOption>(options), chosen);
    };
    frames(2, draw);
    press(Key::Tab, draw);
    EXPECT_TRUE(focus_.owns_keys());
    press(Key::Down, draw);
    EXPECT_EQ(chosen, 2);  // over a disabled choice
    press(Key::Enter, draw);
    EXPECT_TRUE(gui::any_popup());
    press(Key::Up, draw);
    EXPECT_EQ(chosen, 0);
    press(Key::Escape, draw);
    EXPECT_FALSE(gui::any_popup());
}

TEST_F(Widgets, SliderDragsStepsAndResets) {
    float value = 1.0f;
    const SliderRange range{0.0f, 2.0f, 0.1f, 1.0f};
    const auto draw = [&](Ui& ui) { slider(ui, "t", {20, 20, 214, 30}, value, range); };
    frames(2, draw);
    click(Point{27 + 150, 35}, draw);
    EXPECT_NEAR(value, 1.5f, 1e-5f);
    press(Key::Tab, draw);
    press(Key::Right, draw);
    EXPECT_NEAR(value, 1.6f, 1e-5f);
    press(Key::Home, draw);
    EXPECT_EQ(value, 0.0f);
    gui::inject_mouse_pos({100, 35});
    frames(2, draw);
    gui::inject_mouse_button(1, true);
    frames(2, draw);
    gui::inject_mouse_button(1, false);
    frames(2, draw);
    EXPECT_EQ(value, 1.0f);
}

TEST_F(Widgets, SliderSurvivesNonsense) {
    float value = std::numeric_limits<float>::quiet_NaN();
    const auto draw = [&](Ui& ui) {
        slider(ui, "a", {20, 20, 200, 30}, value, {0.0f, 0.0f, 0.0f, 0.0f});
        slider(ui, "b", {20, 60, 2, 30}, value, {1.0f, -1.0f, 0.1f, 0.0f});
        slider(ui, "c", {20, 90, 200, 30}, value, {0.0f, 10.0f, 0.1f, 0.0f, true});
    };
    frames(3, draw);
    press(Key::Tab, draw);
    press(Key::Right, draw);
    SUCCEED();
}

TEST_F(Widgets, FieldTakesBothScripts) {
    std::string text;
    const auto draw = [&](Ui& ui) { text_field(ui, "text", {20, 20, 300, 36}, text, {"Type a sentence…"}); };
    frames(2, draw);
    click("text", draw);
    EXPECT_TRUE(gui::typing());
    gui::inject_text("hi 早上好");
    frames(3, draw);
    EXPECT_EQ(text, "hi 早上好");
    press(Key::Backspace, draw);
    EXPECT_EQ(text, "hi 早上");
    EXPECT_TRUE(gui::has_glyph(fonts_->at(Type::Body), U'早'));
}

/// A text that is shortened without a mark looks like a shorter one. While it is edited, all of it can be seen.
TEST_F(Widgets, FieldEndsALongTextWithAnEllipsis) {
    std::string text = "the animal didn't cross the street because it was too tired";
    const auto draw = [&](Ui& ui) { text_field(ui, "text", {20, 20, 300, 36}, text); };
    frames(2, draw);
    ASSERT_EQ(labels_.size(), 1u);
    EXPECT_TRUE(labels_[0].shortened);
    EXPECT_TRUE(labels_[0].text.ends_with("…")) << labels_[0].text;
    EXPECT_LE(labels_[0].rect.right(), 320);
    click("text", draw);
    EXPECT_TRUE(labels_.empty()) << "nothing is cut";
    press(Key::End, draw);
    gui::inject_text("!");
    frames(2, draw);
    EXPECT_EQ(text, "the animal didn't cross the street because it was too tired!");
    text = "short";  // by another part of the program
    frames(3, draw);
    EXPECT_TRUE(labels_.empty());
}

TEST_F(Widgets, FieldFollowsWhatOthersChange) {
    std::string text = "before";
    const auto draw = [&](Ui& ui) { text_field(ui, "text", {20, 20, 300, 36}, text); };
    frames(2, draw);
    click("text", draw);
    gui::inject_text("x");
    frames(2, draw);
    text = "after";  // an undo
    frames(3, draw);
    EXPECT_EQ(text, "after");
    click("text", draw);
    press(Key::End, draw);
    gui::inject_text("!");
    frames(3, draw);
    EXPECT_EQ(text, "after!");
}

TEST_F(Widgets, FieldPastesAndIsCutAtItsLimit) {
    std::string text;
    bool cut = false;
    const auto draw = [&](Ui& ui) { cut |= text_field(ui, "text", {20, 20, 300, 36}, text).cut; };
    frames(2, draw);
    click("text", draw);
    gui::set_clipboard(std::string(1 << 20, 'x'));
    gui::inject_key(Key::Ctrl, true);
    frames(2, draw);
    press(Key::V, draw);
    gui::inject_key(Key::Ctrl, false);
    frames(3, draw);
    EXPECT_TRUE(cut);
    EXPECT_GT(text.size(), 1000u);
    EXPECT_LE(text.size(), gui::kMostFieldBytes);
}

TEST_F(Widgets, FieldShowsWhatIsTooLong) {
    std::string text(1 << 20, 'y');
    frames(3, [&](Ui& ui) { EXPECT_TRUE(text_field(ui, "text", {20, 20, 300, 36}, text).cut); });
    EXPECT_EQ(text.size(), std::size_t{1} << 20);
}

TEST_F(Widgets, TabWalksThroughAllOfThem) {
    std::string text;
    bool on = false;
    int chosen = 0;
    const std::string_view modes[] = {"a", "b", "c"};
    const auto draw = [&](Ui& ui) {
        text_field(ui, "text", {20, 20, 300, 36}, text);
        segmented(ui, "mode", {20, 70, 300, 32}, modes, chosen);
        toggle(ui, "on", {20, 120, 200, 30}, "On", on);
    };
    frames(2, draw);
    press(Key::Tab, draw);
    EXPECT_TRUE(gui::typing());
    gui::inject_text("x");
    frames(2, draw);
    EXPECT_EQ(text, "x");
    press(Key::Tab, draw);
    EXPECT_FALSE(gui::typing());
    press(Key::Right, draw);
    EXPECT_EQ(chosen, 1);
    press(Key::Right, draw);  // the focus moves along
    EXPECT_EQ(chosen, 2);
    press(Key::Tab, draw);
    press(Key::Space, draw);
    EXPECT_TRUE(on);
    gui::inject_key(Key::Shift, true);
    press(Key::Tab, draw);
    gui::inject_key(Key::Shift, false);
    press(Key::Left, draw);
    EXPECT_EQ(chosen, 1);
    press(Key::Escape, draw);
    EXPECT_FALSE(focus_.owns_keys());
}

TEST_F(Widgets, KeysWork) {
    int times = 0;
    const auto draw = [&](Ui&) { times += gui::pressed(Key::F11) + gui::pressed(Key::K) + gui::pressed(Key::Digit1); };
    frames(1, draw);
    for (Key key : {Key::F11, Key::K, Key::Digit1}) press(key, draw);
    EXPECT_EQ(times, 3);
}

TEST_F(Widgets, HostileGeometryAndTextAreSafe) {
    const float nan = std::numeric_limits<float>::quiet_NaN(), far = 1e30f;
    const std::string megabyte(1 << 20, 'm');
    frames(2, [&](Ui& ui) {
        Painter& p = ui.painter();
        for (float v : {nan, far, -far, 0.0f, -5.0f}) {
            p.fill({v, v, 10, 10}, Hue::Ink, 4);
            p.fill({10, 10, v, v}, Hue::Ink, v);
            p.stroke({10, 10, v, v}, Hue::Ink, 3, 1);
            p.stroke_dashed({10, 10, v, v}, Hue::Ink, 3, 1, 4, 3);
            p.hatch({10, 10, v, v}, Hue::Ink, 6, 1);
            p.shadow({10, 10, v, v}, 3, 10, 0.2f, 2);
            p.ribbon({v, 0, 10}, {50, 20, v}, Hue::Key);
            p.line_dashed({0, 0}, {v, v}, Hue::Ink, 1, 3, 3);
            p.arrow({0, 0}, {v, v}, Hue::Ink, 1, 8);
            p.circle({v, v}, 4, Hue::Ink);
            p.text({v, v}, "x", {Type::Body}, Hue::Ink);
            p.text_fit({10, 10, v, 20}, "some words", {Type::Body}, Hue::Ink);
        }
        p.text({10, 100}, megabyte, {Type::Body}, Hue::Ink);
        p.text_fit({10, 120, 200, 20}, megabyte, {Type::Body}, Hue::Ink);
        p.text({10, 140}, "\xff\xfe broken \xe6", {Type::Body}, Hue::Ink);
        tooltip(ui, {nan, 0, 0, 0}, {0, 0, kSize.w, kSize.h}, "");
    });
    SUCCEED();
}

TEST_F(Widgets, ATooltipIsOnTheRequestedSideIfThereIsRoom) {
    const Rect bounds{0, 0, kSize.w, kSize.h};
    const auto card = [&](Rect anchor, TipSide side) {
        frame([&](Ui& ui) { tooltip(ui, anchor, bounds, "words", side); });
        return labels_.empty() ? Rect{} : labels_.back().rect;
    };
    const Rect row{20, 200, 160, 30}, middle{kSize.w / 2, 300, 40, 30}, foot{kSize.w / 2, kSize.h - 40, 40, 30}, head{kSize.w / 2, 4, 40, 30};
    EXPECT_GT(card(row, TipSide::Right).x, row.right()) << "beside a row, not over the next one";
    EXPECT_LT(card({kSize.w - 180, 200, 160, 30}, TipSide::Left).right(), kSize.w - 180);
    EXPECT_GT(card(middle, TipSide::Below).y, middle.bottom());
    EXPECT_LT(card(middle, TipSide::Above).bottom(), middle.y);
    EXPECT_LT(card(foot, TipSide::Below).bottom(), foot.y) << "there is no room below";
    EXPECT_GT(card(head, TipSide::Above).y, head.bottom()) << "there is no room above";
    EXPECT_GT(card({20, 200, kSize.w - 40, 30}, TipSide::Right).y, 230) << "there is no room beside";
}

TEST_F(Widgets, FittedTextFits) {
    frame([&](Ui& ui) {
        const Painter& p = ui.painter();
        for (std::string_view text : {"A very long text that must be cut", "一段非常长的文字会被截断"}) {
            for (float width : {30.0f, 60.0f, 120.0f}) {
                const std::string cut = p.fitted(text, Type::Body, width);
                EXPECT_LE(p.width(cut, Type::Body), width);
                EXPECT_TRUE(cut.ends_with("…"));
            }
            EXPECT_EQ(p.fitted(text, Type::Body, 1000), text);
        }
    });
}

TEST_F(Widgets, LabelsAreCached) {
    frame([](Ui& ui) {
        const auto clip = ui.painter().clip({0, 0, 50, 50});
        ui.painter().text({10, 30}, "label", {Type::Body}, Hue::Ink);
    });
    ASSERT_EQ(labels_.size(), 1u);
    EXPECT_EQ(labels_[0].text, "label");
    EXPECT_EQ(labels_[0].clip, (Rect{0, 0, 50, 50}));
    EXPECT_GT(labels_[0].rect.w, 10.0f);
}

}  // namespace
}  // namespace app
