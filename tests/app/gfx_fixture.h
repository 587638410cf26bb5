#pragma once
// A context without a window for tests that draw. Every such test also fails if the driver reports an error.

#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "app/content/assets.h"
#include "app/gfx/gl_debug.h"
#include "app/gfx/heatmap.h"
#include "app/gfx/offscreen.h"

class GfxTest : public ::testing::Test {
protected:
    void SetUp() override {
        auto opened = app::gfx::open_offscreen({.debug = true});
        if (!opened) GTEST_SKIP() << opened.error().text();
        context_ = std::move(*opened);
        debug_.emplace();
    }

    void TearDown() override {
        if (!debug_) return;
        for (const std::string& message : debug_->take()) ADD_FAILURE() << message;
        debug_.reset();
    }

    std::optional<app::gfx::Offscreen> context_;
    std::optional<app::gfx::GlDebug> debug_;
};

/// The renderer with the shaders embedded in the program.
inline app::gfx::HeatmapRenderer heatmap_renderer() {
    const app::Assets assets;
    const std::string vertex = *assets.read("shaders/heatmap.vert"), fragment = *assets.read("shaders/heatmap.frag");
    auto renderer = app::gfx::make_heatmap_renderer({"heatmap.vert", vertex}, {"heatmap.frag", fragment});
    if (!renderer) throw std::runtime_error(renderer.error().text());
    return std::move(*renderer);
}

namespace app::gfx {
/// Paper to ink, and a slate, paper and a hue.
inline Ramp grey_ramp() { return {{{0.0f, paper_color(Backdrop::Light)}, {1.0f, kInk}}}; }
inline Ramp signed_ramp(Rgb hue) { return {{{0.0f, rgb(0x5B6475)}, {0.5f, paper_color(Backdrop::Light)}, {1.0f, hue}}}; }
}  // namespace app::gfx
