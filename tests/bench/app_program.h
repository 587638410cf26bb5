#pragma once
// The whole program without a window, for measurements of its frames.

#include <memory>
#include <optional>
#include <string>

#include "app/frame/heatmaps.h"
#include "app/gfx/offscreen.h"
#include "app/shell/app.h"

namespace app_bench {

using namespace app;

inline constexpr Size kSize{1440, 900};
inline constexpr double kFrame = 1.0 / 60;  // seconds

/// The program offscreen, or the reason why not.
struct Program {
    std::optional<gfx::Offscreen> context;  // declared before the program: what is made in it must be destroyed first
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

    /// Megabytes of all steps' values; likewise below of tiles on the graphics processor and of pyramids.
    double held() const {
        double bytes = 0;
        for (const attn::Step& step : app->derived().run->trace.steps)
            bytes += static_cast<double>(step.value.size()) * sizeof(float);
        return bytes / 1e6;
    }
    double tiles() const { return static_cast<double>(app->heatmaps().pool().bytes()) / 1e6; }
    double pyramids() const { return static_cast<double>(app->heatmaps().pyramids().bytes()) / 1e6; }

    /// Waits until everything that is shown has been computed.
    void settle() {
        warm_up();
        constexpr int kMost = 200;
        for (int i = 0; i < kMost && (app->gathers() || app->derived().computing || app->derived().other.computing);
             ++i) {
            app->finish();
            app->build_frame(kSize, 0);
        }
        warm_up();
    }

    /// Builds the glyphs and textures that the coming frames need.
    void warm_up() {
        constexpr int kFrames = 4;
        for (int i = 0; i < kFrames; ++i) app->build_frame(kSize, 0);
    }
};

/// Ends the program that the benchmarks of app_playing.cpp share.
void close_playing();

}  // namespace app_bench
