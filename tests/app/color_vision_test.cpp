// Colours for everybody: contrast of text, and scales and meanings under the three common colour-blindnesses.
//
// Simulated after G. M. Machado, M. M. Oliveira, L. A. F. Fernandes, "A Physiologically-based Model for Simulation of
// Color Vision Deficiency", IEEE Transactions on Visualization and Computer Graphics 15 (2009), with the matrices that
// the authors publish for severity 1.0, applied to linear RGB. Distances are those of Oklab times 100, about which two
// steps can just be distinguished side by side.

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <set>

#include "app/timeline/roles.h"
#include "app/ui/theme.h"

namespace app {
namespace {

using gfx::Oklab;
using gfx::Rgb;

struct Vision {
    const char* name;
    std::array<float, 9> matrix;
};
constexpr Vision kVisions[] = {
    {"usual", {1, 0, 0, 0, 1, 0, 0, 0, 1}},
    {"protanopia",
     {0.152286f, 1.052583f, -0.204868f, 0.114503f, 0.786281f, 0.099216f, -0.003882f, -0.048116f, 1.051998f}},
    {"deuteranopia",
     {0.367322f, 0.860646f, -0.227968f, 0.280085f, 0.672501f, 0.047413f, -0.011820f, 0.042940f, 0.968881f}},
    {"tritanopia",
     {1.255528f, -0.076749f, -0.178779f, -0.078411f, 0.930809f, 0.147602f, 0.004733f, 0.691367f, 0.303900f}},
};

Rgb plain(Color c) {
    return {static_cast<float>(c.r) / 255.0f, static_cast<float>(c.g) / 255.0f, static_cast<float>(c.b) / 255.0f};
}

Rgb seen(const Vision& vision, Color color) {
    const Rgb c = plain(color);
    const float in[] = {gfx::to_linear(c.r), gfx::to_linear(c.g), gfx::to_linear(c.b)};
    std::array<float, 3> out{};
    for (std::size_t row = 0; row < 3; ++row)
        for (std::size_t col = 0; col < 3; ++col) out[row] += vision.matrix[row * 3 + col] * in[col];
    const auto channel = [](float v) { return gfx::from_linear(std::clamp(v, 0.0f, 1.0f)); };
    return {channel(out[0]), channel(out[1]), channel(out[2])};
}

float distance(Rgb one, Rgb other) {
    const Oklab a = gfx::to_oklab(one), b = gfx::to_oklab(other);
    return 100 * std::hypot(a.l - b.l, a.a - b.a, a.b - b.b);
}

constexpr Hue kMeanings[] = {Hue::Query, Hue::Key, Hue::Value, Hue::Score, Hue::Output, Hue::Input, Hue::Gradient};

TEST(ColorVision, TheSimulationKeepsGreysAndIsTheOnePublished) {
    for (const Vision& vision : kVisions)
        for (const std::uint32_t grey : {0x000000u, 0x808080u, 0xFFFFFFu})
            EXPECT_LT(distance(seen(vision, rgb(grey)), plain(rgb(grey))), 1.0f) << vision.name;
    // People without red cones see pure red as a dark olive.
    const Rgb red = seen(kVisions[1], rgb(0xFF0000));
    EXPECT_LT(red.r, 0.5f);
    EXPECT_GT(red.g, 0.3f);
}

TEST(ColorVision, SequentialScalesStayInOrder) {
    constexpr int kSteps = 10;
    for (const Theme& theme : themes())
        for (const Vision& vision : kVisions)
            for (const Hue hue : kMeanings) {
                const auto lightness = [&](int i) {
                    const float value = static_cast<float>(i) / kSteps;
                    return gfx::to_oklab(seen(vision, cell_color(theme, hue, value, {0, 1}, false))).l;
                };
                const float way = lightness(kSteps) - lightness(0);
                EXPECT_GT(std::fabs(way), 0.2f) << theme.id << ' ' << vision.name << ' ' << static_cast<int>(hue);
                for (int i = 0; i < kSteps; ++i)
                    EXPECT_GT((lightness(i + 1) - lightness(i)) * way, 0)
                        << theme.id << ' ' << vision.name << ' ' << static_cast<int>(hue) << ' ' << i;
            }
}

TEST(ColorVision, DivergingScalesGrowAwayFromZeroOnBothSides) {
    constexpr int kSteps = 8;
    for (const Theme& theme : themes())
        for (const Vision& vision : kVisions)
            for (const Hue hue : kMeanings)
                for (const float side : {-1.0f, 1.0f}) {
                    const auto lightness = [&](int i) {
                        const float value = side * static_cast<float>(i) / kSteps;
                        return gfx::to_oklab(seen(vision, cell_color(theme, hue, value, {-1, 1}, true))).l;
                    };
                    const float way = lightness(kSteps) - lightness(0);
                    EXPECT_GT(std::fabs(way), 0.2f) << theme.id << ' ' << vision.name << ' ' << static_cast<int>(hue);
                    for (int i = 0; i < kSteps; ++i)
                        EXPECT_GT((lightness(i + 1) - lightness(i)) * way, 0)
                            << theme.id << ' ' << vision.name << ' ' << static_cast<int>(hue) << ' ' << i;
                }
}

// The end of the scale to which a cell belongs is shown by its colour and, as the second cue, by the minus sign in the cell
// and in the legend. The colours alone must be ΔE 4.5 apart, twice what is just noticed.
TEST(ColorVision, PositiveAndNegativeEndsAreDistinguishable) {
    for (const Theme& theme : themes())
        for (const Vision& vision : kVisions)
            for (const Hue hue : kMeanings)
                EXPECT_GT(distance(seen(vision, theme[hue]), seen(vision, theme[Hue::Negative])), 4.5f)
                    << theme.id << ' ' << vision.name << ' ' << static_cast<int>(hue);
}

// The same holds for each number and its negative, in proportion to their distance from 0.
TEST(ColorVision, ANumberAndItsNegativeAreDistinguishable) {
    for (const Theme& theme : themes())
        for (const Vision& vision : kVisions)
            for (const Hue hue : kMeanings)
                for (int i = 4; i <= 20; ++i) {
                    const float value = static_cast<float>(i) / 20.0f;
                    const Color above = cell_color(theme, hue, value, {-1, 1}, true),
                                below = cell_color(theme, hue, -value, {-1, 1}, true);
                    EXPECT_GT(distance(seen(vision, above), seen(vision, below)), 4.0f * value)
                        << theme.id << ' ' << vision.name << ' ' << static_cast<int>(hue) << ' ' << value;
                }
}

// A regression: the token vectors once had the slate of negative numbers.
TEST(ColorVision, TokenVectorsAreNotSlate) {
    for (const Theme& theme : themes())
        for (const Vision& vision : kVisions)
            EXPECT_GT(distance(seen(vision, theme[Hue::Input]), seen(vision, theme[Hue::Negative])), 15.0f)
                << theme.id << ' ' << vision.name;
}

// ΔE 8 in normal vision; 4.5, twice what is just noticed, in every other. There the letter of each matrix, the same in
// formula, caption and list of steps, is the second cue: no two meanings share one.
TEST(ColorVision, MeaningsAreDistinguishable) {
    for (const Theme& theme : themes())
        for (const Vision& vision : kVisions)
            for (const Hue a : kMeanings)
                for (const Hue b : kMeanings) {
                    if (a >= b) continue;
                    const bool usual = &vision == &kVisions[0];
                    EXPECT_GT(distance(seen(vision, theme[a]), seen(vision, theme[b])), usual ? 8.0f : 4.5f)
                        << theme.id << ' ' << vision.name << ' ' << static_cast<int>(a) << ' ' << static_cast<int>(b);
                }
}

TEST(ColorVision, TheSecondCueIsALetterOfItsOwn) {
    using attn::Role;
    std::set<std::string_view> letters;
    for (const auto& [role, hue] :
         {std::pair(Role::Queries, Hue::Query), std::pair(Role::Keys, Hue::Key), std::pair(Role::Values, Hue::Value),
          std::pair(Role::Scores, Hue::Score), std::pair(Role::Output, Hue::Output)}) {
        EXPECT_EQ(look_of(role).hue, hue);
        EXPECT_TRUE(letters.insert(look_of(role).symbol).second) << look_of(role).symbol;
    }
}

// All text on all its backgrounds. Excepted are Rule, Masked and the backgrounds themselves, which are never letters, and
// disabled controls (WCAG 2.1, 1.4.3: inactive controls).
TEST(Contrast, EverythingThatIsWrittenCanBeRead) {
    constexpr Hue kInks[] = {Hue::Ink,   Hue::Soft,   Hue::Faint, Hue::Accent,   Hue::Query,   Hue::Key, Hue::Value,
                             Hue::Score, Hue::Output, Hue::Input, Hue::Negative, Hue::Warning, Hue::Good, Hue::Gradient};
    for (const Theme& theme : themes()) {
        for (const Hue ink : kInks)
            for (const Hue ground : {Hue::Paper, Hue::Back})
                EXPECT_GE(contrast(theme.text(ink), theme[ground]), 4.5f)
                    << theme.id << " hue " << static_cast<int>(ink) << " on " << static_cast<int>(ground);
        for (const Hue ink : {Hue::Ink, Hue::Soft, Hue::Accent, Hue::Score})
            EXPECT_GE(contrast(theme.text(ink), theme[Hue::AccentSoft]), 4.5f)
                << theme.id << " hue " << static_cast<int>(ink) << " on the pill";
        // A banner's background has a tenth (in the dark theme a fifth) of its meaning's colour.
        for (const Hue kind : {Hue::Accent, Hue::Warning, Hue::Key})
            EXPECT_GE(contrast(theme.text(Hue::Ink), mix(theme[Hue::Paper], theme[kind], theme.dark ? 0.22f : 0.10f)),
                      4.5f)
                << theme.id;
        // The focus ring and the border of a field are not text: 3:1 (1.4.11).
        for (const Hue ground : {Hue::Paper, Hue::Back})
            EXPECT_GE(contrast(theme[Hue::Accent], theme[ground]), 3.0f) << theme.id;
    }
}

TEST(Contrast, NumbersReadInEveryCellOfEveryScale) {
    for (const Theme& theme : themes())
        for (const Hue hue : kMeanings)
            for (int i = -50; i <= 50; ++i) {
                const Color cell = cell_color(theme, hue, static_cast<float>(i) / 50.0f, {-1, 1}, true);
                EXPECT_GE(contrast(ink_on(cell), cell), 4.5f) << theme.id << ' ' << static_cast<int>(hue) << ' ' << i;
                // The sides of a cube are in the shade.
                for (const float shade : {0.06f, 0.12f, 0.2f, 0.3f}) {
                    const Color shaded = mix(cell, theme[Hue::Ink], shade);
                    EXPECT_GE(contrast(ink_on(shaded), shaded), 4.5f) << theme.id << ' ' << i << ' ' << shade;
                }
                const Color share = cell_color(theme, hue, static_cast<float>(i + 50) / 100.0f, {0, 1}, false);
                EXPECT_GE(contrast(ink_on(share), share), 4.5f) << theme.id << ' ' << static_cast<int>(hue) << ' ' << i;
            }
}

}  // namespace
}  // namespace app
