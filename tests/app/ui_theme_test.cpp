#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "app/ui/theme.h"

namespace app {
namespace {

constexpr Hue kTextHues[] = {Hue::Ink,   Hue::Soft,   Hue::Accent, Hue::Query,    Hue::Key,     Hue::Value,
                             Hue::Score, Hue::Output, Hue::Input,  Hue::Negative, Hue::Warning, Hue::Good, Hue::Gradient};

TEST(Theme, TextReadsOnItsGrounds) {
    for (const Theme& theme : themes()) {
        for (Hue hue : kTextHues) {
            for (Hue ground : {Hue::Paper, Hue::Back}) {
                EXPECT_GE(contrast(theme.text(hue), theme[ground]), 4.5f)
                    << theme.id << " hue " << static_cast<int>(hue) << " on " << static_cast<int>(ground);
            }
        }
        EXPECT_GE(contrast(theme.text(Hue::Accent), theme[Hue::AccentSoft]), 4.5f) << theme.id;
        EXPECT_GE(contrast(theme.text(Hue::Ink), theme[Hue::AccentSoft]), 4.5f) << theme.id;
        // Text on an accent-coloured button.
        EXPECT_GE(contrast(ink_on(theme[Hue::Accent]), theme[Hue::Accent]), 4.5f) << theme.id;
    }
}

TEST(Theme, NumbersReadInEveryCell) {
    for (const Theme& theme : themes()) {
        for (Hue hue : {Hue::Query, Hue::Key, Hue::Value, Hue::Score, Hue::Output, Hue::Input, Hue::Gradient}) {
            for (int i = -20; i <= 20; ++i) {
                const Color cell = cell_color(theme, hue, static_cast<float>(i) / 20.0f, {-1, 1}, true);
                EXPECT_GE(contrast(ink_on(cell), cell), 3.5f) << theme.id << ' ' << i;
            }
        }
    }
}

TEST(Theme, CellColoursFollowTheRamp) {
    const Theme& theme = themes().front();
    const gfx::Ramp ramp = cell_ramp(theme, Hue::Score, true);
    for (float t : {0.0f, 0.2f, 0.5f, 0.8f, 1.0f}) {
        const gfx::Rgb expected = gfx::ramp_color(ramp, t);
        const Color got = cell_color(theme, Hue::Score, -3.0f + 6.0f * t, {-3, 3}, true);
        EXPECT_NEAR(got.r, expected.r * 255.0f, 1.0f);
        EXPECT_NEAR(got.g, expected.g * 255.0f, 1.0f);
        EXPECT_NEAR(got.b, expected.b * 255.0f, 1.0f);
    }
    EXPECT_EQ(cell_color(theme, Hue::Score, std::nanf(""), {0, 1}, false), theme[Hue::Masked]);
    EXPECT_EQ(cell_color(theme, Hue::Score, 9.0f, {0, 1}, false), theme[Hue::Score]);
}

TEST(Theme, ProjectorIsLargeEnough) { EXPECT_GE(theme_named("projector").em(Type::Body), 24.0f); }

TEST(Theme, ScalingMultipliesAndStaysSane) {
    const Theme twice = scaled(themes().front(), 2.0f);
    EXPECT_FLOAT_EQ(twice.em(Type::Body), 2 * themes().front().em(Type::Body));
    EXPECT_FLOAT_EQ(twice.header_height, 120.0f);
    EXPECT_FLOAT_EQ(twice.px(3), 6.0f);
    EXPECT_FLOAT_EQ(scaled(themes().front(), 1e9f).scale, 4.0f);
    EXPECT_FLOAT_EQ(scaled(themes().front(), std::numeric_limits<float>::quiet_NaN()).scale, 1.0f);
    EXPECT_EQ(theme_named("no such theme").id, "light");
}

}  // namespace
}  // namespace app
