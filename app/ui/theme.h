#pragma once
// Colours by meaning, metrics by name. A theme is plain data; `scaled` makes the copy that a frame uses.

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "app/draw/vocab.h"
#include "app/gfx/palette.h"

namespace app {

/// sRGB, straight alpha.
struct Color {
    std::uint8_t r = 0;
    std::uint8_t g = 0;
    std::uint8_t b = 0;
    std::uint8_t a = 255;
    bool operator==(const Color&) const = default;
};

/// 0xRRGGBB.
constexpr Color rgb(std::uint32_t hex) {
    return {static_cast<std::uint8_t>(hex >> 16 & 0xff), static_cast<std::uint8_t>(hex >> 8 & 0xff),
            static_cast<std::uint8_t>(hex & 0xff), 255};
}

/// The colour at fraction `t` from `from` to `to`, in Oklab, so that equal steps look equal. Alpha is mixed linearly.
Color mix(Color from, Color to, float t);
/// The same colour, its alpha multiplied by `alpha` (0…1).
Color with_alpha(Color color, float alpha);
/// WCAG 2 contrast of two opaque colours: 1 … 21.
float contrast(Color a, Color b);

/// The value range of a colour scale. Equal ends are allowed.
struct Range {
    float low = 0.0f;
    float high = 1.0f;
};

/// Colours of the heads; with more heads they repeat, and the head's number distinguishes them.
inline constexpr int kHeadColors = 8;

struct Theme {
    std::string_view id;
    bool dark = false;
    bool projector = false;
    std::array<Color, kHueCount> hues{};
    std::array<Color, kHeadColors> heads{}, head_texts{};
    std::array<Color, kHueCount> texts{};   // the hues as text: moved towards the ink until they are readable
    std::array<float, kTypeCount> sizes{};  // em in pixels, by Type
    float scale = 1.0f;                     // pixels per design pixel; everything below is already multiplied by it

    float opening = 1.0f;                   // pixels per design pixel in the opening, which grows with the window

    // Lines and corners
    float rule_width = 1.0f;
    float cell_gap = 3.0f;  // between two cells of a matrix
    float cell_radius = 7.0f;
    float cell_size = 51.0f;
    float button_radius = 8.0f;
    float field_radius = 10.0f;
    float card_radius = 12.0f;
    float focus_width = 2.0f;
    // The window
    float header_height = 60.0f;
    float footer_height = 64.0f;
    float left_width = 212.0f;
    float right_width = 336.0f;
    float margin = 24.0f;  // between a panel's edge and its content
    float gap = 8.0f;
    // Controls
    float control_height = 30.0f;
    float button_height = 32.0f;
    float field_height = 36.0f;
    float row_height = 30.0f;  // of a list or a setting
    float knob_radius = 7.0f;
    float track_height = 4.0f;
    float icon_size = 16.0f;
    float shadow_blur = 14.0f;

    /// The colour for areas and lines.
    Color operator[](Hue hue) const { return hues[static_cast<std::size_t>(hue)]; }
    /// The same hue as text: contrast at least 4.5:1 on paper and back.
    Color text(Hue hue) const { return texts[static_cast<std::size_t>(hue)]; }
    /// The colour of a head, from 0; below 0, for several heads together, the colour of weights.
    Color head(int index) const {
        return index < 0 ? (*this)[Hue::Score] : heads[static_cast<std::size_t>(index % kHeadColors)];
    }
    Color head_text(int index) const {
        return index < 0 ? text(Hue::Score) : head_texts[static_cast<std::size_t>(index % kHeadColors)];
    }
    /// Em size in real pixels.
    float em(Type type) const { return sizes[static_cast<std::size_t>(type)]; }
    /// From one baseline to the next.
    float line_height(Type type) const { return em(type) * 1.5f; }
    /// Converts design pixels to real pixels.
    float px(float design) const { return design * scale; }
};

/// Light, dark, projector; sizes at scale 1.
std::span<const Theme> themes();
/// By id; the first theme if there is none with that id.
const Theme& theme_named(std::string_view id);
/// The theme with every length multiplied; `scale` is clamped to 0.5 … 4.
Theme scaled(const Theme& theme, float scale);
/// Sets the opening's lengths and type sizes to `unit` pixels per design pixel. Nothing else changes.
void set_opening(Theme& theme, float unit);

/// The colour of a matrix cell: from the panel's colour towards `hue`, by the value's position in the range.
/// `diverging`: centred on 0, negative values towards slate. NaN gives the masked grey.
Color cell_color(const Theme& theme, Hue hue, float value, Range range, bool diverging);
/// The same colours as a ramp, for a heatmap's texture (if diverging, use a symmetric range).
gfx::Ramp cell_ramp(const Theme& theme, Hue hue, bool diverging);
/// Black or white ink, whichever reads better on `background`.
Color ink_on(Color background);

}  // namespace app
