// The stage in use: a clicked cell shows how it was computed, the formula and the stage highlight each other, a product is
// drawn as a cube, heads fan out.

#include <algorithm>
#include <filesystem>
#include <numeric>
#include <set>

#include "app/content/number_text.h"
#include "app/frame/heatmaps.h"
#include "app/frame/view.h"
#include "app/layout/flow/tower.h"
#include "app/state/course.h"
#include "app/state/edits.h"
#include "app/state/examples.h"
#include "core/document/fields.h"
#include "core/document/take.h"
#include "core/model/model.h"
#include "core/remake/remake.h"
#include "places.h"
#include "tests/app/app_fixture.h"
#include "tests/support/large_vocabulary.h"

namespace app {
namespace {

using attn::Role;

class AppStage : public AppFrame {
protected:
    const ViewState& view() { return app_->state().view; }
    const attn::Trace& trace() { return app_->derived().run->trace; }
    void point_at(Point at) {
        gui::inject_mouse_pos(at);
        frame();
    }
    void heads(int count) {
        attn::Document doc;
        doc.text = "the tired cat sat";
        doc.weights = "random";
        doc.config.heads = count;
        app_->apply(becomes(doc));
    }
    void show_screen(Screen screen) {
        ViewState changed = view();
        changed.screen = screen;
        app_->apply(becomes(changed));
        frame();
    }
    /// The likeliest words that follow the text have their names and figures; the others are in one column.
    void expect_likeliest_words(std::string_view rest) {
        for (const Role role : {Role::Logits, Role::Probabilities})
            for (const bool room : {false, true}) {
                app_->apply(ChangeView{[room](ViewState& v) { v.present.on = room; }});
                const attn::StepId id = attn::find_id(trace(), {role});
                app_->apply(GoToStop{stop_of(app_->derived().timeline, trace(), id), 1});
                FrameLog log;
                for (int i = 0; i < 3; ++i) {
                    app_->finish();
                    log = {};
                    app_->build_frame({1024, 768}, 1.0 / 60, &log);
                }
                SCOPED_TRACE(attn::step_name({role}) + (room ? " while presenting" : ""));
                const attn::Step& step = trace()[id];
                const auto row = step.value.matrix().row(step.value.rows() - 1);
                std::vector<int> order(static_cast<std::size_t>(row.size()));
                std::iota(order.begin(), order.end(), 0);
                std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return row[a] > row[b]; });
                const auto has = [&](const std::string& text) {
                    return std::any_of(log.labels.begin(), log.labels.end(), [&](const LabelRect& label) { return label.text == text; });
                };
                for (int i = 0; i < 4; ++i) {
                    EXPECT_TRUE(has(app_->derived().labels.of(step.cols, order[static_cast<std::size_t>(i)]))) << i;
                    EXPECT_TRUE(has(number_text(row[order[static_cast<std::size_t>(i)]]))) << i;
                }
                EXPECT_FALSE(has(app_->derived().labels.of(step.cols, order.back()))) << "the unlikeliest word is no news";
                // The sum of the rest is written inside its own column.
                for (const WidgetRect& column : log.widgets) {
                    if (!column.id.starts_with("rest_")) continue;
                    EXPECT_LE(column.rect.right(), 1024);
                    for (const LabelRect& label : log.labels) {
                        if (!column.rect.contains(label.rect.center())) continue;
                        EXPECT_GE(label.rect.x, column.rect.x) << label.text;
                        EXPECT_LE(label.rect.right(), column.rect.right()) << label.text;
                    }
                }
                EXPECT_TRUE(std::any_of(log.labels.begin(), log.labels.end(), [&](const LabelRect& label) { return label.text.starts_with(rest); }));
            }
    }
    void continue_text(attn::ModelPtr model) {
        attn::Document doc;
        attn::take_model(doc, std::move(model));
        doc.text = "床前明月";
        app_->apply(becomes(doc));
        show_screen(Screen::Stage);
        app_->finish();
    }
    void wait() {
        for (int i = 0; i < 40; ++i) app_->build_frame(kSize, 0.05);
    }
};

TEST_F(AppStage, AClickedCellIsExplainedAndAKeyReplaysIt) {
    show("the tired cat", "none", {Role::Scores});
    click("cell_1_2");
    EXPECT_EQ(view().pinned, (CellRef{{Role::Scores}, 1, 2}));
    EXPECT_FALSE(view().playing);
    EXPECT_EQ(view().playhead.progress, 1) << "the matrix stays as it is";
    press(gui::Key::R);
    EXPECT_TRUE(view().playing);
    EXPECT_LT(view().playhead.progress, 0.2);
    // The cell that is shown slowly is the clicked one, wherever the pointer moves meanwhile.
    point_at(middle("cell_0_0"));
    for (int i = 0; i < 10; ++i) app_->build_frame(kSize, 0.05);
    const FrameLog log = frame();
    EXPECT_TRUE(view().playing);
    for (int i = 0; i < 200; ++i) app_->build_frame(kSize, 0.05);
    EXPECT_FALSE(view().playing);
    EXPECT_EQ(view().playhead.progress, 1);
}

/// During playback the inspector shows no more than the stage.
TEST_F(AppStage, TheInspectorShowsNothingBeyondThePlayhead) {
    show("the tired cat", "none", {Role::Scores});
    ViewState opened = view();
    opened.inspector = true;
    app_->apply(becomes(opened));
    const auto inspector_says = [&](std::string_view words) {
        const FrameLog log = frame(3);
        return std::any_of(log.labels.begin(), log.labels.end(),
                           [&](const LabelRect& label) { return label.rect.x > kSize.w * 0.75f && label.text.starts_with(words); });
    };
    const int scores = app_->derived().pose.stop;
    ASSERT_TRUE(inspector_says("x·x")) << "at rest the whole way to the weight is told";
    ASSERT_TRUE(inspector_says("exp"));
    app_->apply(GoToStop{scores, 0.3});
    EXPECT_FALSE(inspector_says("x·x"));
    EXPECT_FALSE(inspector_says("exp"));
    app_->apply(GoToStop{scores, 0.9});
    EXPECT_TRUE(inspector_says("x·x"));
    EXPECT_FALSE(inspector_says("exp")) << "softmax is still to come";
    ViewState of_heads = view();
    of_heads.screen = Screen::Heads;
    app_->apply(becomes(of_heads));
    app_->apply(GoToStop{scores, 0.3});
    EXPECT_FALSE(inspector_says("exp")) << "the same beside the heads";
    app_->apply(GoToStop{scores, 1});
    EXPECT_TRUE(inspector_says("exp"));
}

/// A figure for a page has no controls.
TEST_F(AppStage, AFigureHasNoTabsHintsOrButtons) {
    heads(2);
    ViewState figure = view();
    figure.panels = false;
    figure.figure = true;
    for (const Screen screen : {Screen::Stage, Screen::Flow, Screen::Heads}) {
        figure.screen = screen;
        app_->apply(becomes(figure));
        const FrameLog log = frame(5);
        for (const std::string_view id : {"heads_page", "heads_matrix", "hide_first", "cube", "flow_place", "path_0"}) EXPECT_FALSE(has(log, id)) << id;
        const std::string_view hint = tr(Str::flow_word_hint, Language::English);
        for (const LabelRect& label : log.labels) EXPECT_NE(label.text, hint);
    }
}

/// The probabilities of a vocabulary have room for every token's row: only likely words are shown. In a projector's type,
/// which is nearly twice as large, rows fold as well.
TEST_F(AppStage, AVocabularyFoldsToItsLikelyWords) {
    attn::Document document;
    use_model(document, attn::shipped_model("translation"));
    for (const std::string_view theme : {"light", "projector"}) {
        ViewState changed = view();
        changed.screen = Screen::Stage;
        changed.theme = theme;
        app_->apply(becomes(changed));
        app_->apply(becomes(document));
        app_->finish();
        app_->apply(GoToStop{stop_of(app_->derived().timeline, trace(), attn::find_id(trace(), {Role::Probabilities})), 1});
        const FrameLog log = frame();
        const auto count = [&](std::string_view begin) {
            return std::count_if(log.labels.begin(), log.labels.end(), [&](const LabelRect& label) { return label.text.starts_with(begin); });
        };
        EXPECT_EQ(count("… "), theme == "light" ? 1 : 2) << theme << ": how many words are not there, and how many tokens";
        // Zero is a dot, except in the row in focus; the probabilities of each token's row differ.
        EXPECT_GE(count("0.") + count("1.") + count("."), theme == "light" ? 11 : 3) << theme << ": of each token's row that stands";
    }
}

/// Building another atlas takes as long as several frames: none is built while a walk plays, although every caption has other
/// words, in Chinese as well.
TEST_F(AppStage, AWalkThatPlaysHasItsGlyphsFromTheStart) {
    for (const Language language : {Language::English, Language::Chinese})
        for (const Screen screen : {Screen::Stage, Screen::Flow}) {
            app_->state() = first_state(language);
            app_->state().document = opening_document(language);
            app_->finish();
            show_screen(screen);
            frame(4);
            app_->apply(GoToStop{0, 0});
            app_->apply(Play{true});
            const std::size_t before = frame(4).glyphs;
            FrameLog log;
            constexpr double kStride = 0.08, kLongest = 60;  // seconds
            for (double time = 0; view().playing && time < kLongest; time += kStride) {
                app_->build_frame(kSize, kStride, &log);
                ASSERT_EQ(log.glyphs, before) << screen_id(screen) << ' ' << language_id(language) << ", after " << time << " s";
            }
            EXPECT_FALSE(view().playing);
        }
}

/// Nor while a chapter's pages are turned: its first page prepares the words of all.
TEST_F(AppStage, AChapterHasItsGlyphsFromItsFirstPage) {
    app_->state() = first_state(Language::Chinese);
    // Not the first chapter: it is short, and two of its pages are the opening's words, in sizes of their own.
    const Chapter& chapter = app_->chapters().chapters[2];
    ASSERT_GE(chapter.pages.size(), 5u);
    const auto turn_to = [&](int page) {
        app_->apply(CourseAction{OpenPage{chapter.id, page}});
        app_->finish();
        return frame(4).glyphs;
    };
    std::vector<std::size_t> pages;
    for (int page = 0; page < static_cast<int>(chapter.pages.size()); ++page) pages.push_back(turn_to(page));
    // A page may have a text of its own, whose few words are prepared with it, in all roles of prose.
    constexpr std::size_t kOfAText = 7 * 30;
    for (std::size_t page = 1; page < pages.size(); ++page) EXPECT_LE(pages[page] - pages[page - 1], kOfAText) << "page " << page + 1;
    std::set<std::size_t> different(pages.begin(), pages.end());
    EXPECT_LE(different.size(), pages.size() / 2) << ::testing::PrintToString(pages);
}

/// After it is closed, its words are added to no other type size.
TEST_F(AppStage, AClosedChapterIsForgotten) {
    app_->state() = first_state(Language::Chinese);
    const auto at_scale = [&](float scale) {
        app_->apply(ChangeView{[scale](ViewState& v) { v.scale = scale; }});
        return frame(4).glyphs;
    };
    app_->apply(CourseAction{OpenPage{app_->chapters().chapters.front().id, 0}});
    app_->finish();
    frame();
    const std::size_t open = at_scale(1.1f);
    app_->apply(CourseAction{CloseChapter{}});
    frame();
    EXPECT_LT(at_scale(1.2f) + 100, open);
}

TEST_F(AppStage, WithoutMotionAClickOnlyPins) {
    show("the tired cat", "none", {Role::Scores});
    ViewState still = view();
    still.still = true;
    app_->apply(becomes(still));
    click("cell_1_2");
    EXPECT_TRUE(view().pinned);
    EXPECT_FALSE(view().playing);
    EXPECT_EQ(view().playhead.progress, 1);
}

TEST_F(AppStage, ANumberOfTheFormulaHighlightsItsCellAndViceVersa) {
    show("the tired cat", "none", {Role::Scores});
    click("cell_1_2");
    end_motion();
    const FrameLog log = frame();
    const attn::StepId scores = attn::find_id(trace(), {Role::Scores});
    const auto& line = app_->derived().substitution.lines.front();
    ASSERT_FALSE(line.sources.empty());
    point_at(rect_of(log, "formula_" + line.sources.front().part).center());
    const attn::Cell lit = line.sources.front().cell;
    EXPECT_EQ(view().lit, (CellRef{trace()[lit.step].tag, lit.row, lit.col}));
    EXPECT_EQ(app_->derived().substitution.cell, (attn::Cell{scores, 1, 2}));
    point_at({2, 2});
    EXPECT_EQ(view().lit, std::nullopt);
}

TEST_F(AppStage, ACubesFacesArePointedAtAndPinned) {
    show("the tired cat", "none", {Role::Scores});
    press(gui::Key::V);
    EXPECT_TRUE(view().cube);
    const attn::StepId scores = attn::find_id(trace(), {Role::Scores});
    const attn::Tag left = trace()[trace()[scores].inputs[0]].tag;
    const std::string id = "face_" + attn::step_name(left) + "_1_0";
    point_at(middle(id));
    EXPECT_EQ(view().pointed, (CellRef{left, 1, 0}));
    click(id);
    EXPECT_EQ(view().pinned, (CellRef{left, 1, 0}));
    click("cell_2_1");
    EXPECT_EQ(view().pinned, (CellRef{{Role::Scores}, 2, 1}));
    click("cube");
    EXPECT_FALSE(view().cube);
}

TEST_F(AppStage, HeadsFanOutAndAClickBringsOneToTheFront) {
    heads(4);
    show_screen(Screen::Flow);
    press(gui::Key::H);
    EXPECT_TRUE(view().flow.fan);
    wait();
    EXPECT_EQ(view().flow.fanned, 1);
    click("flow_head_3");
    EXPECT_EQ(view().head, 2);
    EXPECT_FALSE(view().flow.fan);
    wait();
    EXPECT_EQ(view().flow.fanned, 0);
    press(gui::Key::H);
    wait();
    press(gui::Key::Escape);
    EXPECT_FALSE(view().flow.fan);
}

/// From the whole model to a cell and back, by mouse and keys.
TEST_F(AppStage, ZoomsFromTheWholeModelToACellAndBack) {
    attn::Document doc;
    doc.text = "the tired cat";
    doc.weights = "random";
    attn::choose_form(doc, "encoder");
    doc.config.heads = 2;
    doc.config.layers = 3;
    app_->apply(becomes(doc));
    show_screen(Screen::Flow);
    click("crumb_0");
    wait();
    EXPECT_LT(view().flow.zoom, 0.5f);
    EXPECT_FALSE(shows("flow_stack")) << "from afar there are tiles";
    click("map_tile_2");
    wait();
    EXPECT_EQ(view().flow.zoom, 1);
    EXPECT_EQ(app_->derived().place, 1);
    // The wheel on the head's weights zooms in, and finally onto the stage, with its path.
    gui::inject_mouse_pos(middle("flow_cell_2"));
    for (int i = 0; i < 40 && view().screen == Screen::Flow; ++i) {
        gui::inject_wheel(0, 1);
        frame(1);
        if (view().passage) wait();
    }
    EXPECT_EQ(view().screen, Screen::Stage);
    EXPECT_TRUE(view().pinned);
    EXPECT_TRUE(shows("crumb_0"));
    EXPECT_TRUE(shows("crumb_5"));
    gui::inject_wheel(0, -1);
    frame();
    wait();
    EXPECT_EQ(view().screen, Screen::Flow);
    press(gui::Key::Escape);
    wait();
    EXPECT_LT(view().flow.zoom, 0.5f) << "one level out is the whole";
    press(gui::Key::Plus);
    wait();
    EXPECT_EQ(view().flow.zoom, 1);
    press(gui::Key::Minus);
    wait();
    EXPECT_LT(view().flow.zoom, 0.5f);
}

/// If maps of a long text do not fit into memory together, the tower takes what it shows from one after the other.
TEST_F(AppStage, TheTowerOfALongTextHasEveryHead) {
    const double before = attn::memory_budget();
    attn::set_memory_budget(2 << 20);
    auto model = attn::find_model(ATTN_SOURCE_DIR "/tests/data/checkpoints/llama", {.folders = true});
    ASSERT_TRUE(model);
    attn::Document doc;
    attn::take_model(doc, *model);
    doc.tokenizer = "words";
    doc.text.clear();
    for (int i = 0; i < 300; ++i) doc.text += " w" + std::to_string(i);
    app_->apply(becomes(doc));
    app_->finish();
    show_screen(Screen::Flow);
    click("crumb_0");
    std::vector<attn::StepId> heads;
    for (attn::StepId id = 0; id < trace().size(); ++id)
        if (trace()[id].tag.role == Role::Weights) heads.push_back(id);
    ASSERT_EQ(heads.size(), 8u);
    wait();
    app_->finish();
    ASSERT_TRUE(app_->derived().tower);
    EXPECT_LE(attn::recomputed_bytes(), std::size_t{2} << 20) << "they are not there together";
    const Tower& tower = *app_->derived().tower;
    std::vector<attn::StepId> lanes;
    for (const TowerFloor& floor : tower.floors)
        for (const TowerHead& head : floor.heads) {
            lanes.push_back(head.weights);
            const TowerSide& side = tower.answers();
            const int followed = side.tokens[static_cast<std::size_t>(side.followed)];
            for (std::size_t key = 0; key < side.tokens.size(); ++key)
                EXPECT_EQ(head.share(side.followed, static_cast<int>(key)), trace()[head.weights].value(followed, side.tokens[key]));
        }
    EXPECT_EQ(lanes, heads);
    attn::set_memory_budget(before);
}

/// Of thousands of words, those with the largest numbers of the last row have their names and figures; the rest share a
/// column, which states how many they are.
TEST_F(AppStage, AVocabularyShowsItsLikeliestWords) {
    continue_text(attn::shipped_model("language"));
    expect_likeliest_words("… 44");
}

/// However many words there are: GPT-2 has 50,257.
TEST_F(AppStage, ALargeVocabularyShowsItsLikeliestWords) {
    const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "attenscope_large_vocabulary";
    attn::test::write_large_vocabulary(ATTN_SOURCE_DIR "/assets/models/language", folder);
    const auto model = attn::find_model(folder.string(), {.folders = true});
    ASSERT_TRUE(model) << model.error().text();
    continue_text(*model);
    expect_likeliest_words("… 502");
    // The vectors of the words are not on the stage: there is no cube of them, and the logits take the room.
    app_->apply(ChangeView{[](ViewState& v) { v.present.on = false; }});
    app_->apply(GoToStop{stop_of(app_->derived().timeline, trace(), attn::find_id(trace(), {Role::Logits})), 1});
    app_->finish();
    FrameLog log = frame();
    EXPECT_FALSE(has(log, "cube"));
    const auto cell = std::find_if(log.widgets.begin(), log.widgets.end(), [](const WidgetRect& w) { return w.id.starts_with("cell_"); });
    ASSERT_NE(cell, log.widgets.end());
    EXPECT_GE(cell->rect.h, 50);
    press(gui::Key::V);
    log = frame();
    EXPECT_FALSE(std::any_of(log.widgets.begin(), log.widgets.end(), [](const WidgetRect& w) { return w.id.starts_with("face_"); }));
    EXPECT_FALSE(has(log, "cube"));
    press(gui::Key::V);
    std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace app
