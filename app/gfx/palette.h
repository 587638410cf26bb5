#pragma once
// Colour ramps for numbers. A ramp is a small table of sRGB stops; between them colours are mixed in Oklab, so that
// equal steps of the number look like equal steps of colour. Pure functions: the same ramp colours cells drawn on
// the CPU and, as a table, the heatmap texture; the two agree to 1/255.

#include <array>
#include <cstdint>
#include <vector>

#include "app/gfx/color.h"

namespace app::gfx {

/// The meaning of colours, everywhere (formula, matrix, ribbon, legend, text).
inline constexpr Rgb kScoreHue = rgb(0x6D4AE0);
inline constexpr Rgb kInk = rgb(0x1F2533);

/// The backdrop of the cells: decides where a ramp begins and whether hues are lightened to be visible on it.
enum class Backdrop : std::uint8_t { Light, Dark };

struct RampStop {
    float at = 0;  // 0…1, ascending
    Rgb color;
    bool operator==(const RampStop&) const = default;
};

struct Ramp {
    std::vector<RampStop> stops;  // the first at 0, the last at 1
    bool operator==(const Ramp&) const = default;
};

/// The colour of "nothing" (0 of a ramp) on a backdrop.
Rgb paper_color(Backdrop backdrop);

/// `hue` made light enough to stand out on a dark backdrop; unchanged on a light one.
Rgb hue_on(Rgb hue, Backdrop backdrop);

/// From paper to the hue: weights, shares, counts (0…1).
Ramp sequential_ramp(Rgb hue, Backdrop backdrop = Backdrop::Light);

/// The colour at `t`; below 0 and above 1 the ends, NaN the first.
Rgb ramp_color(const Ramp& ramp, float t);

/// Odd, so that t = 0.5, which is 0 in a ramp of signed values, has an entry of its own.
inline constexpr int kLutSize = 257;

/// RGBA bytes, entry i for t = i / 256.
using Lut = std::array<std::uint8_t, kLutSize * 4>;
Lut make_lut(const Ramp& ramp);

/// The range of values that a ramp covers.
struct Range {
    float lo = 0;
    float hi = 1;
    bool operator==(const Range&) const = default;
};

/// The position of `value` in the range, 0…1, clamped; always 0.5 if the range has no width. The heatmap's shader
/// computes the same.
float position(Range range, float value);

/// -m … m for a ramp of signed values, m the larger magnitude of the two.
Range symmetric(Range range);

/// The colour of text on a cell of this colour: ink, white, or black in between; contrast at least 4.5.
Rgb ink_on(Rgb cell);

}  // namespace app::gfx
