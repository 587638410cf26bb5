#include "app/views/heatmaps.h"

#include <cmath>

namespace app {
namespace {

/// Frames that a texture outlives its last use.
constexpr std::uint64_t kKeptFrames = 120;

}  // namespace

void Heatmaps::begin(const Theme& theme, std::uint64_t generation) {
    ++frame_;
    if (hues_ != theme.hues) {
        hues_ = theme.hues;
        dark_ = theme.dark;
        luts_.clear();
    }
    generation_ = generation;
    std::erase_if(entries_, [&](const auto& entry) { return frame_ - entry.second.used > kKeptFrames; });
}

const gfx::Lut& Heatmaps::lut(Hue hue, bool diverging) {
    const auto [at, fresh] = luts_.try_emplace(HueKey{hue, diverging});
    if (fresh) {
        Theme colors;
        colors.hues = hues_;
        colors.dark = dark_;
        at->second = gfx::make_lut(cell_ramp(colors, hue, diverging));
    }
    return at->second;
}

Color Heatmaps::color(const ColorScale& scale, float value) {
    const float t = gfx::position({scale.low, scale.high}, value);
    const auto entry = static_cast<std::size_t>(std::lround(t * static_cast<float>(gfx::kLutSize - 1))) * 4;
    const gfx::Lut& table = lut(scale.hue, scale.diverging);
    return {table[entry], table[entry + 1], table[entry + 2], 255};
}

unsigned Heatmaps::texture(const attn::Matrix& value, attn::StepId step, int first_row, int rows,
                           const ColorScale& scale, int width, int height, float gap) {
    if (width <= 0 || height <= 0 || value.size() == 0) return 0;
    Entry& entry = entries_[{step, first_row, width}];
    entry.used = frame_;
    if (!entry.heatmap.upload(value.data(), static_cast<int>(value.rows()), static_cast<int>(value.cols()),
                              generation_))
        return 0;
    gfx::HeatmapLook look;
    look.lut = lut(scale.hue, scale.diverging);
    look.range = {scale.low, scale.high};
    look.view = {0, static_cast<double>(first_row), static_cast<double>(value.cols()), static_cast<double>(rows)};
    look.width = width;
    look.height = height;
    look.style = gfx::heatmap_style(dark_ ? gfx::Backdrop::Dark : gfx::Backdrop::Light);
    look.style.gap = gap;
    if (!entry.heatmap.render(renderer_, look)) return 0;
    return entry.heatmap.texture();
}

}  // namespace app
