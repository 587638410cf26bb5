#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "app/gfx/icon.h"
#include "app/gfx/palette.h"
#include "app/ui/theme.h"

namespace app::gfx {
namespace {

constexpr Rgb kHues[] = {rgb(0x3B82F6), rgb(0xF0625D), rgb(0x22A06B), kScoreHue, rgb(0x3730A3)};

TEST(Color, OklabRoundTrips) {
    for (const Rgb hue : kHues) {
        const Rgb back = from_oklab(to_oklab(hue));
        EXPECT_NEAR(back.r, hue.r, 1e-3f);
        EXPECT_NEAR(back.g, hue.g, 1e-3f);
        EXPECT_NEAR(back.b, hue.b, 1e-3f);
    }
    EXPECT_NEAR(to_oklab(rgb(0xFFFFFF)).l, 1.0f, 1e-3f);
    // sRGB red as published with the definition of the space.
    const Oklab red = to_oklab(rgb(0xFF0000));
    EXPECT_NEAR(red.l, 0.628f, 1e-3f);
    EXPECT_NEAR(red.a, 0.225f, 1e-3f);
    EXPECT_NEAR(red.b, 0.126f, 1e-3f);
}

TEST(Color, ContrastOfWcag) {
    EXPECT_NEAR(contrast(rgb(0x000000), rgb(0xFFFFFF)), 21.0f, 1e-3f);
    EXPECT_NEAR(contrast(rgb(0x777777), rgb(0xFFFFFF)), 4.48f, 0.01f);
}

/// The scales of matrices, in every theme.
std::vector<Ramp> ramps(bool diverging) {
    std::vector<Ramp> out;
    for (const Theme& theme : themes())
        for (const Hue hue : {Hue::Query, Hue::Key, Hue::Value, Hue::Score, Hue::Output}) out.push_back(cell_ramp(theme, hue, diverging));
    return out;
}

TEST(Palette, EndsAreExact) {
    for (const bool diverging : {false, true})
        for (const Ramp& ramp : ramps(diverging))
            for (const RampStop& stop : ramp.stops) EXPECT_EQ(ramp_color(ramp, stop.at), stop.color);
}

TEST(Palette, OutsideAndNanUseTheEnds) {
    const Ramp ramp = sequential_ramp(kScoreHue);
    EXPECT_EQ(ramp_color(ramp, -3), paper_color(Backdrop::Light));
    EXPECT_EQ(ramp_color(ramp, 7), kScoreHue);
    EXPECT_EQ(ramp_color(ramp, std::numeric_limits<float>::quiet_NaN()), paper_color(Backdrop::Light));
}

TEST(Palette, LightnessIsMonotone) {
    for (const Ramp& ramp : ramps(false)) {
        const float direction = to_oklab(ramp_color(ramp, 1)).l - to_oklab(ramp_color(ramp, 0)).l;
        for (int i = 0; i < 100; ++i) {
            const float a = to_oklab(ramp_color(ramp, static_cast<float>(i) / 100)).l;
            const float b = to_oklab(ramp_color(ramp, static_cast<float>(i + 1) / 100)).l;
            EXPECT_GE((b - a) * direction, -1e-4f) << i;
        }
    }
}

TEST(Palette, StepsAreEven) {
    const Ramp ramp = sequential_ramp(kHues[0]);
    const auto step = [&](int i) {
        const Oklab a = to_oklab(ramp_color(ramp, static_cast<float>(i) / 10));
        const Oklab b = to_oklab(ramp_color(ramp, static_cast<float>(i + 1) / 10));
        return std::hypot(b.l - a.l, b.a - a.a, b.b - a.b);
    };
    for (int i = 1; i < 10; ++i) EXPECT_NEAR(step(i), step(0), 2e-3f);
}

TEST(Palette, TableIsTheRamp) {
    for (const Ramp& ramp : ramps(true)) {
        const Lut lut = make_lut(ramp);
        for (int i = 0; i < kLutSize; ++i) {
            const auto at = static_cast<std::size_t>(i) * 4;
            EXPECT_EQ(lut[at], to_byte(ramp_color(ramp, static_cast<float>(i) / 256).r));
            EXPECT_EQ(lut[at + 3], 255);
        }
        EXPECT_EQ(lut[128 * 4], to_byte(ramp.stops[1].color.r)) << "the paper is an entry of its own";
    }
}

TEST(Palette, NumbersOnCellsCanBeRead) {
    for (const bool diverging : {false, true})
        for (const Ramp& ramp : ramps(diverging))
            for (int i = 0; i <= 50; ++i) {
                const Rgb cell = ramp_color(ramp, static_cast<float>(i) / 50);
                EXPECT_GE(contrast(cell, ink_on(cell)), 4.5f) << i;
                // Beside black figures, ink that just passes looks grey.
                if (ink_on(cell) == kInk) {
                    EXPECT_GE(contrast(cell, kInk), 7) << i;
                }
            }
}

TEST(Palette, PositionSurvivesAnyRange) {
    EXPECT_EQ(position({0, 2}, 1), 0.5f);
    EXPECT_EQ(position({0, 2}, -1), 0.0f);
    EXPECT_EQ(position({0, 2}, 9), 1.0f);
    EXPECT_EQ(position({3, 3}, 3), 0.5f);
    EXPECT_EQ(position({5, 1}, 3), 0.5f);
    EXPECT_EQ(position({-3e38f, 3e38f}, 0), 0.5f);
    EXPECT_EQ(position({-3e38f, 3e38f}, 3e38f), 1.0f);
    EXPECT_EQ(symmetric({-3, 2}), (Range{-3, 3}));
}

TEST(Icon, IsRoundAndViolet) {
    const Image icon = app_icon(64);
    ASSERT_TRUE(icon.valid());
    EXPECT_EQ(icon.at(0, 0)[3], 0);
    EXPECT_EQ(icon.at(32, 32)[3], 255);
    const std::uint8_t* full = icon.at(15, 15);  // share 1
    EXPECT_EQ(full[0], 0x6D);
    EXPECT_EQ(full[2], 0xE0);
    EXPECT_TRUE(app_icon(0).empty());
    EXPECT_TRUE(app_icon(1).valid());
}

}  // namespace
}  // namespace app::gfx
