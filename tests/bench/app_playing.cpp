// The cost of a frame while the walk plays: every screen, every form on the screens that show the walk, with a sentence
// and with a text of 64 tokens; and the training page during training. Processor time up to the draw lists. The budget
// is 4 ms; frames_budget.py judges the output.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <ctime>
#include <filesystem>
#include <optional>
#include <string>
#include <thread>

#include "app/screens/heads/heads.h"
#include "app/screens/training/data.h"
#include "app/screens/training/training.h"
#include "app/state/edits.h"
#include "app/state/examples.h"
#include "app/state/screens.h"
#include "core/attention/forms/attention.h"
#include "core/document/fields.h"
#include "core/model/model.h"
#include "tests/bench/app_program.h"
#include "tests/support/large_vocabulary.h"

namespace {

using namespace app_bench;

/// Seconds between two frames: the longest that still looks like motion, so that each frame has much that is new.
constexpr double kStride = 1.0 / 12;
constexpr int kFrames = 360;  // half a minute: the walk of a sentence from its beginning to its end

attn::Document document_of(std::string_view form, int tokens) {
    constexpr std::array<std::string_view, 8> kWords = {"the", "tired", "cat", "sat", "down", "and", "it", "slept"};
    attn::Document doc;
    doc.text.clear();
    for (int i = 0; i < tokens; ++i) doc.text.append(kWords[static_cast<std::size_t>(i) % 8]).append(" ");
    attn::choose_form(doc, form);
    return doc;
}

/// One program for all measurements: opening it takes longer than the frames do.
std::optional<Program>& open_program() {
    static std::optional<Program> one;
    return one;
}
Program& program() {
    if (!open_program()) open_program().emplace(attn::Document());
    return *open_program();
}

double thread_seconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Calls `each` before every frame. Also records the longest frame, which users notice as a hitch.
template <class Each>
void frames(benchmark::State& state, App& app, Each each) {
    double longest = 0;
    for (auto _ : state) {
        const double begin = thread_seconds();
        each();
        app.build_frame(kSize, kStride);
        longest = std::max(longest, thread_seconds() - begin);
    }
    state.counters["longest_ms"] = longest * 1e3;
}

/// Shows this document on this screen, with the walk at its beginning; null: the program could not be opened.
App* opened(benchmark::State& state, const attn::Document& document, Screen screen, Language language = Language::English) {
    Program& one = program();
    if (!one.app) {
        state.SkipWithError(one.trouble.c_str());
        return nullptr;
    }
    one.app->state() = first_state(language);
    one.app->state().document = document;
    one.app->finish();
    one.app->apply(ChangeView{[screen](ViewState& v) { v.screen = screen; }});
    one.settle();
    return one.app.get();
}

/// Plays the walk from beginning to end, again and again. Records how many seconds of the walk were shown, and checks
/// that it moved: every frame must have another time.
void play_on(benchmark::State& state, App* const app) {
    if (!app) return;
    double seen = 0, before = 0;
    frames(state, *app, [&] {
        seen += std::max(0.0, app->derived().time - before);
        before = app->derived().time;
        if (app->state().view.playing) return;
        app->apply(GoToStop{0, 0});
        app->apply(Play{true});
    });
    state.counters["walk_s"] = seen;
}
void playing(benchmark::State& state, const attn::Document& document, Screen screen, Language language) {
    play_on(state, opened(state, document, screen, language));
}

/// A whole model seen from afar: the tower, whose floors are built one after the other.
void playing_tower(benchmark::State& state, const attn::Document& document) {
    App* const app = opened(state, document, Screen::Flow);
    if (!app) return;
    app->apply(LookAt{app->derived().place, whole_of(app->derived().map, app->derived().place), false});
    program().settle();
    if (!app->derived().tower) return state.SkipWithError("there is no tower");
    play_on(state, app);
}
/// The steps after the attention with one of their boxes opened; while presenting as well.
void playing_strip(benchmark::State& state, const attn::Document& document, bool room) {
    App* const app = opened(state, document, Screen::Flow);
    if (!app) return;
    const auto last = app->derived().timeline.stops.back().step;
    app->apply(ChangeView{[room, tag = app->derived().run->trace[last].tag](ViewState& v) {
        v.present.on = room;
        v.unfolded = tag;
    }});
    program().settle();
    play_on(state, app);
}
/// The last steps of a model that predicts words: each has thousands of columns, of which a few are shown.
void playing_words(benchmark::State& state, const attn::Document& document) {
    App* const app = opened(state, document, Screen::Stage);
    if (!app) return;
    const int last = static_cast<int>(app->derived().timeline.stops.size()) - 1;
    frames(state, *app, [&] {
        if (app->state().view.playing) return;
        app->apply(GoToStop{last - 1, 0});
        app->apply(Play{true});
    });
}
/// The same with as many words as GPT-2 has: nothing in a frame may be proportional to their number.
void playing_large_vocabulary(benchmark::State& state) {
    const std::filesystem::path folder = std::filesystem::temp_directory_path() / "attenscope_bench_vocabulary";
    attn::test::write_large_vocabulary(std::filesystem::path(__FILE__).parent_path() / "../../assets/models/language", folder);
    if (const auto model = attn::find_model(folder.string(), {.folders = true})) {
        attn::Document doc;
        use_model(doc, *model);
        playing_words(state, doc);
    } else {
        state.SkipWithError(model.error().text().c_str());
    }
    std::filesystem::remove_all(folder);
}
/// Two texts' alignment, written while it plays.
void playing_alignment(benchmark::State& state, const attn::Document& document) {
    App* const app = opened(state, document, Screen::Heads);
    if (!app) return;
    if (app->derived().part<HeadsData>().page != "alignment") return state.SkipWithError("there is no alignment");
    play_on(state, app);
}
attn::Document tower_of(std::string_view model) {
    attn::Document doc;
    use_model(doc, attn::shipped_model(model));
    return doc;
}
attn::Document tower_of_random(int layers, int heads, int tokens) {
    attn::Document doc = document_of("encoder", tokens);
    doc.weights = "random";
    doc.config.layers = layers;
    doc.config.heads = heads;
    return doc;
}

/// The training page while its job trains on another thread. A frame that waited for a training step would take
/// wall-clock time, not processor time of this thread.
void training(benchmark::State& state, const char* task) {
    App* const app = opened(state, attn::Document(), Screen::Train);
    if (!app) return;
    app->apply(TrainingAction{ChooseTraining{task, "", 0}});
    program().settle();
    app->apply(TrainingAction{StartTraining{}});
    frames(state, *app, [] { std::this_thread::sleep_for(std::chrono::milliseconds(8)); });  // as a display would
    const auto steps = app->derived().part<TrainingData>().news ? app->derived().part<TrainingData>().news->step : 0;
    state.counters["steps"] = static_cast<double>(steps);
    app->apply(TrainingAction{StopTraining{}});
    program().settle();
}

void add(const std::string& name, attn::Document document, Screen screen, Language language = Language::English) {
    benchmark::RegisterBenchmark(("playing/" + name).c_str(), [=](benchmark::State& s) { playing(s, document, screen, language); })
        ->Iterations(kFrames)
        ->Unit(benchmark::kMillisecond);
}

/// Registers every form on the screens of the walk; on all other screens that play, the trained layer that opens first.
const bool kAdded = [] {
    for (const ScreenRow& row : screens()) {
        const std::string screen(row.id);
        if (row.screen == Screen::Train) continue;
        for (const Language language : {Language::English, Language::Chinese})
            add(screen + "/opening/" + std::string(language_id(language)), opening_document(language), row.screen, language);
        if (!row.walks && row.screen != Screen::Heads) continue;
        for (const attn::Form& form : attn::forms())
            for (const int tokens : {8, 64})
                if (form.id != "from_file")  // it has no numbers of its own
                    add(screen + "/" + std::string(form.id) + "/" + std::to_string(tokens), document_of(form.id, tokens),
                        row.screen);
    }
    const auto add_tower = [](const std::string& name, auto document) {
        benchmark::RegisterBenchmark(("playing/tower/" + name).c_str(), [document](benchmark::State& s) { playing_tower(s, document()); })
            ->Iterations(kFrames)
            ->Unit(benchmark::kMillisecond);
    };
    const auto add_as = [](const std::string& name, auto run) { benchmark::RegisterBenchmark(("playing/" + name).c_str(), run)->Iterations(kFrames)->Unit(benchmark::kMillisecond); };
    for (const char* model : {"alignment", "translation"}) add_as("alignment/" + std::string(model), [model](benchmark::State& s) { playing_alignment(s, tower_of(model)); });
    for (const char* model : {"language", "alignment", "translation"})
        for (const bool room : {false, true})
            add_as(std::string("strip/") + model + (room ? "/room" : ""), [model, room](benchmark::State& s) { playing_strip(s, tower_of(model), room); });
    add_as("words/language", [](benchmark::State& s) { playing_words(s, tower_of("language")); });
    add_as("words/50257", [](benchmark::State& s) { playing_large_vocabulary(s); });
    for (const char* model : {"language", "translation"}) add_tower(model, [model] { return tower_of(model); });
    add_tower("4x4", [] { return tower_of_random(4, 4, 24); });
    add_tower("16x8", [] { return tower_of_random(16, 8, 24); });
    for (const char* task : {"questions", "it", "alignment"})
        benchmark::RegisterBenchmark(("playing/train/" + std::string(task)).c_str(), [task](benchmark::State& s) { training(s, task); })
            ->Iterations(kFrames)
            ->Unit(benchmark::kMillisecond);
    return true;
}();

}  // namespace

// The job may still be training with the tables of the tasks: it must end before those tables are destroyed.
void app_bench::close_playing() { open_program().reset(); }
