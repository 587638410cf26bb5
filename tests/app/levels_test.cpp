// The three levels of detail and the home screen: what each level draws, what raises it, where home leads.

#include "app/state/course.h"
#include "app/state/parts.h"

#include <gmock/gmock.h>

#include <set>

#include "app/frame/asking.h"
#include "app/frame/commands.h"
#include "app/panels/modes.h"
#include "app/panels/palette_entries.h"
#include "app/state/examples.h"
#include "app/state/screens.h"
#include "app/state/settings.h"
#include "app/state/view_fields.h"
#include "tests/app/app_fixture.h"
#include "tests/app/state_fixture.h"

namespace app {
namespace {

using app_test::Bench;
using Do = OpeningAction::Do;

TEST(LevelTable, LevelsCoverAllScreensAndIncludeLowerOnes) {
    std::set<std::string_view> ids;
    for (const PartRow& row : parts()) {
        EXPECT_TRUE(ids.insert(row.id).second) << row.id;
        EXPECT_EQ(first_with(row.part), row.from);
        for (const Detail level : kDetails) EXPECT_EQ(has_part(level, row.part), level >= row.from) << row.id;
    }
    for (const View& view : views()) EXPECT_EQ(parts()[static_cast<std::size_t>(view.part)].id, view.id);
    for (const ScreenRow& screen : screens()) EXPECT_EQ(parts()[static_cast<std::size_t>(part_of(screen.screen))].id, screen.id);
    for (const Detail level : kDetails) EXPECT_EQ(find_detail(detail_id(level)), level);
    EXPECT_FALSE(find_detail("some"));
}

TEST(LevelTable, IsASettingWithEverythingAsDefault) {
    EXPECT_EQ(ViewState().level, Detail::Everything);
    ViewState view;
    view.level = Detail::WithNumbers;
    const auto read = settings_from_json(settings_to_json(settings_of(view, {})), "s");
    ASSERT_TRUE(read);
    EXPECT_EQ(read->settings.view.values.level, Detail::WithNumbers);
    // A level that a chapter has raised stays if the user chose it.
    view.own_level = Detail::FirstLook;
    view.level = Detail::Everything;
    EXPECT_EQ(settings_of(view, {}).view.values.level, Detail::FirstLook);
    EXPECT_FALSE(settings_from_json(R"({"level": "most"})", "s")->settings.view.has("level"));
}

struct Newcomer : Bench {
    Newcomer() : Bench(opening_document(Language::English)) {
        view().asking = Asking::Asked;
        view().level = Detail::FirstLook;
        pass(0.01);
    }
    void choose(Detail level) {
        act(ChangeView{[level](ViewState& v) { v.level = level; }});
        pass(0.01);
    }
};

TEST(Levels, ContinuingFromTheQuestionShowsNumbers) {
    Newcomer b;
    EXPECT_TRUE(shows_question(b.state));
    b.act(OpeningAction{Do::Answer});
    b.pass(0.1);
    EXPECT_EQ(b.view().level, Detail::FirstLook) << "the answer belongs to a first look";
    b.act(OpeningAction{Do::LookInside});
    EXPECT_EQ(b.view().level, Detail::WithNumbers);
    Newcomer plays;
    plays.act(Play{});
    EXPECT_EQ(plays.view().level, Detail::WithNumbers);
    EXPECT_TRUE(plays.view().playing);
}

TEST(Levels, TheSwitchWorksBothWays) {
    Newcomer b;
    b.choose(Detail::Everything);
    EXPECT_FALSE(shows_question(b.state)) << "the walk is there";
    EXPECT_EQ(b.view().level, Detail::Everything);
    b.act(ChangeView{[](ViewState& v) { v.screen = Screen::Compare; }});
    b.choose(Detail::WithNumbers);
    EXPECT_EQ(b.view().screen, Screen::Stage) << "this level has no comparison";
    b.act(Play{});
    b.choose(Detail::FirstLook);
    EXPECT_TRUE(shows_question(b.state));
    EXPECT_EQ(b.view().asking, Asking::Answered);
    EXPECT_FALSE(b.view().playing);
    b.act(becomes(opening_document(Language::Chinese)));
    EXPECT_TRUE(shows_question(b.state)) << "another text is at a first look, too";
}

TEST(Levels, AScreenRaisesItAndHomeDoesNot) {
    for (const ScreenRow& row : screens()) {
        Newcomer b;
        b.act(ChangeView{[&row](ViewState& v) { v.screen = row.screen; }});
        EXPECT_EQ(b.view().screen, row.screen) << row.id;
        EXPECT_EQ(b.view().level, first_with(part_of(row.screen))) << row.id;
    }
    Newcomer b;
    b.act(ChangeView{[](ViewState& v) { v.screen = Screen::Home; }});
    b.act(ChangeView{[](ViewState& v) { v.screen = Screen::Stage; }});
    EXPECT_TRUE(shows_question(b.state)) << "back at the sentence";
}

// -- frames

class LevelsFrame : public AppFrame {
protected:
    const ViewState& view() { return app_->state().view; }
    void at(Detail level) {
        app_->apply(ChangeView{[level](ViewState& v) { v.level = level; }});
        // The transition from the opening to the stage is over.
        for (int i = 0; i < 12; ++i) app_->build_frame(kSize, 0.1, nullptr);
    }
    void on_the_stage() {
        app_->apply(ChangeView{[](ViewState& v) { v.screen = Screen::Stage; }});
        frame();
    }
    /// The very first start.
    void begin() {
        app_->state().document = opening_document(Language::English);
        app_->state().view.asking = Asking::Asked;
        app_->state().view.level = Detail::FirstLook;
        frame();
    }
    static bool has_kind(const FrameLog& log, std::string_view prefix) {
        return std::any_of(log.widgets.begin(), log.widgets.end(), [&](const WidgetRect& w) { return w.id.starts_with(prefix); });
    }
};

/// The parts of the window on the screen that contain a control, by the ids of the controls.
constexpr std::pair<std::string_view, Part> kMarks[] = {{"section_", Part::steps},  {"formula_", Part::formula},
                                                        {"play", Part::timeline},   {"screen", Part::flow},
                                                        {"score", Part::steps},     {"question.word.", Part::opening}};

TEST_F(LevelsFrame, NothingIsDrawnBelowItsLevel) {
    begin();
    for (const Detail level : kDetails) {
        at(level);
        if (level != Detail::FirstLook) on_the_stage();  // those who look inside see the flow first
        const FrameLog log = frame();
        EXPECT_TRUE(has(log, "level.0") || has(log, "level")) << "the switch is in sight";
        EXPECT_TRUE(has(log, "learn") && has(log, "home") && has(log, "text"));
        for (const auto& [mark, part] : kMarks) {
            if (part == Part::opening) continue;
            EXPECT_EQ(has_kind(log, mark), has_part(level, part)) << mark << " at " << detail_id(level);
        }
        EXPECT_EQ(has_kind(log, "question.word."), level == Detail::FirstLook);
        const Panels panels = panels_of(app_->state());
        const Rect window{0, 0, kSize.w, kSize.h};
        for (const Place place : {Place::Left, Place::Right}) {
            const Part part = place == Place::Left ? Part::steps : Part::inspector;
            if (has_part(level, part)) continue;
            EXPECT_TRUE(place_rect(place, window, theme_named("light"), panels).empty());
        }
    }
}

TEST_F(LevelsFrame, ItIsChosenInTheBar) {
    begin();
    click("level.1");
    EXPECT_EQ(view().level, Detail::WithNumbers);
    at(Detail::WithNumbers);
    EXPECT_FALSE(shows_question(app_->state()));
    EXPECT_TRUE(shows("play"));
    on_the_stage();
    // A key that shows a column raises the level to one that has it.
    key_with_ctrl(gui::Key::I);
    EXPECT_EQ(view().level, Detail::Everything);
    EXPECT_TRUE(view().inspector);
    at(Detail::WithNumbers);
    key_with_ctrl(gui::Key::Comma);
    EXPECT_EQ(view().level, Detail::Everything);
}

TEST_F(LevelsFrame, AChapterRaisesItTemporarily) {
    begin();
    click("learn");
    app_->finish();
    frame();
    EXPECT_TRUE(view().course.open());
    EXPECT_EQ(view().level, Detail::Everything);
    app_->apply(CourseAction{TurnPage{1}});
    EXPECT_EQ(view().own_level, Detail::FirstLook);
    app_->apply(CourseAction{CloseChapter{}});
    EXPECT_EQ(view().level, Detail::FirstLook);
    EXPECT_TRUE(shows_question(app_->state()));
}

TEST_F(LevelsFrame, LearningStartsAtTheFirstChapterAndResumes) {
    begin();
    click("learn");
    const auto& chapters = app_->state().chapters->chapters;
    EXPECT_EQ(view().course.chapter, chapters.front().id);
    EXPECT_EQ(view().course.page, 0);
    // The last page leads to the next chapter; the last chapter's does not.
    app_->apply(CourseAction{OpenPage{chapters.front().id, 1000}});
    app_->finish();
    click("course.next");
    EXPECT_EQ(view().course.chapter, chapters[1].id);
    EXPECT_EQ(view().course.page, 0);
    app_->apply(CourseAction{CloseChapter{}});
    EXPECT_EQ(page_to_learn(app_->state()).chapter, chapters[1].id) << "where it was left";
    app_->apply(CourseAction{OpenPage{chapters.back().id, 1000}});
    app_->finish();
    click("course.next");
    EXPECT_EQ(view().course.chapter, chapters.back().id);
}

class HomeFrame : public LevelsFrame {
protected:
    void go_home() {
        begin();
        click("home");
        EXPECT_EQ(view().screen, Screen::Home);
        app_->finish();
    }
};

TEST_F(HomeFrame, TheNameLeadsHomeAndEveryCardIsThere) {
    go_home();
    EXPECT_EQ(view().level, Detail::FirstLook);
    const FrameLog log = frame();
    for (const char* card : {"home.watch", "home.learn", "home.try", "home.train", "home.model"}) {
        EXPECT_TRUE(has(log, card)) << card;
        EXPECT_TRUE((Rect{0, 0, kSize.w, kSize.h}).contains(rect_of(log, card).center())) << card;
    }
    click("home.back");
    EXPECT_EQ(view().screen, Screen::Stage);
    EXPECT_TRUE(shows_question(app_->state()));
}

/// Each card of the home screen shows its whole description beside its picture, in every theme, in large type and small windows.
TEST_F(HomeFrame, EveryCardHasItsWholeDescription) {
    const std::pair<const char*, Str> doors[] = {{"home.watch", Str::home_watch_says}, {"home.try", Str::home_try_says},
                                                 {"home.train", Str::home_train_says}, {"home.model", Str::home_model_says}};
    go_home();
    for (const Size size : {Size{1440, 900}, Size{1280, 800}, Size{1024, 768}})
        for (const char* theme : {"light", "dark", "projector"})
            for (const Language language : {Language::English, Language::Chinese}) {
                app_->state().view.theme = theme;
                app_->state().view.language = language;
                FrameLog log;
                for (int i = 0; i < 3; ++i) {
                    log = {};
                    app_->build_frame(size, 0.1, &log);
                    app_->finish();
                }
                for (const auto& [door, sentence] : doors) {
                    const Rect card = rect_of(log, door);
                    std::string said;
                    for (const LabelRect& label : log.labels) {
                        if (!card.contains(label.rect.center())) continue;
                        EXPECT_FALSE(label.shortened && tr(sentence, language).find(label.text) != std::string_view::npos) << size.w << ' ' << theme << ": " << label.text;
                        said += (language == Language::English ? " " : "") + label.text;
                    }
                    EXPECT_NE(said.find(tr(sentence, language)), std::string::npos) << size.w << ' ' << theme << ": " << said;
                    EXPECT_LE(card.bottom(), size.h) << size.w << ' ' << theme;
                }
                EXPECT_LE(rect_of(log, "home.back").bottom(), size.h) << size.w << ' ' << theme;
            }
}

TEST_F(HomeFrame, WatchOpensTheFirstSentenceWithItsQuestion) {
    go_home();
    app_->state().document = example_document("cat").document;
    click("home.watch");
    EXPECT_EQ(app_->state().document, opening_document(Language::English));
    EXPECT_TRUE(shows_question(app_->state()));
}

TEST_F(HomeFrame, LearnOpensTheFirstChapter) {
    go_home();
    click("home.learn");
    app_->finish();
    frame();
    EXPECT_EQ(view().course.chapter, app_->state().chapters->chapters.front().id);
    EXPECT_NE(view().screen, Screen::Home);
}

TEST_F(HomeFrame, TryASentencePutsTheCaretIntoIt) {
    go_home();
    click("home.try");
    frame();
    EXPECT_TRUE(gui::typing());
    EXPECT_TRUE(shows_question(app_->state()));
    type("x");
    EXPECT_NE(app_->state().document.text, opening_document(Language::English).text);
}

TEST_F(HomeFrame, TrainOpensTheTraining) {
    go_home();
    click("home.train");
    EXPECT_EQ(view().screen, Screen::Train);
    EXPECT_EQ(view().level, first_with(Part::train));
}

TEST_F(HomeFrame, OpenAModelListsModelsAndProvidesASuitableText) {
    go_home();
    click("home.model");
    EXPECT_EQ(view().sheet, Sheet::Models);
    app_->finish();
    click("gallery.sort");
    ASSERT_TRUE(app_->state().document.model);
    EXPECT_EQ(app_->state().document.model->name, "sort");
    EXPECT_EQ(view().screen, Screen::Stage);
    EXPECT_EQ(view().playhead.tag.role, attn::Role::Weights) << "its heads, not the last matrix";
    EXPECT_EQ(app_->state().document.text.find("boy"), std::string::npos) << app_->state().document.text;
}

TEST_F(HomeFrame, ItsPicturesAreRealValues) {
    go_home();
    const HomeData& home = app_->derived().home;
    ASSERT_TRUE(home.watch);
    const auto run = attn::run(opening_document(Language::English));
    ASSERT_TRUE(run);
    const attn::Matrix& weights = run->trace[home.watch->weights].value;
    for (std::size_t i = 0; i < home.watch->shares.size(); ++i)
        EXPECT_EQ(home.watch->shares[i], weights(home.watch->query, static_cast<Eigen::Index>(i)));
    ASSERT_TRUE(home.train);
    EXPECT_EQ(home.train->before.size(), home.train->after.size());
    EXPECT_NE(home.train->before, home.train->after);
    EXPECT_GE(home.models.size(), 4u);
}

TEST_F(HomeFrame, TypedTextIsVisible) {
    go_home();
    click("text");
    type("x");
    EXPECT_EQ(view().screen, Screen::Stage);
}

// -- help and palette

TEST_F(LevelsFrame, ThePaletteFindsEveryChapterAndEveryTerm) {
    begin();
    for (const Language language : {Language::English, Language::Chinese}) {
        app_->state().view.language = language;
        std::vector<std::string> titles;
        for (const Chapter& chapter : app_->state().chapters->chapters) titles.push_back(in(chapter.title, language));
        for (const ChapterTerm& term : app_->state().chapters->terms) titles.push_back(in(term.name, language));
        for (const std::string& title : titles) {
            if (view().sheet != Sheet::Palette) key_with_ctrl(gui::Key::K);
            frame(2);
            type(title);
            const FrameLog log = frame(2);
            // The field contains no label: it contains a row's title.
            EXPECT_TRUE(std::any_of(log.labels.begin(), log.labels.end(), [&](const LabelRect& label) { return label.over && label.text == title; }))
                << title;
            press(gui::Key::Escape);
            if (view().sheet == Sheet::Palette) press(gui::Key::Escape);
        }
    }
    // And it opens.
    app_->state().view.language = Language::English;
    const Chapter& second = app_->state().chapters->chapters[1];
    key_with_ctrl(gui::Key::K);
    frame();
    type(in(second.title, Language::English));
    press(gui::Key::Enter);
    EXPECT_EQ(view().course.chapter, second.id);
}

TEST_F(LevelsFrame, TheQuestionMarkOpensHelpWithTheKeys) {
    begin();
    click("help");
    EXPECT_EQ(view().sheet, Sheet::Help);
    frame();
    EXPECT_TRUE(gui::typing());
    type("all keys");
    press(gui::Key::Enter);
    EXPECT_EQ(view().sheet, Sheet::Keys);
    press(gui::Key::Escape);
    click("help");
    const ChapterTerm& term = app_->state().chapters->terms.front();
    frame();
    type(term.name[0]);
    press(gui::Key::Enter);
    EXPECT_EQ(view().sheet, Sheet::Glossary);
}

// -- the walk is not interrupted

TEST_F(LevelsFrame, AClickOnANumberExplainsItAndClearsNothing) {
    show("the tired cat", "none", {attn::Role::Scores});
    click("cell_1_1");
    EXPECT_TRUE(view().pinned);
    EXPECT_FALSE(view().playing);
    EXPECT_EQ(view().playhead.progress, 1);
}

TEST_F(LevelsFrame, ThePointerDoesNotOverrideTheStory) {
    show("the tired cat", "none", {attn::Role::Scores});
    const Point cell = middle("cell_2_0");
    app_->apply(Play{true});
    gui::inject_mouse_pos(cell);
    frame();
    ASSERT_TRUE(view().playing);
    EXPECT_FALSE(view().pointed);
    app_->apply(Play{false});
    frame();
    EXPECT_TRUE(view().pointed) << "when it rests the pointer asks again";
}

TEST(Playing, PausesUnderADialogButNotBesideADrawer) {
    for (const Sheet sheet : {Sheet::Palette, Sheet::Models, Sheet::Chapters, Sheet::Help, Sheet::Steps, Sheet::Cell, Sheet::None}) {
        Bench b;
        b.act(GoToStop{0, 0});
        b.act(Play{});
        b.view().sheet = sheet;
        const double before = b.derived.time;
        for (int i = 0; i < 10; ++i) b.pass(0.1);
        const bool waits = sheet != Sheet::None && sheet != Sheet::Steps && sheet != Sheet::Cell;
        EXPECT_EQ(b.derived.time == before, waits) << sheet_id(sheet);
    }
}

TEST(Messages, AMessageOfOneScreenIsNotShownOnTheNext) {
    Bench b;
    b.act(Tell{"done"});
    b.act(ChangeView{[](ViewState& v) { v.theme = "dark"; }});
    EXPECT_EQ(b.view().done, "done");
    b.act(ChangeView{[](ViewState& v) { v.screen = Screen::Experiments; }});
    EXPECT_EQ(b.view().done, "");
}

TEST_F(LevelsFrame, TheListOfChaptersForgetsAnOldSearch) {
    begin();
    app_->apply(ChangeView{[](ViewState& v) { v.sheet = Sheet::Chapters; }});
    const std::string first = "chapter." + app_->state().chapters->chapters.front().id;
    EXPECT_TRUE(shows(first));
    click("chapters.search");
    type("qqqq");
    EXPECT_FALSE(shows(first));
    press(gui::Key::Escape);
    press(gui::Key::Escape);
    frame();
    app_->apply(ChangeView{[](ViewState& v) { v.sheet = Sheet::Chapters; }});
    EXPECT_TRUE(shows(first));
}

TEST(Examples, HaveTitlesOfTheirOwn) {
    for (const Language language : {Language::English, Language::Chinese}) {
        std::set<std::string> titles;
        for (const GalleryCard& card : make_gallery(Gallery::Examples, {}, language, attn::Convention::Rows, {})) {
            EXPECT_TRUE(titles.insert(card.title).second) << card.title;
            EXPECT_TRUE(card.picture.size() > 0 || !card.formula.empty()) << card.title << " has no picture";
        }
    }
}

}  // namespace
}  // namespace app
