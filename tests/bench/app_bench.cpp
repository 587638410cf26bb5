// The time of a frame on the processor, up to the draw lists, and the time from start to the first frame. Run a Release
// build: build/tests/app_bench. What the driver does with the draw lists is not measured.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <string>

#include "tests/bench/app_program.h"
#include "app/screens/compare/look.h"
#include "app/screens/heads/look.h"

namespace {

using namespace app_bench;

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

/// Draws a matrix of the given size, as one texture or with one rectangle per cell, up to the frame's draw list.
void cells(benchmark::State& state, bool texture) {
    Program program(document_of(8));
    if (!program.app) return state.SkipWithError(program.trouble.c_str());
    App& app = *program.app;
    const auto n = static_cast<int>(state.range(0));
    const attn::Matrix value = attn::Matrix::Random(n, n);
    const ColorScale scale{Hue::Score, -1, 1, true};
    const Rect area{0, 0, 1024, 1024};
    const float side = area.w / static_cast<float>(n);
    const auto draw = [&](Painter& p) {
        if (texture) {
            const unsigned id = app.heatmaps().texture(value, -1, scale, 1024, 1024, 0);
            if (id != 0) p.image(id, area);
            return;
        }
        for (int r = 0; r < n; ++r)
            for (int c = 0; c < n; ++c)
                p.fill({side * static_cast<float>(c), side * static_cast<float>(r), side, side},
                       app.heatmaps().color(scale, value(r, c)));
    };
    for (int i = 0; i < 40; ++i) {
        app.build_frame(kSize, 0);
        app.draw_beside(kSize, draw);
        app.finish();
    }
    for (auto _ : state) app.draw_beside(kSize, draw);
}

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

/// Every screen, at the length of a sentence (target: 4 ms) and of a long text (target: 8 ms). The matrices of a long
/// text are shown as a whole and at rest, with all their tiles computed.
void picture(benchmark::State& state, Screen screen, const char* step, void (*change)(ViewState&) = nullptr) {
    Program program(document_of(state.range(0)));
    if (!program.app) return state.SkipWithError(program.trouble.c_str());
    App& app = *program.app;
    const attn::StepId id = attn::find_step(app.derived().run->trace, step);
    app.apply(GoToStop{stop_of(app.derived().timeline, app.derived().run->trace, id), 1});
    ViewState view = app.state().view;
    view.screen = screen;
    if (change) change(view);
    app.apply(becomes(view));
    program.settle();
    double longest = 0;  // the longest frame: users notice it as a hitch
    for (auto _ : state) {
        const auto begin = std::chrono::steady_clock::now();
        app.build_frame(kSize, kFrame);
        longest = std::max(longest, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    }
    state.counters["longest_ms"] = longest * 1e3;
    state.counters["run_MB"] = program.held();
    state.counters["gpu_MB"] = program.tiles();
    state.counters["pyramid_MB"] = program.pyramids();
}
void view_embeddings(benchmark::State& s) { picture(s, Screen::Stage, "embeddings"); }
void view_scores(benchmark::State& s) { picture(s, Screen::Stage, "scores.h1"); }
void view_weights(benchmark::State& s) { picture(s, Screen::Stage, "weights.h1"); }
void view_output(benchmark::State& s) { picture(s, Screen::Stage, "output"); }
void view_flow(benchmark::State& s) { picture(s, Screen::Flow, "weights.h1"); }
void view_experiments(benchmark::State& s) { picture(s, Screen::Experiments, "weights.h1"); }
void view_compare(benchmark::State& s) { picture(s, Screen::Compare, "weights.h1"); }
void view_flow_fan(benchmark::State& s) {
    picture(s, Screen::Flow, "weights.h1", [](ViewState& v) {
        v.flow.fan = true;
        v.flow.fanned = 1;
    });
}
void view_compare_heads(benchmark::State& s) {
    picture(s, Screen::Compare, "weights.h1", [](ViewState& v) {
        v.part<app::Comparison>().kind = "head";
        v.part<app::Comparison>().choice = "2";
    });
}
void view_heads_strongest(benchmark::State& s) {
    picture(s, Screen::Heads, "weights.h1", [](ViewState& v) {
        v.part<app::HeadsChoice>().matrix = true;
        v.part<app::HeadsChoice>().shown = "strongest";
    });
}
void view_heads_lines(benchmark::State& s) { picture(s, Screen::Heads, "weights.h1"); }
void view_heads_maps(benchmark::State& s) {
    picture(s, Screen::Heads, "weights.h1", [](ViewState& v) { v.part<app::HeadsChoice>().matrix = true; });
}
void view_heads_grid(benchmark::State& s) {
    picture(s, Screen::Heads, "weights.h1", [](ViewState& v) { v.part<app::HeadsChoice>().page = "grid"; });
}
void view_heads_neuron(benchmark::State& s) {
    picture(s, Screen::Heads, "weights.h1", [](ViewState& v) { v.part<app::HeadsChoice>().page = "neuron"; });
}
void view_heads_plane(benchmark::State& s) {
    picture(s, Screen::Heads, "weights.h1", [](ViewState& v) {
        v.part<app::HeadsChoice>().page = "plane";
        v.part<app::HeadsChoice>().plane = "all";
    });
}
#define VIEW_BENCHMARK(name) BENCHMARK(name)->Arg(64)->Arg(4096)->Unit(benchmark::kMillisecond)
VIEW_BENCHMARK(view_embeddings);
VIEW_BENCHMARK(view_scores);
VIEW_BENCHMARK(view_weights);
VIEW_BENCHMARK(view_output);
VIEW_BENCHMARK(view_flow);
VIEW_BENCHMARK(view_flow_fan);
VIEW_BENCHMARK(view_experiments);
VIEW_BENCHMARK(view_compare);
VIEW_BENCHMARK(view_compare_heads);
VIEW_BENCHMARK(view_heads_lines);
VIEW_BENCHMARK(view_heads_maps);
VIEW_BENCHMARK(view_heads_strongest);
VIEW_BENCHMARK(view_heads_grid);
VIEW_BENCHMARK(view_heads_neuron);
VIEW_BENCHMARK(view_heads_plane);
#undef VIEW_BENCHMARK

/// Panning over a long text, close enough to read numbers or with a tenth of it in view: each frame shows another part.
void view_panning(benchmark::State& state) {
    Program program(document_of(4096));
    if (!program.app) return state.SkipWithError(program.trouble.c_str());
    App& app = *program.app;
    const attn::StepId id = attn::find_step(app.derived().run->trace, "scores.h1");
    app.apply(GoToStop{stop_of(app.derived().timeline, app.derived().run->trace, id), 1});
    ViewState view = app.state().view;
    view.map.zoom = static_cast<float>(state.range(0));
    program.settle();
    float at = 0;
    for (auto _ : state) {
        view.map.row = 0.3f + 0.2f * (at += 0.001f);
        app.apply(becomes(view));
        app.build_frame(kSize, kFrame);
    }
    state.counters["gpu_MB"] = program.tiles();
}
BENCHMARK(view_panning)->Arg(10)->Arg(600)->Unit(benchmark::kMillisecond);

/// Chooses something on a page of the heads, or another head to compare with: the longest frame on the processor until
/// the picture is complete. Anything that takes longer must happen on another thread.
void choosing(benchmark::State& state, Screen screen, void (*next)(ViewState&, int)) {
    Program program(document_of(state.range(0)));
    if (!program.app) return state.SkipWithError(program.trouble.c_str());
    App& app = *program.app;
    ViewState view = app.state().view;
    view.screen = screen;
    app.apply(becomes(view));
    program.settle();
    double longest = 0;
    int turn = 0;
    for (auto _ : state) {
        next(view, ++turn);
        const auto begin = std::chrono::steady_clock::now();
        app.apply(becomes(view));
        app.build_frame(kSize, kFrame);
        longest = std::max(longest, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
        state.PauseTiming();
        program.settle();
        state.ResumeTiming();
    }
    state.counters["longest_ms"] = longest * 1e3;
}
void choosing_heads(benchmark::State& s) {
    choosing(s, Screen::Heads, [](ViewState& v, int turn) { v.part<app::HeadsChoice>().keep = turn % 2 ? 0.5f : 0.6f; });
}
void choosing_another_head(benchmark::State& s) {
    choosing(s, Screen::Compare, [](ViewState& v, int turn) {
        v.part<app::Comparison>().kind = "head";
        v.part<app::Comparison>().choice = turn % 2 ? "2" : "3";
    });
}
BENCHMARK(choosing_heads)->Arg(64)->Arg(4096)->Unit(benchmark::kMillisecond)->Iterations(4);
BENCHMARK(choosing_another_head)->Arg(64)->Arg(4096)->Unit(benchmark::kMillisecond)->Iterations(4);

/// The cost of a frame that shows an n × n matrix as one texture, or as one rectangle per cell.
void cells_as_texture(benchmark::State& state) { cells(state, true); }
void cells_as_rectangles(benchmark::State& state) { cells(state, false); }
BENCHMARK(cells_as_texture)->Arg(64)->Arg(1024)->Unit(benchmark::kMillisecond);
BENCHMARK(cells_as_rectangles)->Arg(64)->Arg(1024)->Unit(benchmark::kMillisecond);

/// A page of the heads screen; nothing is recomputed.
void heads(benchmark::State& state, const char* page) {
    Program program(document_of(state.range(0)));
    if (!program.app) return state.SkipWithError(program.trouble.c_str());
    App& app = *program.app;
    ViewState view = app.state().view;
    view.screen = Screen::Heads;
    view.part<app::HeadsChoice>().page = page;
    view.part<app::HeadsChoice>().plane = "all";
    app.apply(becomes(view));
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

/// A moving pointer: another cell is explained in every frame.
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

/// Types over a number and builds the frame that shows its consequences.
void edit_to_next_frame(benchmark::State& state) {
    Program program(document_of(state.range(0)));
    if (!program.app) return state.SkipWithError(program.trouble.c_str());
    App& app = *program.app;
    program.warm_up();
    float value = 0;
    for (auto _ : state) {
        attn::Document changed = app.state().document;
        changed.edits = {{{attn::Role::Embeddings}, 1, 1, value += 0.001f}};
        app.apply(becomes(std::move(changed), "drag"));
        app.finish();
        app.build_frame(kSize, kFrame);
    }
}
BENCHMARK(edit_to_next_frame)->Arg(8)->Arg(64)->Unit(benchmark::kMicrosecond)->UseRealTime();

/// Context, fonts, shaders, computation and the finished picture of a Chinese sentence.
void start_to_first_frame(benchmark::State& state) {
    for (auto _ : state) {
        Program program(example_document("morning").document);
        if (!program.app) return state.SkipWithError(program.trouble.c_str());
        program.app->state().view.language = Language::Chinese;
        const auto picture = render_frame(*program.app, kSize);
        if (!picture) return state.SkipWithError(picture.error().text().c_str());
        benchmark::DoNotOptimize(picture->rgba.data());
        state.PauseTiming();  // leaving is not part of the start
        program.app.reset();
        program.context.reset();
        state.ResumeTiming();
    }
}
BENCHMARK(start_to_first_frame)->Unit(benchmark::kMillisecond)->UseRealTime()->MinTime(3);

}  // namespace

int main(int argc, char** argv) {
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
    benchmark::RunSpecifiedBenchmarks();
    app_bench::close_playing();
    benchmark::Shutdown();
}
