#pragma once
// Colours and the space that they are mixed in. Header only: export quantises in the same space that the ramps use.

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace app::gfx {

/// sRGB as written in a style sheet, each channel 0…1.
struct Rgb {
    float r = 0;
    float g = 0;
    float b = 0;
    bool operator==(const Rgb&) const = default;
};

/// Oklab: equal distances look about equally different. L is 0 (black) … 1 (white).
/// B. Ottosson, "A perceptual color space for image processing" (2020).
struct Oklab {
    float l = 0;
    float a = 0;
    float b = 0;
};

/// 0x3B82F6 -> the colour.
constexpr Rgb rgb(std::uint32_t hex) {
    return {static_cast<float>((hex >> 16) & 255u) / 255.0f, static_cast<float>((hex >> 8) & 255u) / 255.0f,
            static_cast<float>(hex & 255u) / 255.0f};
}

/// A channel as a byte, rounded to the nearest.
inline std::uint8_t to_byte(float channel) {
    return static_cast<std::uint8_t>(std::clamp(channel, 0.0f, 1.0f) * 255.0f + 0.5f);
}

/// Linear light of an sRGB channel, 0…1 (IEC 61966-2-1), and back.
inline float to_linear(float s) { return s <= 0.04045f ? s / 12.92f : std::pow((s + 0.055f) / 1.055f, 2.4f); }
inline float from_linear(float v) { return v <= 0.0031308f ? v * 12.92f : 1.055f * std::pow(v, 1.0f / 2.4f) - 0.055f; }

inline Oklab to_oklab(Rgb c) {
    const float r = to_linear(c.r), g = to_linear(c.g), b = to_linear(c.b);
    const float l = std::cbrt(0.4122214708f * r + 0.5363325363f * g + 0.0514459929f * b);
    const float m = std::cbrt(0.2119034982f * r + 0.6806995451f * g + 0.1073969566f * b);
    const float s = std::cbrt(0.0883024619f * r + 0.2817188376f * g + 0.6299787005f * b);
    return {0.2104542553f * l + 0.7936177850f * m - 0.0040720468f * s,
            1.9779984951f * l - 2.4285922050f * m + 0.4505937099f * s,
            0.0259040371f * l + 0.7827717662f * m - 0.8086757660f * s};
}

/// Colours outside sRGB are clipped channel by channel.
inline Rgb from_oklab(Oklab c) {
    const auto cube = [](float v) { return v * v * v; };
    const float l = cube(c.l + 0.3963377774f * c.a + 0.2158037573f * c.b);
    const float m = cube(c.l - 0.1055613458f * c.a - 0.0638541728f * c.b);
    const float s = cube(c.l - 0.0894841775f * c.a - 1.2914855480f * c.b);
    const auto channel = [](float v) { return from_linear(std::clamp(v, 0.0f, 1.0f)); };
    return {channel(4.0767416621f * l - 3.3077115913f * m + 0.2309699292f * s),
            channel(-1.2684380046f * l + 2.6097574011f * m - 0.3413193965f * s),
            channel(-0.0041960863f * l - 0.7034186147f * m + 1.7076147010f * s)};
}

/// Interpolates in Oklab, so that half way looks half way. `t` 0…1.
inline Rgb mix(Rgb from, Rgb to, float t) {
    if (t <= 0) return from;  // exact at the ends: no round trip through Oklab
    if (t >= 1) return to;
    const Oklab a = to_oklab(from), b = to_oklab(to);
    return from_oklab({a.l + (b.l - a.l) * t, a.a + (b.a - a.a) * t, a.b + (b.b - a.b) * t});
}

/// Relative luminance and contrast ratio (1…21) of WCAG 2.1.
inline float luminance(Rgb c) { return 0.2126f * to_linear(c.r) + 0.7152f * to_linear(c.g) + 0.0722f * to_linear(c.b); }
inline float contrast(Rgb a, Rgb b) {
    const float x = luminance(a), y = luminance(b);
    return (std::max(x, y) + 0.05f) / (std::min(x, y) + 0.05f);
}

}  // namespace app::gfx
