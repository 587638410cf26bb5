// What a user changes in the settings: every number and choice has its control, and each has an explanation.

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <set>
#include <string>

#include "app/explain/form_words.h"
#include "app/panels/settings_table.h"
#include "app/shell/open_files.h"
#include "app/state/edits.h"
#include "app/state/examples.h"
#include "app/state/own_models.h"
#include "app/state/screens.h"
#include "app/state/settings.h"
#include "core/document/take.h"
#include "core/model/model.h"
#include "core/train/tasks.h"
#include "places.h"
#include "tests/app/app_hand_fixture.h"

namespace app {
namespace {

using attn::Role;

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

TEST_F(AppHand, AModelIsChosenInTheSettings) {
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

/// A model that was trained here has the name that the user gives it: on its card, in the settings, after a restart; undoing
/// changes of the document does not change the name.
TEST_F(AppHand, ATrainedModelCanBeRenamed) {
    const auto folder = std::filesystem::temp_directory_path() / "attenscope_names_test";
    std::filesystem::remove_all(folder);
    const attn::train::Task& task = *attn::train::find_task("copy");
    TakenSnapshot taken;
    taken.task = &task;
    taken.options = attn::train::complete(task, {.seed = 3, .size = "", .figures = false, .variation = ""});
    taken.step = 7;
    taken.weights = std::make_shared<const std::vector<attn::train::Weight>>(task.course(taken.options).weights);
    const auto kept = save_snapshot(taken, folder);
    ASSERT_TRUE(kept) << kept.error().text();
    app_->state().models = folder;
    show("the tired cat", "none", {Role::Weights});
    key_with_ctrl(gui::Key::M);
    const std::string card = "gallery." + (*kept)->name;
    frame_with("gallery.questions");
    gui::inject_mouse_pos(rect_of(frame(), "gallery").center());
    const auto labelled = [&](std::string_view text) {
        const FrameLog log = frame();
        return std::any_of(log.labels.begin(), log.labels.end(), [&](const LabelRect& l) { return l.text == text; });
    };
    const std::string recipe = "Copying, 7 steps, seed 3";
    const auto scroll_to_card = [&](std::string_view title) {  // until the whole card is visible: a card that is cut by the edge has no labels
        for (int i = 0; i < 60 && !labelled(title); ++i) {
            gui::inject_wheel(0, -1);
            frame(2);
        }
    };
    scroll_to_card(recipe);
    EXPECT_TRUE(labelled(recipe));
    EXPECT_TRUE(shows(card + ".rename"));
    EXPECT_FALSE(shows("gallery.sort.rename")) << "what comes along has its name";
    const attn::Document before = app_->state().document;
    click(card + ".rename");
    frame(4);
    type("My first copier");
    EXPECT_EQ(app_->state().view.sheet, Sheet::Models) << "a letter is no shortcut here";
    press(gui::Key::Enter);
    EXPECT_FALSE(shows("gallery_name"));
    EXPECT_TRUE(labelled("My first copier"));
    EXPECT_FALSE(labelled(recipe));
    EXPECT_EQ(app_->state().document, before) << "a name is not the document's";
    // It is a setting: it is written and read back.
    const auto again = settings_from_json(settings_to_json(settings_of(app_->state().view, {})), "settings.json");
    ASSERT_TRUE(again && again->problems.empty());
    EXPECT_EQ(again->settings.view.values.model_names, app_->state().view.model_names);
    EXPECT_EQ(given_name(again->settings.view.values.model_names, **kept), "My first copier");
    // The same model elsewhere on the disk, as after a move of the home folder.
    attn::Model moved = **kept;
    moved.name = "/elsewhere/" + std::string(nameable_model(moved));
    EXPECT_EQ(given_name(app_->state().view.model_names, moved), "My first copier");
    click(card);
    EXPECT_EQ(app_->state().document.model->fingerprint, (*kept)->fingerprint);
    scroll_to("model");
    EXPECT_TRUE(labelled("My first copier"));
    app_->apply(Undo{});
    EXPECT_EQ(app_->state().document, before);
    EXPECT_EQ(given_name(app_->state().view.model_names, **kept), "My first copier") << "undo is the document's";
    app_->apply(Redo{});
    // An empty name restores the default, the training's description.
    key_with_ctrl(gui::Key::M);
    for (int i = 0; i < 60 && !shows(card + ".rename"); ++i) {  // it is now the document's own model, and is listed further up
        gui::inject_mouse_pos(rect_of(frame(), "gallery").center());
        gui::inject_wheel(0, 1);
        frame(2);
    }
    click(card + ".rename");
    frame(4);
    key_with_ctrl(gui::Key::A);
    press(gui::Key::Delete);
    press(gui::Key::Enter);
    EXPECT_TRUE(app_->state().view.model_names.empty());
    for (int i = 0; i < 60 && !labelled(recipe); ++i) {  // the pencil is visible before the whole card is
        gui::inject_wheel(0, 1);
        frame(2);
    }
    EXPECT_TRUE(labelled(recipe));
    std::filesystem::remove_all(folder);
}

TEST_F(AppHand, AFormIsChosenInTheSettings) {
    show("the tired cat", "none", {Role::Weights});
    scroll_to("variant");
    click("variant");
    click("gallery.multi_head");
    EXPECT_EQ(doc().config.form, "multi_head");
    EXPECT_EQ(doc().text, "the tired cat");
}

TEST_F(AppHand, AnExampleIsChosenByItsPicture) {
    show("the tired cat", "none", {Role::Weights});
    key_with_ctrl(gui::Key::O);
    click("gallery.morning");
    EXPECT_EQ(doc(), example_document("morning").document);
}

TEST_F(AppHand, OnlyFieldsThatAreReadAreOffered) {
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

/// If not all settings fit, one group is open, and the others show their current values.
TEST_F(AppHand, GroupsOfSettingsFold) {
    attn::Document blocks;
    blocks.text = "the tired cat";
    attn::choose_form(blocks, "encoder");
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

/// Icons and settings show their explanation once the pointer has rested on them for half a second, and not before.
TEST_F(AppHand, RestingOnAControlExplainsIt) {
    show("the tired cat", "none", {Role::Scores});
    const std::pair<const char*, const char*> kThings[] = {{"home", "hint.home"}, {"learn", "hint.learn"}, {"level", "hint.level"},
                                                           {"menu", "hint.menu"}, {"score", "hint.score"}, {"mask", "hint.mask"}};
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

/// After a click a control shows no explanation, which would cover its effect, until the pointer has left it.
TEST_F(AppHand, AClickedControlShowsNoTooltip) {
    show("the tired cat", "none", {Role::Scores});
    const Point at = middle("cube"), elsewhere{1, kSize.h - 1};
    gui::inject_mouse_pos(at);
    frame(40);
    ASSERT_TRUE(shows("hint.cube"));
    click_at(at);
    frame(90);
    EXPECT_FALSE(shows("hint.cube"));
    gui::inject_mouse_pos(elsewhere);
    frame(2);
    gui::inject_mouse_pos(at);
    frame(40);
    EXPECT_TRUE(shows("hint.cube"));
}

/// Whatever can be clicked in the header, the steps, the settings and the transport has an explanation, in both languages.
TEST_F(AppHand, EveryControlHasATooltip) {
    const std::pair<const char*, Language> kSeen[] = {
        {"multi_head", Language::English}, {"multi_head", Language::Chinese}, {"encoder", Language::English}};
    const auto explained_in = [](const FrameLog& log) {
        return std::any_of(log.widgets.begin(), log.widgets.end(),
                           [](const WidgetRect& w) { return w.id.starts_with("hint."); });
    };
    for (const auto& [form, language] : kSeen) {
        attn::Document seen;
        seen.text = "the tired cat";
        attn::choose_form(seen, form);
        seen.config.heads = 2;
        app_->apply(becomes(seen));
        app_->state().view.language = language;
        gui::inject_mouse_pos({kSize.w / 2, kSize.h / 2});
        const FrameLog all = frame();
        const Rect header{0, 0, kSize.w, 60}, footer{0, kSize.h - 64, kSize.w, 64}, left{0, 60, 226, kSize.h - 124};
        int fields = 0;
        for (const WidgetRect& widget : all.widgets) {
            const Point at = widget.rect.center();
            if (widget.rect.empty() || (!header.contains(at) && !footer.contains(at) && !left.contains(at))) continue;
            gui::inject_mouse_pos(at);
            FrameLog log;
            for (int i = 0; i < 4; ++i) {
                log = {};
                app_->build_frame(kSize, 0.3, &log);
            }
            EXPECT_TRUE(explained_in(log)) << form << ' ' << language_id(language) << ' ' << widget.id;
            ++fields;
        }
        EXPECT_GT(fields, 20) << form;
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
        attn::choose_form(doc, form);
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

TEST_F(AppHand, AllFieldsOfADocumentCanBeSetHere) {
    attn::Document blocks;
    blocks.text = "the tired cat";
    attn::choose_form(blocks, "encoder");
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

/// With vectors other than its own a checkpoint cannot run: the choice is offered only for a document that already made it.
TEST(Settings, ACheckpointTokenizesItsTextItself) {
    const Setting* by = nullptr;
    for (const SettingGroup& group : setting_groups())
        for (const Setting& setting : group.settings)
            if (setting.field == "tokenizer") by = &setting;
    ASSERT_NE(by, nullptr);
    attn::Document doc;
    EXPECT_TRUE(is_offered(*by, doc));
    attn::take_model(doc, attn::shipped_model("language"));
    EXPECT_FALSE(is_offered(*by, doc));
    doc.tokenizer = "words";
    EXPECT_TRUE(is_offered(*by, doc));
}

TEST(Settings, AChapterCountsFromOneWithANote) {
    ViewState view;
    choose_count(view, attn::CountFrom::Zero);
    EXPECT_EQ(view.count_from, attn::CountFrom::Zero);
    EXPECT_EQ(view.done, "");
    view.course.chapter = "two-vectors";
    choose_count(view, std::nullopt);
    EXPECT_EQ(view.count_from, attn::CountFrom::Zero);
    EXPECT_EQ(view.done, tr(Str::chapter_locked, Language::English));
}

/// Its sizes are those of its tensors: with others nothing could be computed. Settings that can be changed are offered.
TEST(Settings, ACheckpointsSizesAreNotOffered) {
    const auto offered = [](const attn::Document& doc) {
        std::set<std::string_view> out;
        for (const SettingGroup& group : setting_groups())
            for (const Setting& setting : group.settings)
                if (is_offered(setting, doc)) out.insert(setting.field);
        return out;
    };
    const auto model = attn::find_model(ATTN_SOURCE_DIR "/tests/data/planted", {.folders = true});
    ASSERT_TRUE(model);
    attn::Document doc, own;
    attn::take_model(doc, *model);
    attn::choose_form(own, "encoder");
    own.config.heads = 4;
    for (const char* size : {"heads", "kv_heads", "head_width", "ffn_width"}) {
        EXPECT_FALSE(offered(doc).contains(size)) << size;
        EXPECT_TRUE(offered(own).contains(size)) << size;
    }
    for (const char* choice : {"model", "layers", "mask", "temperature", "position", "activation", "count_from"}) EXPECT_TRUE(offered(doc).contains(choice)) << choice;
    // With one head in one layer there is nothing to count.
    EXPECT_FALSE(offered(attn::Document{}).contains("count_from"));
}

/// Counting from 0 or from 1 changes the labels in the window, and the setting is stored.
TEST_F(AppHand, LayersAndHeadsFollowTheCountingSetting) {
    attn::Document doc;
    doc.text = "the tired cat";
    doc.config.heads = 4;
    app_->apply(becomes(doc));
    const auto says = [&](std::string_view words) {
        const FrameLog log = frame();
        return std::any_of(log.labels.begin(), log.labels.end(), [&](const LabelRect& label) { return label.text.find(words) != std::string::npos; });
    };
    EXPECT_TRUE(says("Head 1 / 4"));
    scroll_to("count_from");
    click("count_from");
    click("count_from.1");
    EXPECT_EQ(app_->state().view.count_from, attn::CountFrom::Zero);
    EXPECT_TRUE(says("Head 0 / 4"));
    EXPECT_NE(settings_to_json(settings_of(app_->state().view, {})).find("\"count_from\": \"0\""), std::string::npos);
}

/// A checkpoint opens on its predictions, with the playhead at the weights; one that predicts no words opens on its heads.
TEST_F(AppHand, ACheckpointOpensOnItsPredictions) {
    const auto open = [&](const char* folder) {
        const auto opened = open_model(std::string(ATTN_SOURCE_DIR "/tests/data/") + folder);
        ASSERT_TRUE(opened) << opened.error().text();
        app_->apply(becomes(*opened));
        app_->apply(ChangeView{[&](ViewState& v) { look_at_checkpoint(v, *opened); }});
        app_->finish();
        frame();
    };
    open("planted");
    EXPECT_EQ(app_->state().view.screen, Screen::Prediction);
    EXPECT_EQ(attn::step_name(trace()[app_->derived().pose.step].tag), "l2.weights.h1");
    open("checkpoints/gpt2-bare");
    EXPECT_EQ(app_->state().view.screen, is_available(Screen::Prediction, doc()) ? Screen::Prediction : Screen::Heads);
    EXPECT_EQ(trace()[app_->derived().pose.step].tag.role, attn::Role::Weights);
    // A document of the user's own keeps its screen.
    app_->apply(ChangeView{[](ViewState& v) { v.screen = Screen::Stage; look_at_checkpoint(v, attn::Document{}); }});
    EXPECT_EQ(app_->state().view.screen, Screen::Stage);
}

TEST(Settings, AModelHasItsPublishedName) {
    const auto title = [](const char* folder, Language language = Language::English) {
        const auto opened = open_model(std::string(ATTN_SOURCE_DIR "/tests/data/checkpoints/") + folder);
        EXPECT_TRUE(opened) << folder;
        return opened ? std::string(form_title(*opened, language)) : std::string();
    };
    for (const char* folder : {"gpt2", "llama", "mistral", "gemma2", "pythia", "qwen3"}) EXPECT_EQ(title(folder), "Decoder-only") << folder;
    for (const char* folder : {"bert", "distilbert", "roberta", "modernbert", "minilm"}) EXPECT_EQ(title(folder), "Encoder-only") << folder;
    for (const char* folder : {"t5", "marian"}) EXPECT_EQ(title(folder), "Encoder–decoder") << folder;
    EXPECT_EQ(title("gpt2", Language::Chinese), "仅解码器");
    attn::Document small;
    attn::take_model(small, attn::shipped_model("language"));
    EXPECT_EQ(form_title(small, Language::English), "Decoder-only");
    attn::Document own;
    attn::choose_form(own, "encoder");
    EXPECT_EQ(form_title(own, Language::English), "Encoder");
}

TEST(Settings, EachHasAnExplanation) {
    for (const SettingGroup& group : setting_groups())
        for (const Setting& setting : group.settings) {
            const std::string_view english = hint_of(setting.field, Language::English), chinese = hint_of(setting.field, Language::Chinese);
            EXPECT_TRUE(english.ends_with('.')) << setting.field;
            EXPECT_TRUE(chinese.ends_with("。")) << setting.field;
        }
}

}  // namespace
}  // namespace app
