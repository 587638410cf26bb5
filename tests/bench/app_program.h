#pragma once
// The whole program without a window, for what is measured of its frames.

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

    /// Megabytes: of all steps' values, of tiles on the graphics processor, of pyramids.
    double held() const {
        double bytes = 0;
        for (const attn::Step& step : app->derived().run->trace.steps)
            bytes += static_cast<double>(step.value.size()) * sizeof(float);
        return bytes / 1e6;
    }
    double tiles() const { return static_cast<double>(app->heatmaps().pool().bytes()) / 1e6; }
    double pyramids() const { return static_cast<double>(app->heatmaps().pyramids().bytes()) / 1e6; }

    /// Everything that is shown is there.
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

    /// Glyphs and textures that the coming frames need.
    void warm_up() {
        constexpr int kFrames = 4;
        for (int i = 0; i < kFrames; ++i) app->build_frame(kSize, 0);
    }
};

/// Ends the program that the benchmarks of playing share. (app_playing.cpp)
void close_playing();

}  // namespace app_bench
