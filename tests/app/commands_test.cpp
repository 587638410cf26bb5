// The table of commands: the keys, the sheet of keys and the palette, and the palette itself in use.

#include "app/frame/commands.h"

#include <regex>
#include <set>

#include "app/content/fuzzy.h"
#include "app/panels/palette_entries.h"
#include "app/screens/heads/heads.h"
#include "app/state/screens.h"
#include "core/document/take.h"
#include "core/model/model.h"
#include "places.h"
#include "tests/app/app_fixture.h"

namespace app {
namespace {

TEST(Commands, EveryOneHasWordsAKeyAndAnIdOfItsOwn) {
    std::set<std::string_view> ids;
    std::set<std::string> chords, presenting;  // while presenting, the keys of that mode come first
    for (const UserCommand& command : commands_of_user()) {
        EXPECT_TRUE(ids.insert(command.id).second) << command.id;
        EXPECT_NE(command.run, nullptr) << command.id;
        EXPECT_FALSE(command.chords.empty()) << command.id;
        EXPECT_EQ(string_rows()[static_cast<std::size_t>(command.does)].name, "do_" + std::string(command.id));
        for (const Chord& chord : command.chords) {
            auto& taken = command.group == CommandGroup::Room ? presenting : chords;
            EXPECT_TRUE(taken.insert(std::string(chord.text)).second) << command.id << ' ' << chord.text;
        }
    }
    EXPECT_EQ(find_user_command("no such command"), nullptr);
}

TEST(Chord, RoundTrips) {
    const auto link = chord_of("Ctrl+Shift+L"), copy = chord_of("Ctrl+C"), larger = chord_of("Ctrl++"), left = chord_of("Alt+←"), last = chord_of("F12");
    ASSERT_TRUE(link && copy && larger && left && last);
    EXPECT_TRUE(link->key == gui::Key::L && link->ctrl && !link->alt && link->shift == Chord::Shift::Yes);
    EXPECT_EQ(copy->shift, Chord::Shift::No);
    EXPECT_TRUE(larger->key == gui::Key::Plus && larger->shift == Chord::Shift::Either);
    EXPECT_TRUE(left->key == gui::Key::Left && left->alt && !left->ctrl);
    EXPECT_EQ(left->cap, "←");
    EXPECT_EQ(last->key, gui::Key::F12);
    for (const std::string_view wrong : {"", "Ctrl+", "ctrl+L", "l", "Shift+Ctrl+L", "F0", "F01", "F13", "F1x", "Ctrl-L", "Left", "Ctrl+L "})
        EXPECT_FALSE(chord_of(wrong)) << '"' << wrong << '"';
}

/// Every shortcut that a text names exists.
TEST(Commands, ChordsInTextsExist) {
    std::set<std::string_view> all;
    for (const UserCommand& command : commands_of_user())
        for (const Chord& chord : command.chords) all.insert(chord.text);
    const std::regex named("(Ctrl\\+|Alt\\+|Shift\\+)+([A-Z0-9,?]|F[0-9]+)");
    int seen = 0;
    for (const StringRow& row : string_rows())
        for (const std::string_view text : row.text) {
            const std::string said(text);
            for (std::sregex_iterator it(said.begin(), said.end(), named), end; it != end; ++it, ++seen)
                EXPECT_TRUE(all.count(it->str())) << row.name << " names " << it->str();
        }
    EXPECT_GT(seen, 4);
}

/// One line of the sheet for the keys of all screens names them in their order.
TEST(Commands, KeysOfScreensAreNamedInTheirOrder) {
    std::string english;
    for (const UserCommand& command : commands_of_user())
        if (command.line == Str::key_screen)
            english += (english.empty() ? "" : ", ") + std::string(command.id.substr(std::string_view("screen_").size()));
    EXPECT_EQ(tr(Str::key_screen, Language::English), english);
}

TEST(Fuzzy, BeginningsBeforeMiddlesBeforeScatteredLetters) {
    EXPECT_GT(fuzzy_score("exp", "Export …"), fuzzy_score("exp", "Copy, export"));
    EXPECT_GT(fuzzy_score("port", "port"), fuzzy_score("port", "Export"));
    EXPECT_GT(fuzzy_score("port", "Export"), fuzzy_score("port", "play or ten"));
    EXPECT_GT(fuzzy_score("nxt", "Next step"), 0);
    EXPECT_GT(fuzzy_score("step next", "Next step"), 0);  // words in any order
    EXPECT_GT(fuzzy_score("主题", "下一个主题"), 0);
    EXPECT_EQ(fuzzy_score("qzx", "Next step"), 0);
    EXPECT_EQ(fuzzy_score("题主", "下一个主题"), 0);
    EXPECT_EQ(fuzzy_score("next qqq", "Next step"), 0);
    EXPECT_GT(fuzzy_score("", "anything"), 0);
    EXPECT_GT(fuzzy_score("  ", "anything"), 0);
}

class CommandPalette : public AppFrame {
protected:
    void open() {
        key_with_ctrl(gui::Key::K);
        frame();
    }
    void press_with_ctrl_shift(gui::Key key) {
        for (const bool down : {true, false}) {
            for (const gui::Key k : {gui::Key::Ctrl, gui::Key::Shift, key}) gui::inject_key(k, down);
            frame();
        }
    }
    Sheet sheet() { return app_->state().view.sheet; }
};

TEST_F(CommandPalette, OpensByBothItsKeysAndClosesByEscape) {
    open();
    EXPECT_EQ(sheet(), Sheet::Palette);
    EXPECT_TRUE(gui::typing());
    press(gui::Key::Escape);
    EXPECT_EQ(sheet(), Sheet::None);
    press_with_ctrl_shift(gui::Key::P);
    EXPECT_EQ(sheet(), Sheet::Palette);
}

/// A capital stands for its letter, but a key that some command has with Shift is that command's alone.
TEST_F(CommandPalette, ShiftIsAnotherChordOnlyWhereACommandNamesIt) {
    const auto press_with_shift = [&](gui::Key key) {
        for (const bool down : {true, false}) {
            for (const gui::Key k : {gui::Key::Shift, key}) gui::inject_key(k, down);
            frame();
        }
    };
    const bool shared = app_->state().view.shared_scale;
    press_with_shift(gui::Key::C);
    EXPECT_NE(app_->state().view.shared_scale, shared);
    press_with_shift(gui::Key::F1);
    EXPECT_EQ(sheet(), Sheet::Tour);
    press(gui::Key::Escape);
    press(gui::Key::F1);
    EXPECT_EQ(sheet(), Sheet::Keys);
}

TEST_F(CommandPalette, RunsCommandsInEitherLanguage) {
    struct Row {
        Language language;
        const char* typed;
        const char* theme;
    };
    for (const Row& row :
         {Row{Language::English, "theme dark", "dark"}, Row{Language::Chinese, "theme proj", "projector"},
          Row{Language::Chinese, "主题 浅", "light"}}) {
        app_->state().view.language = row.language;
        open();
        type(row.typed);
        press(gui::Key::Enter);
        EXPECT_EQ(app_->state().view.theme, row.theme) << row.typed;
        EXPECT_EQ(sheet(), Sheet::None);
    }
}

TEST_F(CommandPalette, ArrowsChooseAndAClickRuns) {
    show("the tired cat", "none", {attn::Role::Scores});
    open();
    type("step");
    press(gui::Key::Down);
    press(gui::Key::Up);
    press(gui::Key::Up);  // wraps round to the beginning
    press(gui::Key::Down);
    press(gui::Key::Escape);
    EXPECT_EQ(sheet(), Sheet::None);
    open();
    type("first step");
    click("palette.0");
    EXPECT_EQ(sheet(), Sheet::None);
    EXPECT_EQ(app_->derived().pose.stop, 0);
}

TEST_F(CommandPalette, OffersLessonsAndTheQuiz) {
    struct Row {
        Language language;
        const char* typed;
        int minutes;  ///< 0: the quiz
    };
    for (const Row& row : {Row{Language::English, "45 minutes", 45}, Row{Language::English, "quiz of ten", 0}, Row{Language::Chinese, "15 分钟", 15},
                           Row{Language::Chinese, "十题小测", 0}}) {
        app_->state().view.language = row.language;
        open();
        type(row.typed);
        press(gui::Key::Enter);
        const auto& walk = app_->state().view.course.walk;
        ASSERT_TRUE(walk) << row.typed;
        EXPECT_EQ(walk->minutes, row.minutes) << row.typed;
        EXPECT_EQ(walk->counts(), row.minutes == 0) << row.typed;
        EXPECT_EQ(walk->at, 0);
    }
}

TEST_F(CommandPalette, OffersChoicesAndExamples) {
    show("the tired cat", "none", {attn::Role::Scores});
    open();
    type("mask causal");
    press(gui::Key::Enter);
    EXPECT_EQ(app_->state().document.config.mask, "causal");
    open();
    type("example encoder");
    press(gui::Key::Enter);
    EXPECT_EQ(app_->state().document.config.form, "encoder");
    EXPECT_TRUE(app_->state().view.playing);
}

/// A walk goes through one head; the palette also goes to the same step of another.
TEST_F(CommandPalette, KnowsTheStepsOfEveryHead) {
    attn::Document doc;
    doc.text = "the tired cat";
    doc.config.heads = 4;
    app_->apply(becomes(doc));
    open();
    type("weights.h3");
    press(gui::Key::Enter);
    frame();
    EXPECT_EQ(app_->state().view.head, 2);
    EXPECT_EQ(attn::step_name(app_->derived().run->trace[app_->derived().pose.step].tag), "weights.h3");
}

/// The planted circuit's two layers of four heads: a checkpoint, which counts from 0.
class AppPalette : public CommandPalette {
protected:
    void SetUp() override {
        CommandPalette::SetUp();
        if (!app_) return;
        const auto model = attn::find_model(ATTN_SOURCE_DIR "/tests/data/planted", {.folders = true});
        ASSERT_TRUE(model);
        attn::Document doc;
        attn::take_model(doc, *model);
        doc.text = "green winter seven cloud horse green winter";
        app_->apply(becomes(doc));
        app_->finish();
        frame();
    }
    void go(std::string_view text) {
        open();
        type(text);
        press(gui::Key::Enter);
        frame();
    }
    /// The name of the step at the playhead.
    std::string shown_step() { return attn::step_name(app_->derived().run->trace[app_->derived().pose.step].tag); }
    /// Whether the palette's list has a line with these words.
    bool lists(std::string_view words) {
        const FrameLog log = frame();
        return std::any_of(log.labels.begin(), log.labels.end(), [&](const LabelRect& label) { return label.over && label.text.find(words) != std::string::npos; });
    }
};

/// On every screen and in every spelling: the block and the head that were named.
TEST_F(AppPalette, ANamedHeadIsSelectedOnEveryScreen) {
    const char* const kWays[] = {"1.2", "L1H2", "layer 1 head 2", "第 1 层第 2 头"};
    for (const Screen screen : {Screen::Stage, Screen::Flow, Screen::Heads, Screen::Compare, Screen::Prediction})
        for (const char* way : kWays) {
            go("0.3");
            app_->apply(ChangeView{[screen](ViewState& v) { v.screen = screen; }});
            app_->finish();
            go(way);
            app_->finish();
            EXPECT_EQ(app_->state().view.screen, screen);
            EXPECT_EQ(app_->state().view.head, 2) << way;
            EXPECT_EQ(shown_step(), "l2.weights.h3") << way << " on " << screen_id(screen);
            ASSERT_TRUE(app_->derived().shown_head) << screen_id(screen);
            EXPECT_EQ(app_->derived().shown_head->at.layer, 1) << screen_id(screen);
            EXPECT_EQ(app_->derived().shown_head->head, 2) << screen_id(screen);
        }
}

/// With a stack before the number, only that stack's head.
TEST_F(AppPalette, AHeadOfAStackIsNamed) {
    attn::Document document;
    attn::take_model(document, attn::shipped_model("translation"));
    document.source = "the small girl saw a black cat .";
    app_->apply(becomes(document));
    app_->apply(ChangeView{[](ViewState& v) { v.count_from = attn::CountFrom::One; }});
    app_->finish();
    for (const auto& [text, part] : {std::pair{"cross 1.1", attn::Part::Cross}, {"encoder 1.1", attn::Part::Encoder}, {"Cross-attention L1H1", attn::Part::Cross}, {"交叉注意力 1.1", attn::Part::Cross}}) {
        go(text);
        app_->finish();
        frame();
        EXPECT_EQ(app_->derived().run->trace[app_->derived().pose.step].tag.part, part) << text;
        EXPECT_EQ(app_->derived().run->trace[app_->derived().pose.step].tag.role, attn::Role::Weights) << text;
    }
    open();
    type("cross 9.9");
    EXPECT_TRUE(lists("no such head"));
    press(gui::Key::Escape);
}

/// By their titles and by the names that --page has; only those that this model has.
TEST_F(AppPalette, FindsThePagesOfTheHeads) {
    for (const auto& [text, page] : {std::pair{"OV and QK", "circuit"}, {"Geometry", "plane"}, {"neuron", "neuron"}, {"Heads: Roles", "ranked"}, {"头的组合", "composition"}}) {
        app_->apply(ChangeView{[](ViewState& v) { v.screen = Screen::Stage; }});
        go(text);
        app_->finish();
        frame();
        EXPECT_EQ(app_->state().view.screen, Screen::Heads) << text;
        EXPECT_EQ(app_->derived().part<HeadsData>().page, page) << text;
    }
    open();
    type("Heads: Alignment");
    EXPECT_FALSE(lists("Heads: Alignment")) << "there is one text";
    press(gui::Key::Escape);
}

/// The screen of the heads may show another layer than that of the playhead.
TEST_F(AppPalette, TheHeadOfThePlayheadIsSelectedOnEveryScreen) {
    go("1.2");
    app_->apply(ChangeView{[](ViewState& v) {
        v.screen = Screen::Heads;
        row_of(Screen::Heads).show_attention(v, {attn::Role::Weights, attn::kNoHead, 0});
    }});
    frame();
    ASSERT_EQ(app_->derived().shown_head->at.layer, 0);
    go("1.2");
    EXPECT_EQ(app_->derived().shown_head->at.layer, 1);
}

TEST_F(AppPalette, FollowsTheCountingSetting) {
    app_->apply(ChangeView{[](ViewState& v) { v.count_from = attn::CountFrom::One; }});
    go("1.2");
    EXPECT_EQ(shown_step(), "l1.weights.h2");
    EXPECT_EQ(app_->state().view.head, 1);
    // A head without a layer is one of the layer that is shown.
    go("2.1");
    go("head 4");
    EXPECT_EQ(shown_step(), "l2.weights.h4");
    // For one that does not exist it lists those that do, and does nothing.
    for (const char* none : {"0.1", "3.1", "1.5"}) {
        open();
        type(none);
        EXPECT_TRUE(lists("no such head: layers 1 to 2, heads 1 to 4")) << none;
        press(gui::Key::Enter);
        press(gui::Key::Escape);
        EXPECT_EQ(shown_step(), "l2.weights.h4") << none;
    }
    open();
    type("1.2");
    EXPECT_TRUE(lists("Go to layer 1, head 2"));
    press(gui::Key::Escape);
    // It can be chosen from here, too.
    go("number layers 0, 1");
    EXPECT_EQ(app_->state().view.count_from, attn::CountFrom::Zero);
    go("usual number layers");
    EXPECT_EQ(app_->state().view.count_from, std::nullopt);
}

TEST_F(CommandPalette, NothingBelowItIsTouched) {
    show("the tired cat", "none", {attn::Role::Scores});
    const Point cell = middle("cell_0_0");
    open();
    gui::inject_mouse_pos(cell);
    frame();
    EXPECT_FALSE(app_->state().view.pointed);
    type(" qqq");  // no command has this name
    EXPECT_FALSE(app_->state().view.playing);
    press(gui::Key::Tab);
    frame();
    const bool playing = app_->state().view.playing;
    press(gui::Key::Enter);  // whatever has the focus, it is nothing below
    EXPECT_EQ(app_->state().view.playing, playing);
}

TEST_F(CommandPalette, EveryCommandIsFoundByItsOwnWordsInBothLanguages) {
    open();
    // In the palette every command is among the first results for its words.
    for (const UserCommand& command : commands_of_user())
        for (const Language language : {Language::English, Language::Chinese})
            EXPECT_GT(fuzzy_score(tr(command.does, language), tr(command.does, language)), 0) << command.id;
}

TEST_F(AppFrame, KeysOfTheTableWork) {
    show("the tired cat", "none", {attn::Role::Scores});
    const auto view = [&]() -> const ViewState& { return app_->state().view; };
    press(gui::Key::F12);
    EXPECT_FALSE(view().panels);
    EXPECT_FALSE(shows("play"));
    EXPECT_TRUE(shows("stage"));
    press(gui::Key::F12);
    EXPECT_TRUE(shows("play"));
    press(gui::Key::F1);
    EXPECT_EQ(view().sheet, Sheet::Keys);
    press(gui::Key::F1);
    EXPECT_EQ(view().sheet, Sheet::None);
    const int stop = app_->derived().pose.stop;
    gui::inject_key(gui::Key::Ctrl, true);
    press(gui::Key::Left);  // no such command
    gui::inject_key(gui::Key::Ctrl, false);
    EXPECT_EQ(app_->derived().pose.stop, stop);
    press(gui::Key::Left);
    EXPECT_EQ(app_->derived().pose.stop, stop - 1);
}

TEST_F(AppFrame, QuittingWhileTypingNeedsTheKeysTwice) {
    const auto quits = [&] {
        key_with_ctrl(gui::Key::Q);
        return app_->state().view.quit;
    };
    click("text");
    type("x");
    EXPECT_FALSE(quits());
    EXPECT_NE(app_->state().view.done.find("Ctrl+Q"), std::string::npos) << app_->state().view.done;
    type("y");
    EXPECT_FALSE(quits()) << "what is typed since counts anew";
    EXPECT_TRUE(quits());
    app_->state().view.quit = false;
    type("z");
    frame(70);  // more than a second
    EXPECT_TRUE(quits());
}

/// Of keys with the same modifiers only the first shows them: M alone is another command than Ctrl+M.
TEST_F(AppFrame, TheSheetOfKeysNamesModifiers) {
    press(gui::Key::F1);
    const FrameLog log = frame();
    const auto at = [&](std::string_view words) {
        return std::find_if(log.labels.begin(), log.labels.end(), [&](const LabelRect& label) { return label.text == words; });
    };
    const auto forms = at("Ctrl+Shift+F");
    ASSERT_NE(forms, log.labels.end());
    EXPECT_EQ((forms + 1)->text, "Ctrl+M");
    const auto room = at("B");
    ASSERT_NE(room, log.labels.end());
    EXPECT_EQ((room + 1)->text, ".");
}

TEST_F(AppFrame, NumberAndMatrixAreCopied) {
    show("the tired cat", "none", {attn::Role::Scores});
    key_with_ctrl(gui::Key::C);
    const std::string matrix = gui::clipboard();
    EXPECT_EQ(std::count(matrix.begin(), matrix.end(), '\n'), 3);
    EXPECT_EQ(std::count(matrix.begin(), matrix.end(), '\t'), 6);
    EXPECT_NE(app_->state().view.done.find("3 × 3"), std::string::npos) << app_->state().view.done;
    click("cell_1_2");
    EXPECT_TRUE(app_->state().view.done.empty());  // a new thing was done
    key_with_ctrl(gui::Key::C);
    const float pinned = attn::find(app_->derived().run->trace, {attn::Role::Scores})->value(1, 2);
    EXPECT_EQ(std::stof(gui::clipboard()), pinned);
}

TEST_F(AppFrame, ALinkIsCopiedAndPasted) {
    show("the tired cat", "causal", {attn::Role::Scores});
    const attn::Document document = app_->state().document;
    gui::inject_key(gui::Key::Shift, true);
    key_with_ctrl(gui::Key::L);
    gui::inject_key(gui::Key::Shift, false);
    const std::string link = gui::clipboard();
    EXPECT_TRUE(link.starts_with("attenscope:1:")) << link;
    show("something else", "none", {attn::Role::Scores});
    key_with_ctrl(gui::Key::V);
    EXPECT_EQ(app_->state().document, document);
    // A damaged link is reported and changes nothing.
    gui::set_clipboard(link.substr(0, link.size() - 3));
    key_with_ctrl(gui::Key::V);
    EXPECT_EQ(app_->state().document, document);
    EXPECT_NE(app_->state().view.notice.find("missing or changed"), std::string::npos) << app_->state().view.notice;
    // Any other text becomes the sentence.
    gui::set_clipboard("good morning");
    key_with_ctrl(gui::Key::V);
    EXPECT_EQ(app_->state().document.text, "good morning");
}

}  // namespace
}  // namespace app
