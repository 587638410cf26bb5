// How long a frame takes on our side, up to the draw lists, and how long from nothing to the first frame. Run a Release
// build: build/tests/app_bench. What the driver does with the lists is measured by none of these.
#include <benchmark/benchmark.h>

#include <array>
#include <memory>
#include <string>

#include "app/app.h"
#include "app/gfx/offscreen.h"

namespace {

using namespace app;

constexpr Size kSize{1440, 900};
constexpr double kFrame = 1.0 / 60;  // seconds

attn::Document document_of(std::int64_t tokens) {
    constexpr std::array<std::string_view, 8> kWords = {"the", "tired", "cat", "sat", "down", "and", "it", "slept"};
    attn::Document doc;
    doc.text.clear();
    for (std::int64_t i = 0; i < tokens; ++i) doc.text.append(kWords[static_cast<std::size_t>(i) % 8]).append(" ");
    doc.weights = "random";
    doc.config.heads = 4;
    doc.config.mask = "causal";
    return doc;
}

/// The program offscreen, or the reason why not.
struct Program {
    std::optional<gfx::Offscreen> context;  // before the program: everything made in it must go first
    std::unique_ptr<App> app;
    std::string trouble;

    explicit Program(const attn::Document& document) {
        auto opened = gfx::open_offscreen();
        if (!opened) {
            trouble = opened.error().text();
            return;
        }
        context.emplace(std::move(*opened));
        auto program = App::open({});
        if (!program) {
            trouble = program.error().text();
            return;
        }
        app = std::move(*program);
        app->state().document = document;
        app->finish();
    }

    /// Glyphs and textures that the coming frames need.
    void warm_up() {
        constexpr int kFrames = 4;
        for (int i = 0; i < kFrames; ++i) app->build_frame(kSize, 0);
    }
};

/// One frame of one step, its motion at `percent`; nothing is recomputed, everything is drawn.
void frame(benchmark::State& state, const char* step, int percent) {
    Program program(document_of(state.range(0)));
    if (!program.app) return state.SkipWithError(program.trouble.c_str());
    App& app = *program.app;
    const attn::StepId id = attn::find_step(app.derived().run->trace, step);
    app.apply(GoToStop{stop_of(app.derived().timeline, app.derived().run->trace, id), percent / 100.0});
    program.warm_up();
    for (auto _ : state) app.build_frame(kSize, kFrame);
}
void scores_at_rest(benchmark::State& state) { frame(state, "scores.h1", 100); }
void scores_moving(benchmark::State& state) { frame(state, "scores.h1", 30); }
void mask_moving(benchmark::State& state) { frame(state, "masked.h1", 30); }
void softmax_at_rest(benchmark::State& state) { frame(state, "weights.h1", 100); }
void softmax_moving(benchmark::State& state) { frame(state, "weights.h1", 30); }
void mix_moving(benchmark::State& state) { frame(state, "head_output.h1", 20); }
BENCHMARK(scores_at_rest)->Arg(8)->Arg(64)->Arg(512)->Unit(benchmark::kMicrosecond);
BENCHMARK(scores_moving)->Arg(8)->Arg(64)->Arg(512)->Unit(benchmark::kMicrosecond);
BENCHMARK(mask_moving)->Arg(8)->Arg(64)->Arg(512)->Unit(benchmark::kMicrosecond);
BENCHMARK(softmax_at_rest)->Arg(8)->Arg(64)->Arg(512)->Unit(benchmark::kMicrosecond);
BENCHMARK(softmax_moving)->Arg(8)->Arg(64)->Arg(512)->Unit(benchmark::kMicrosecond);
BENCHMARK(mix_moving)->Arg(8)->Arg(64)->Arg(512)->Unit(benchmark::kMicrosecond);

/// A page of the heads screen; nothing is recomputed.
void heads(benchmark::State& state, const char* page) {
    Program program(document_of(state.range(0)));
    if (!program.app) return state.SkipWithError(program.trouble.c_str());
    App& app = *program.app;
    ViewState view = app.state().view;
    view.screen = Screen::Heads;
    view.heads.page = page;
    view.heads.plane = "all";
    app.apply(ChangeView{view});
    app.finish();
    program.warm_up();
    for (auto _ : state) app.build_frame(kSize, kFrame);
}
void heads_lines(benchmark::State& state) { heads(state, "lines"); }
void heads_grid(benchmark::State& state) { heads(state, "grid"); }
void heads_neuron(benchmark::State& state) { heads(state, "neuron"); }
void heads_plane(benchmark::State& state) { heads(state, "plane"); }
BENCHMARK(heads_lines)->Arg(8)->Arg(64)->Arg(512)->Unit(benchmark::kMicrosecond);
BENCHMARK(heads_grid)->Arg(8)->Arg(64)->Arg(512)->Unit(benchmark::kMicrosecond);
BENCHMARK(heads_neuron)->Arg(8)->Arg(64)->Arg(512)->Unit(benchmark::kMicrosecond);
BENCHMARK(heads_plane)->Arg(8)->Arg(64)->Arg(512)->Unit(benchmark::kMicrosecond);

/// A pointer that wanders: another cell is explained in every frame.
void frame_with_another_cell(benchmark::State& state) {
    Program program(document_of(state.range(0)));
    if (!program.app) return state.SkipWithError(program.trouble.c_str());
    App& app = *program.app;
    const attn::Tag tag{attn::Role::Weights, 0};
    const attn::StepId id = attn::find_id(app.derived().run->trace, tag);
    app.apply(GoToStop{stop_of(app.derived().timeline, app.derived().run->trace, id), 1});
    program.warm_up();
    int at = 0;
    const auto n = static_cast<int>(state.range(0));
    for (auto _ : state) {
        at = (at + 1) % (n * n);
        app.apply(PointAt{CellRef{tag, at / n, at % n}});
        app.build_frame(kSize, kFrame);
    }
}
BENCHMARK(frame_with_another_cell)->Arg(8)->Arg(64)->Arg(512)->Unit(benchmark::kMicrosecond);

/// A typed-over number, and the frame that shows what follows from it.
void edit_to_next_frame(benchmark::State& state) {
    Program program(document_of(state.range(0)));
    if (!program.app) return state.SkipWithError(program.trouble.c_str());
    App& app = *program.app;
    program.warm_up();
    float value = 0;
    for (auto _ : state) {
        attn::Document changed = app.state().document;
        changed.edits = {{{attn::Role::Embeddings}, 1, 1, value += 0.001f}};
        app.apply(EditDocument{std::move(changed), "drag"});
        app.finish();
        app.build_frame(kSize, kFrame);
    }
}
BENCHMARK(edit_to_next_frame)->Arg(8)->Arg(64)->Unit(benchmark::kMicrosecond)->UseRealTime();

/// Context, fonts, shaders, computation and the finished picture of a Chinese sentence.
void start_to_first_frame(benchmark::State& state) {
    for (auto _ : state) {
        Program program(example_documents()[0].document);
        if (!program.app) return state.SkipWithError(program.trouble.c_str());
        program.app->state().view.language = Language::Chinese;
        const auto picture = render_frame(*program.app, kSize);
        if (!picture) return state.SkipWithError(picture.error().text().c_str());
        benchmark::DoNotOptimize(picture->rgba.data());
        state.PauseTiming();  // leaving is not starting
        program.app.reset();
        program.context.reset();
        state.ResumeTiming();
    }
}
BENCHMARK(start_to_first_frame)->Unit(benchmark::kMillisecond)->UseRealTime()->MinTime(3);

}  // namespace
