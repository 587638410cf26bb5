// The whole program without its window: what user input changes, and that nothing else in the folder is read or left.

#include <gtest/gtest.h>

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <limits>
#include <optional>
#include <sstream>

#include "tests/app/anim_stage_support.h"
#include "tests/app/app_fixture.h"
#include "app/screens/compare/look.h"
#include "app/content/number_text.h"
#include "app/screens/heads/look.h"

namespace app {
namespace {

/// Two keys in one frame: the second change does not undo the first.
TEST_F(AppFrame, TwoKeysOfOneFrameBothCount) {
    const ViewState before = app_->state().view;
    gui::inject_key(gui::Key::F7, true);
    gui::inject_key(gui::Key::F6, true);
    frame(1);
    EXPECT_NE(app_->state().view.language, before.language);
    EXPECT_NE(app_->state().view.theme, before.theme);
    gui::inject_key(gui::Key::F7, false);
    gui::inject_key(gui::Key::F6, false);
}

TEST_F(AppFrame, AClickOnAMaskedCellFlipsItAndUndoRestoresIt) {
    show("the tired cat", "causal", {attn::Role::Masked});
    const attn::Document before = app_->state().document;
    click("cell_0_2");
    const attn::Document& after = app_->state().document;
    ASSERT_EQ(after.config.mask, "drawn");
    ASSERT_EQ(after.mask_pattern.rows(), 3);
    EXPECT_EQ(after.mask_pattern(0, 2), 1);  // was hidden by the causal mask
    EXPECT_EQ(after.mask_pattern(0, 1), 0);
    EXPECT_EQ(after.mask_pattern(2, 0), 1);
    const attn::Step* weights = attn::find(app_->derived().run->trace, {attn::Role::Weights});
    ASSERT_NE(weights, nullptr);
    EXPECT_GT(weights->value(0, 2), 0);
    key_with_ctrl(gui::Key::Z);
    EXPECT_EQ(app_->state().document, before);
}

TEST_F(AppFrame, PointingExplainsAndAClickPins) {
    show("the tired cat", "none", {attn::Role::Scores});
    const Point at = rect_of(frame_with("cell_2_1"), "cell_2_1").center();
    gui::inject_mouse_pos(at);
    frame();
    ASSERT_TRUE(app_->derived().focus);
    EXPECT_EQ(app_->derived().focus->row, 2);
    EXPECT_EQ(app_->derived().focus->col, 1);
    click("cell_2_1");
    gui::inject_mouse_pos({1, 1});
    frame();
    ASSERT_TRUE(app_->state().view.pinned);
    EXPECT_EQ(*app_->state().view.pinned, (CellRef{{attn::Role::Scores}, 2, 1}));
    EXPECT_TRUE(app_->derived().focus_pinned);
    const Inspection& in = app_->derived().inspection;
    ASSERT_FALSE(in.chain.empty());
    EXPECT_FLOAT_EQ(in.chain.front().value, app_->derived().run->trace[app_->derived().focus->step].value(2, 1));
}

/// What was typed is already computed: Escape leaves the field, not the sentence.
TEST_F(AppFrame, EscapeLeavesTheTextAsItIs) {
    show("the cat", "none", {attn::Role::Scores});
    click("text");
    press(gui::Key::End);
    type(" sat");
    ASSERT_EQ(app_->state().document.text, "the cat sat");
    press(gui::Key::Escape);
    EXPECT_EQ(app_->state().document.text, "the cat sat");
    EXPECT_FALSE(gui::typing());
    key_with_ctrl(gui::Key::Z);
    EXPECT_EQ(app_->state().document.text, "the cat");
}

/// A masked weight is never shown as 0.00: on the compare screen and among the heads it is hatched as on the stage.
TEST_F(AppFrame, MaskedWeightsHaveNoNumberOnAnyScreen) {
    show("the tired cat", "causal", {attn::Role::Weights});
    const auto text_in = [](const FrameLog& log, Rect cell) {
        for (const LabelRect& label : log.labels)
            if (cell.contains(label.rect.center())) return label.text;
        return std::string();
    };
    const std::pair<Screen, std::string> kShown[] = {{Screen::Heads, "preview"}, {Screen::Compare, "left"}, {Screen::Compare, "right"}};
    for (const auto& [screen, id] : kShown) {
        app_->state().view.screen = screen;
        app_->state().view.part<HeadsChoice>().page = "grid";
        app_->state().view.part<Comparison>().choice = "cosine";
        frame_with(id + "_0_0");
        const FrameLog log = frame(30);
        EXPECT_EQ(text_in(log, rect_of(log, id + "_0_0")), "1.00") << id;
        EXPECT_EQ(text_in(log, rect_of(log, id + "_0_2")), "") << id;
    }
}

/// A number that rounds to 0 is a dot; in the highlighted row and column it has the two digits that distinguish it from 0.
TEST_F(AppFrame, NumbersThatRoundToZeroAreDotsOnAnyScreen) {
    attn::Document doc;
    doc.text = "the tired cat sat down";
    doc.config.temperature = 0.03f;
    doc.config.heads = 2;
    app_->apply(becomes(doc));
    frame();
    const std::pair<Screen, std::string> kShown[] = {{Screen::Heads, "map0"}, {Screen::Heads, "preview"}, {Screen::Compare, "left"}, {Screen::Compare, "difference"}};
    int small = 0;
    for (const auto& [screen, id] : kShown) {
        SCOPED_TRACE(id);
        HeadsChoice choice;
        choice.page = id == "preview" ? "grid" : "lines";
        choice.matrix = id == "map0";
        app_->state().view.screen = screen;
        app_->state().view.part<HeadsChoice>() = choice;
        app_->state().view.part<Comparison>().choice = "cosine";
        gui::inject_mouse_pos(rect_of(frame_with(id + "_0_0"), id + "_0_0").center());
        Drawing drawing;
        FrameLog log = frame(30);
        log.clear();
        log.drawing = &drawing;
        app_->run_frame(kSize, 1.0 / 60, &log);
        int dots = 0, figures = 0;
        for (int r = 0; r < 5; ++r)
            for (int c = 0; c < 5; ++c) {
                const Rect cell = rect_of(log, id + "_" + std::to_string(r) + "_" + std::to_string(c));
                const auto label = std::find_if(log.labels.begin(), log.labels.end(), [&](const LabelRect& l) { return cell.contains(l.rect.center()); });
                const bool lit = r == 0 || c == 0;
                if (label == log.labels.end()) {
                    EXPECT_FALSE(lit) << r << ", " << c;
                    ++dots;
                    continue;
                }
                ++figures;
                EXPECT_FALSE(has_only_zeros(label->text) && label->text != "0") << label->text << " at " << r << ", " << c;
                small += label->text.find(".00") != std::string::npos;
            }
        EXPECT_GT(figures, 8);
        EXPECT_GT(dots, 0) << "nothing rounds to 0: this tests nothing";
    }
    EXPECT_GT(small, 0) << "nothing is small in what is lit";
}

/// A bar of the inspector is as long as its share: the bars of 0.00 and 0.02 are not equally short.
TEST_F(AppFrame, BarsOfSharesAreAsLongAsTheShares) {
    attn::Document doc;
    doc.text = "the tired cat sat down";
    doc.config.temperature = 0.1f;
    app_->apply(becomes(doc));
    app_->state().view.inspector = true;
    app_->state().view.pinned = CellRef{{attn::Role::Weights}, 2, 2};
    frame(30);
    Drawing drawing;
    FrameLog log;
    log.drawing = &drawing;
    app_->run_frame({1920, 1080}, 1.0 / 60, &log);
    const auto& shares = app_->derived().inspection.shares;
    ASSERT_FALSE(shares.empty());
    std::vector<float> tracks, bars;
    // A track, and on it the bar, with the same left edge.
    for (std::size_t i = 0; i + 1 < drawing.items.size(); ++i) {
        const DrawnItem &track = drawing.items[i], &bar = drawing.items[i + 1];
        const bool is_fill = track.kind == DrawnItem::Kind::Fill && bar.kind == DrawnItem::Kind::Fill;
        if (!is_fill || track.rect.x < 1440 || track.rect.h != 12 || bar.rect.h != 12 || bar.rect.x != track.rect.x) continue;
        tracks.push_back(track.rect.w);
        bars.push_back(bar.rect.w);
    }
    ASSERT_GE(bars.size(), 3u);
    std::vector<float> wanted;
    for (const ShareRow& share : shares) wanted.push_back(share.value);
    int small = 0;
    for (std::size_t i = 0; i < bars.size(); ++i) {
        const float share = bars[i] / tracks[i];
        small += bars[i] < 6;
        EXPECT_TRUE(std::any_of(wanted.begin(), wanted.end(), [&](float value) { return std::abs(value - share) <= 1 / tracks[i]; })) << share;
    }
    EXPECT_GT(small, 0) << "no small share: this tests nothing";
}

/// If the prompt does not fit into the empty field, a shorter one is shown: it is never cut.
TEST_F(AppFrame, ThePromptOfAnEmptyFieldIsWhole) {
    attn::Document doc;
    doc.text = "";
    app_->apply(becomes(doc));
    for (const Language language : {Language::English, Language::Chinese})
        for (const Size size : {Size{1440, 900}, Size{1280, 800}, Size{1024, 768}, Size{1920, 1080}}) {
            app_->state().view.language = language;
            FrameLog log;
            for (int i = 0; i < 3; ++i) {
                log = {};
                app_->build_frame(size, 1.0 / 60, &log);
            }
            const Rect field = rect_of(log, "text");
            int prompts = 0;
            for (const LabelRect& label : log.labels) {
                if (!field.contains(label.rect.center()) || label.text.find(language == Language::English ? "Type" : "输入") == std::string::npos) continue;
                ++prompts;
                EXPECT_FALSE(label.shortened) << label.text << " at " << size.w;
                EXPECT_EQ(label.text.find("…"), std::string::npos) << label.text << " at " << size.w;
            }
            EXPECT_EQ(prompts, 1) << size.w;
        }
}

/// The sentence is the last part of the bar to shrink: examples, the course and the name are folded before its text is
/// shortened.
TEST_F(AppFrame, TheSentenceInTheFieldIsWhole) {
    const std::pair<Language, std::string> texts[] = {{Language::English, "the boy saw the bird and he loved it"}, {Language::Chinese, "男孩看见小鸟，他喜欢它"}};
    for (const auto& [language, text] : texts)
        for (const std::string_view theme : {"light", "projector"})
            for (const Size size : {Size{1440, 900}, Size{1280, 800}, Size{1024, 768}})
                for (const Screen screen : {Screen::Home, Screen::Stage, Screen::Heads}) {
                    ViewState changed = app_->state().view;
                    changed.language = language;
                    changed.theme = theme;
                    changed.screen = screen;
                    app_->apply(becomes(changed));
                    attn::Document document = opening_document(language);
                    document.text = text;
                    app_->apply(becomes(document));
                    app_->finish();
                    FrameLog log;
                    for (int i = 0; i < 3; ++i) {
                        log = {};
                        app_->build_frame(size, 1.0 / 60, &log);
                    }
                    // What is typed is drawn by the field itself: its text has room left of the button in it.
                    const Rect field = rect_of(log, "text");
                    float right = field.right();
                    for (const WidgetRect& widget : log.widgets)
                        if (widget.id == "examples" && field.contains(widget.rect.center())) right = widget.rect.x;
                    const Theme& look = theme_named(theme);
                    constexpr float kGenerous = 0.92f;  // characters are at most this fraction wider than width_in() estimates
                    EXPECT_GE(right - field.x, kGenerous * staged::width_in(look, text, Type::Body) + 8) << text << " " << theme << " " << size.w << " screen " << static_cast<int>(screen);
                }
}

/// Slanted names extend beyond the area to the right; the last word determines by how much.
TEST_F(AppFrame, TheLastColumnHasItsNameIfNamesAreSlanted) {
    for (const std::string_view last : {"exhausted", "overwhelmed"}) {
        show("the animal did not cross the very old street " + std::string(last), "none", {attn::Role::Weights});
        app_->state().view.screen = Screen::Compare;
        app_->state().view.part<Comparison>().choice = "cosine";
        frame_with("right_0_0");
        const FrameLog log = frame(30);
        const Rect corner = rect_of(log, "right_0_9");
        EXPECT_LT(corner.w, 50) << "level names fit: this tests nothing";
        int above = 0;
        for (const LabelRect& label : log.labels) above += label.text == last && label.rect.y < corner.y && label.rect.x > corner.x;
        EXPECT_GE(above, 1) << last;
    }
}

/// … and in the small maps of all heads, and in the list of steps.
TEST_F(AppFrame, MaskedWeightsAreHatchedInSmallPictures) {
    const auto hatches_in = [&](Rect rect) {
        Drawing drawing;
        FrameLog log;
        log.drawing = &drawing;
        app_->run_frame(kSize, 1.0 / 60, &log);
        return std::count_if(drawing.items.begin(), drawing.items.end(), [&](const DrawnItem& item) {
            return item.kind == DrawnItem::Kind::Lines && rect.contains(item.points.front());
        });
    };
    for (const char* mask : {"causal", "none"}) {
        attn::Document doc;
        doc.text = "the tired cat";
        doc.config.heads = 2;
        doc.config.mask = mask;
        app_->apply(becomes(doc));
        app_->state().view.screen = Screen::Heads;
        app_->state().view.part<HeadsChoice>().page = "grid";
        frame_with("tile_0_4");
        const FrameLog log = frame(30);
        const auto masked = std::string_view(mask) == "causal" ? 3 : 0;
        // Both heads, their average, the largest and the strongest.
        for (int tile = 0; tile < 5; ++tile)
            EXPECT_EQ(hatches_in(rect_of(log, "tile_0_" + std::to_string(tile))), masked) << mask << ' ' << tile;
        app_->state().view.screen = Screen::Stage;
        app_->apply(GoToStop{static_cast<int>(app_->derived().timeline.stops.size()) - 1, 1});
        frame(30);
        // Scores and weights, each with its three cells.
        EXPECT_EQ(hatches_in({0, 60, 226, kSize.h - 124}) > 3, masked > 0) << mask;
    }
}

/// Each number that is drawn at full strength on a cell is legible there: contrast 4.5, on the stage, on the compare screen
/// and in the lens, in every theme.
TEST_F(AppFrame, NumbersAreLegibleOnTheirCells) {
    const auto unpacked = [](std::uint32_t c) {
        return Color{static_cast<std::uint8_t>(c), static_cast<std::uint8_t>(c >> 8), static_cast<std::uint8_t>(c >> 16), 255};
    };
    const auto alpha = [](std::uint32_t c) { return static_cast<float>(c >> 24) / 255.0f; };
    const auto is_number = [](std::string_view text) {
        if (text.starts_with("−")) text.remove_prefix(std::string_view("−").size());
        return !text.empty() && text.find_first_not_of("0123456789.") == std::string_view::npos;
    };
    int looked_at = 0;
    for (const Theme& theme : themes())
        for (const attn::Role role : {attn::Role::Embeddings, attn::Role::Scores, attn::Role::Output}) {
            app_->state().view.screen = Screen::Stage;
            show("the tired cat sat", "causal", {role});
            app_->state().view.theme = std::string(theme.id);
            frame(8);
            Drawing drawing;
            FrameLog log;
            log.drawing = &drawing;
            app_->run_frame(kSize, 1.0 / 60, &log);
            for (std::size_t i = 0; i < drawing.items.size(); ++i) {
                const DrawnItem& item = drawing.items[i];
                if (item.kind != DrawnItem::Kind::Text || !is_number(item.text) || alpha(item.color) < 0.98f) continue;
                const Point inside{item.at.x, item.at.y - item.em * 0.3f};
                Color ground = theme[Hue::Back];
                for (std::size_t j = 0; j < i; ++j) {
                    const DrawnItem& under = drawing.items[j];
                    if (under.kind == DrawnItem::Kind::Fill && under.layer <= item.layer && under.rect.contains(inside) &&
                        under.clip.contains(inside))
                        ground = mix(ground, unpacked(under.color), alpha(under.color));
                }
                EXPECT_GE(contrast(unpacked(item.color), ground), 4.5f)
                    << theme.id << ' ' << attn::role_id(role) << ' ' << item.text;
                ++looked_at;
            }
        }
    EXPECT_GT(looked_at, 100);
}

TEST_F(AppFrame, Row46_AnySizeIsSurvived) {
    for (const Size size : {Size{1, 1}, Size{3, 900}, Size{900, 3}, Size{200, 150}, Size{0, 0}, Size{4000, 40}}) {
        app_->run_frame(size, 1.0 / 60);
        app_->run_frame(size, 1.0 / 60);
    }
    EXPECT_FALSE(frame().widgets.empty());
}

TEST_F(AppFrame, Row50_AJumpingClockDoesNoHarm) {
    show("the tired cat", "none", {attn::Role::Scores});
    app_->apply(GoToStop{0, 0});
    app_->apply(Play{true});
    for (const double seconds : {1e9, -5.0, std::numeric_limits<double>::quiet_NaN(), 0.0})
        app_->run_frame(kSize, seconds);
    EXPECT_GE(app_->derived().time, 0);
    EXPECT_LT(app_->derived().time, 0.5);  // one longest frame at most
    EXPECT_TRUE(app_->state().view.playing);
}

/// Version 1.86 of the library crashes if it reads such a file.
TEST(Leftovers, Row57_AnIniFileIsNeitherReadNorWritten) {
    namespace fs = std::filesystem;
    const fs::path folder = fs::path(testing::TempDir()) / ("ini-" + std::to_string(::getpid())),
                   before = fs::current_path();
    fs::create_directories(folder);
    fs::current_path(folder);
    const std::string hostile = "[Window][attenscope]\nSize=-1,99999999\n\n[Table][0x12345678,2000000000]\n";
    std::ofstream("imgui.ini") << hostile;
    {
        auto context = gfx::open_offscreen();
        if (context) {
            auto app = App::open({});
            ASSERT_TRUE(app.ok());
            EXPECT_TRUE(render_frame(**app, kSize).ok());
        }
    }
    std::ostringstream now;
    now << std::ifstream("imgui.ini").rdbuf();
    EXPECT_EQ(now.str(), hostile);
    fs::current_path(before);
    fs::remove_all(folder);
}

}  // namespace
}  // namespace app
