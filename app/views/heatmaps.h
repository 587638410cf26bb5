#pragma once
// Heatmap textures and cell colours of the matrices on the screen: made when a matrix or its look changes, kept else.

#include <cstdint>
#include <map>
#include <memory>
#include <tuple>

#include "app/anim/scene.h"
#include "app/gfx/heatmap.h"
#include "app/ui/theme.h"

namespace app {

class Heatmaps {
public:
    explicit Heatmaps(gfx::HeatmapRenderer renderer) : renderer_(std::move(renderer)) {}

    /// Begins a frame: colours follow the theme, textures of a frame ago that nobody asked for are dropped.
    void begin(const Theme& theme, std::uint64_t generation);

    Color color(const ColorScale& scale, float value);
    /// The texture of a whole matrix at this size, 0 where there is none to be had.
    unsigned texture(const attn::Matrix& value, attn::StepId step, const ColorScale& scale, int width, int height,
                     float gap) {
        return texture(value, step, 0, static_cast<int>(value.rows()), scale, width, height, gap);
    }
    /// The same of `rows` rows from `first_row` on.
    unsigned texture(const attn::Matrix& value, attn::StepId step, int first_row, int rows, const ColorScale& scale,
                     int width, int height, float gap);

private:
    using HueKey = std::pair<Hue, bool>;
    const gfx::Lut& lut(Hue hue, bool diverging);

    struct Entry {
        gfx::Heatmap heatmap;
        std::uint64_t used = 0;
    };
    gfx::HeatmapRenderer renderer_;
    std::map<HueKey, gfx::Lut> luts_;
    std::map<std::tuple<attn::StepId, int, int>, Entry>
        entries_;  ///< by step, first row and width: one matrix may stand twice
    bool dark_ = false;
    std::array<Color, kHueCount> hues_{};
    std::uint64_t generation_ = 0;
    std::uint64_t frame_ = 0;
};

}  // namespace app
