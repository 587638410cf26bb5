#include "app/gfx/palette.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace app::gfx {
namespace {

constexpr Rgb kWhite = rgb(0xFFFFFF);
constexpr Rgb kBlack = rgb(0x000000);
constexpr float kReadable = 4.5f;           // contrast ratio of WCAG 2.1, level AA
constexpr float kWellReadable = 7;          // level AAA
constexpr Rgb kLightPaper = rgb(0xF7F7FB);  // slightly off white, so that an empty cell is still visible
constexpr Rgb kDarkPaper = rgb(0x222838);
constexpr float kDarkLightness = 0.74f;  // Oklab L that stands out on kDarkPaper
constexpr float kDarkChroma = 0.92f;     // slightly less chroma than on white, so that colours do not glare

}  // namespace

Rgb paper_color(Backdrop backdrop) { return backdrop == Backdrop::Light ? kLightPaper : kDarkPaper; }

Rgb hue_on(Rgb hue, Backdrop backdrop) {
    if (backdrop == Backdrop::Light) return hue;
    const Oklab c = to_oklab(hue);
    return from_oklab({std::max(c.l, kDarkLightness), c.a * kDarkChroma, c.b * kDarkChroma});
}

Ramp sequential_ramp(Rgb hue, Backdrop backdrop) {
    return {{{0.0f, paper_color(backdrop)}, {1.0f, hue_on(hue, backdrop)}}};
}

Rgb ramp_color(const Ramp& ramp, float t) {
    assert(!ramp.stops.empty());
    if (!(t > 0)) return ramp.stops.front().color;
    const auto after =
        std::find_if(ramp.stops.begin(), ramp.stops.end(), [t](const RampStop& stop) { return stop.at > t; });
    if (after == ramp.stops.begin()) return after->color;
    if (after == ramp.stops.end()) return ramp.stops.back().color;
    const RampStop& before = *(after - 1);
    return mix(before.color, after->color, (t - before.at) / (after->at - before.at));
}

Lut make_lut(const Ramp& ramp) {
    Lut lut{};
    for (std::size_t i = 0; i < kLutSize; ++i) {
        const Rgb color = ramp_color(ramp, static_cast<float>(i) / static_cast<float>(kLutSize - 1));
        lut[i * 4] = to_byte(color.r);
        lut[i * 4 + 1] = to_byte(color.g);
        lut[i * 4 + 2] = to_byte(color.b);
        lut[i * 4 + 3] = 255;
    }
    return lut;
}

float position(Range range, float value) {
    // Halved first: hi - lo may be larger than the largest float.
    const float span = 0.5f * range.hi - 0.5f * range.lo;
    if (!(span > 0)) return 0.5f;
    return std::clamp((0.5f * value - 0.5f * range.lo) / span, 0.0f, 1.0f);
}

Range symmetric(Range range) {
    const float m = std::max(std::fabs(range.lo), std::fabs(range.hi));
    return {-m, m};
}

Rgb ink_on(Rgb cell) {
    // Where the ink just passes it looks grey next to a black figure on a slightly darker cell, so black begins earlier.
    if (contrast(cell, kInk) >= kWellReadable) return kInk;
    if (contrast(cell, kWhite) >= kReadable) return kWhite;
    return kBlack;  // black or white always has at least √21 = 4.58
}

}  // namespace app::gfx
