#include "app/ui/theme.h"

#include <algorithm>
#include <cmath>

namespace app {
namespace {

// ---- colours: bytes here, gfx's Oklab for the arithmetic --------------------------------------------------------

gfx::Rgb to_rgb(Color c) {
    return {static_cast<float>(c.r) / 255.0f, static_cast<float>(c.g) / 255.0f, static_cast<float>(c.b) / 255.0f};
}
Color to_color(gfx::Rgb c) { return {gfx::to_byte(c.r), gfx::to_byte(c.g), gfx::to_byte(c.b), 255}; }

constexpr std::size_t at(Hue hue) { return static_cast<std::size_t>(hue); }
constexpr std::size_t at(Type type) { return static_cast<std::size_t>(type); }

/// Hues that are never used for text: backgrounds and lines.
constexpr bool is_ground(Hue hue) {
    return hue == Hue::Paper || hue == Hue::Back || hue == Hue::Rule || hue == Hue::AccentSoft;
}

/// The colour made darker (on a dark background lighter) without changing its hue, until its contrast is `wanted`:1.
Color readable(Color color, const Theme& theme, std::span<const Hue> grounds, float wanted) {
    constexpr int kSteps = 100;
    const gfx::Oklab start = gfx::to_oklab(to_rgb(color));
    for (int i = 0; i < kSteps; ++i) {
        const float t = static_cast<float>(i) / kSteps;
        const float lightness = theme.dark ? start.l + (1.0f - start.l) * t : start.l * (1.0f - t);
        const Color tried = i == 0 ? color : to_color(gfx::from_oklab({lightness, start.a, start.b}));
        const bool reads = std::all_of(grounds.begin(), grounds.end(),
                                       [&](Hue ground) { return contrast(tried, theme[ground]) >= wanted; });
        if (reads) return tried;
    }
    return theme[Hue::Ink];
}

void derive_texts(Theme& theme) {
    constexpr float kText = 4.5f;  // WCAG 2.1, 1.4.3
    constexpr Hue kGrounds[] = {Hue::Paper, Hue::Back};
    constexpr Hue kGroundsAndPill[] = {Hue::Paper, Hue::Back, Hue::AccentSoft};
    for (std::size_t i = 0; i < kHueCount; ++i) {
        const Hue hue = static_cast<Hue>(i);
        // These are also used for text on the pale pill behind the chosen option.
        const bool on_pill = hue == Hue::Accent || hue == Hue::Score || hue == Hue::Soft;
        const std::span<const Hue> grounds = on_pill ? std::span<const Hue>(kGroundsAndPill) : kGrounds;
        theme.texts[i] = is_ground(hue) ? theme.hues[i] : readable(theme.hues[i], theme, grounds, kText);
    }
    for (std::size_t i = 0; i < theme.heads.size(); ++i)
        theme.head_texts[i] = readable(theme.heads[i], theme, kGrounds, kText);
}

/// Neighbours differ in lightness as well as in hue, so that they can be distinguished without colour.
void set_heads(Theme& theme, const std::array<std::uint32_t, kHeadColors>& hexes) {
    for (std::size_t i = 0; i < hexes.size(); ++i) theme.heads[i] = rgb(hexes[i]);
}

void set_sizes(Theme& theme, float small, float body, float title, float math_small, float math, float math_large) {
    const auto set = [&theme](Type type, float em) { theme.sizes[at(type)] = em; };
    for (Type type : {Type::Small, Type::SmallStrong, Type::NumberSmall}) set(type, small);
    for (Type type : {Type::Body, Type::BodyStrong, Type::Number, Type::NumberStrong}) set(type, body);
    for (Type type : {Type::Title, Type::TitleStrong}) set(type, title);
    for (Type type : {Type::MathSmall, Type::MathUprightSmall}) set(type, math_small);
    for (Type type : {Type::Math, Type::MathUpright}) set(type, math);
    for (Type type : {Type::MathLarge, Type::MathUprightLarge}) set(type, math_large);
    set(Type::MathSign, math_large * 1.4f);
    set_opening(theme, 1);
}

Theme light() {
    Theme theme;
    theme.id = "light";
    const auto set = [&theme](Hue hue, std::uint32_t hex) { theme.hues[at(hue)] = rgb(hex); };
    set(Hue::Ink, 0x1F2533);
    set(Hue::Soft, 0x667085);
    set(Hue::Faint, 0xA4ACBA);
    set(Hue::Rule, 0xE7EAF1);
    set(Hue::Paper, 0xFFFFFF);
    set(Hue::Back, 0xF6F7FA);
    set(Hue::Accent, 0x6D4AE0);
    set(Hue::AccentSoft, 0xEFEBFC);
    set(Hue::Query, 0x3B82F6);
    set(Hue::Key, 0xF0625D);
    set(Hue::Value, 0x22A06B);
    set(Hue::Score, 0x6D4AE0);
    set(Hue::Output, 0x3730A3);
    set(Hue::Input, 0x06B6D4);  // not slate, which means negative
    set(Hue::Masked, 0xC3C9D4);
    set(Hue::Negative, 0x5B6475);
    set(Hue::Warning, 0xB45309);
    set(Hue::Good, 0x1B8A5A);
    set(Hue::Gradient, 0xB88200);
    set_heads(theme, {0x6D4AE0, 0xE07B16, 0x0B8F9C, 0xD6368F, 0x5E9A1F, 0x2B6CE4, 0xC2362B, 0x7A5C3E});
    set_sizes(theme, 11.0f, 13.0f, 18.0f, 12.0f, 17.0f, 24.0f);
    return theme;
}

Theme dark() {
    Theme theme = light();
    theme.id = "dark";
    theme.dark = true;
    // Hues with a meaning are lightened to stand out, each to a different lightness, which still distinguishes them for
    // viewers who lack one kind of cone (tests/app/color_vision_test.cpp).
    struct Lifted {
        Hue hue;
        float lightness;
    };
    constexpr Lifted kLifted[] = {
        {Hue::Accent, 0.65f}, {Hue::Query, 0.74f}, {Hue::Key, 0.70f},      {Hue::Value, 0.82f},   {Hue::Score, 0.65f},
        {Hue::Output, 0.82f}, {Hue::Input, 0.88f}, {Hue::Negative, 0.58f}, {Hue::Warning, 0.74f}, {Hue::Good, 0.74f},
    };
    constexpr float kChroma = 0.92f;  // slightly less chroma than on white, so that colours do not glare
    for (const auto& [hue, lightness] : kLifted) {
        const gfx::Oklab c = gfx::to_oklab(to_rgb(theme[hue]));
        theme.hues[at(hue)] = to_color(gfx::from_oklab({lightness, c.a * kChroma, c.b * kChroma}));
    }
    for (Color& head : theme.heads) head = to_color(gfx::hue_on(to_rgb(head), gfx::Backdrop::Dark));
    const auto set = [&theme](Hue hue, std::uint32_t hex) { theme.hues[at(hue)] = rgb(hex); };
    set(Hue::Ink, 0xE9ECF3);
    set(Hue::Soft, 0xA5AEC0);
    set(Hue::Faint, 0x737D92);
    set(Hue::Rule, 0x2A3040);
    set(Hue::Paper, 0x1A1F2B);
    set(Hue::Back, 0x12161F);
    set(Hue::AccentSoft, 0x2D2850);
    set(Hue::Masked, 0x4A5265);
    set(Hue::Gradient, 0xF7CE46);
    return theme;
}

Theme projector() {
    Theme theme = light();
    theme.id = "projector";
    theme.projector = true;
    const auto set = [&theme](Hue hue, std::uint32_t hex) { theme.hues[at(hue)] = rgb(hex); };
    set(Hue::Ink, 0x05070D);
    set(Hue::Soft, 0x333B4A);
    set(Hue::Faint, 0x596273);
    set(Hue::Rule, 0x9AA3B2);
    set(Hue::Back, 0xFFFFFF);
    set(Hue::Accent, 0x5327CF);
    set(Hue::AccentSoft, 0xE4DCFB);
    set(Hue::Query, 0x1D5FDB);
    set(Hue::Key, 0xD6332D);
    set(Hue::Value, 0x0E7F4F);
    set(Hue::Score, 0x5327CF);
    set(Hue::Output, 0x241C86);
    set(Hue::Input, 0x0891B2);
    set(Hue::Masked, 0x9AA3B2);
    set(Hue::Negative, 0x3F4859);
    set(Hue::Warning, 0x9A3F06);
    set(Hue::Good, 0x0B7044);
    set(Hue::Gradient, 0xC08A00);
    set_heads(theme, {0x5327CF, 0xB45A00, 0x00707C, 0xB01770, 0x3F7A08, 0x1650C4, 0xA3201A, 0x5F4427});
    set_sizes(theme, 19.0f, 24.0f, 32.0f, 22.0f, 30.0f, 42.0f);
    theme.scale = 1.5f;  // paddings and other unnamed lengths grow with the type
    theme.rule_width = 2.0f;
    theme.cell_gap = 4.0f;
    theme.cell_radius = 9.0f;
    theme.cell_size = 84.0f;
    theme.focus_width = 4.0f;
    theme.header_height = 80.0f;
    theme.footer_height = 92.0f;
    theme.left_width = 300.0f;
    theme.right_width = 440.0f;
    theme.control_height = 48.0f;
    theme.button_height = 48.0f;
    theme.field_height = 54.0f;
    theme.row_height = 48.0f;
    theme.knob_radius = 12.0f;
    theme.track_height = 7.0f;
    theme.icon_size = 26.0f;
    return theme;
}

std::array<Theme, 3> make_themes() {
    std::array<Theme, 3> all{light(), dark(), projector()};
    for (Theme& theme : all) derive_texts(theme);
    return all;
}

gfx::Rgb cell_paper(const Theme& theme) {
    return gfx::paper_color(theme.dark ? gfx::Backdrop::Dark : gfx::Backdrop::Light);
}

}  // namespace

Color mix(Color from, Color to, float t) {
    const float share = std::clamp(t, 0.0f, 1.0f);
    Color mixed = to_color(gfx::mix(to_rgb(from), to_rgb(to), share));
    const float alpha = static_cast<float>(from.a) + (static_cast<float>(to.a) - static_cast<float>(from.a)) * share;
    mixed.a = static_cast<std::uint8_t>(alpha + 0.5f);
    return mixed;
}

Color with_alpha(Color color, float alpha) {
    const float scaled_alpha = static_cast<float>(color.a) * std::clamp(alpha, 0.0f, 1.0f);
    color.a = static_cast<std::uint8_t>(scaled_alpha + 0.5f);
    return color;
}

float contrast(Color a, Color b) { return gfx::contrast(to_rgb(a), to_rgb(b)); }

std::span<const Theme> themes() {
    static const std::array<Theme, 3> all = make_themes();
    return all;
}

const Theme& theme_named(std::string_view id) {
    const auto all = themes();
    const auto found = std::find_if(all.begin(), all.end(), [id](const Theme& theme) { return theme.id == id; });
    return found == all.end() ? all.front() : *found;
}

void set_opening(Theme& theme, float unit) {
    theme.opening = unit;
    const auto set = [&](Type type, float design) { theme.sizes[at(type)] = design * unit; };
    // With a projector, all text that must be readable from the last row is larger.
    const bool room = theme.projector;
    set(Type::Lead, room ? 24.0f : 15.0f);
    set(Type::NumberLarge, room ? 24.0f : 16.0f);
    set(Type::NumberHuge, room ? 28.0f : 22.0f);
    for (const Type type : {Type::Medium, Type::MediumStrong}) set(type, 30.0f);
    for (const Type type : {Type::Large, Type::LargeStrong}) set(type, 36.0f);
    for (const Type type : {Type::Huge, Type::HugeStrong}) set(type, 44.0f);
}

Theme scaled(const Theme& theme, float scale) {
    Theme t = theme;
    const float k = std::isfinite(scale) ? std::clamp(scale, 0.5f, 4.0f) : 1.0f;
    t.scale *= k;
    t.opening *= k;
    for (float& size : t.sizes) size *= k;
    for (float* length :
         {&t.rule_width,  &t.cell_gap,     &t.cell_radius,    &t.cell_size,     &t.button_radius, &t.field_radius,
          &t.card_radius, &t.focus_width,  &t.header_height,  &t.footer_height, &t.left_width,    &t.right_width,
          &t.margin,      &t.gap,          &t.control_height, &t.button_height, &t.field_height,  &t.row_height,
          &t.knob_radius, &t.track_height, &t.icon_size,      &t.shadow_blur}) {
        *length *= k;
    }
    return t;
}

Color cell_color(const Theme& theme, Hue hue, float value, Range range, bool diverging) {
    if (std::isnan(value)) return theme[Hue::Masked];
    const gfx::Rgb paper = cell_paper(theme);
    if (!diverging) {
        return to_color(gfx::mix(paper, to_rgb(theme[hue]), gfx::position({range.low, range.high}, value)));
    }
    const float t = 2.0f * gfx::position(gfx::symmetric({range.low, range.high}), value) - 1.0f;
    return to_color(gfx::mix(paper, to_rgb(theme[t < 0.0f ? Hue::Negative : hue]), std::fabs(t)));
}

gfx::Ramp cell_ramp(const Theme& theme, Hue hue, bool diverging) {
    const gfx::Rgb paper = cell_paper(theme);
    const gfx::Rgb full = to_rgb(theme[hue]);
    if (!diverging) return {{{0.0f, paper}, {1.0f, full}}};
    return {{{0.0f, to_rgb(theme[Hue::Negative])}, {0.5f, paper}, {1.0f, full}}};
}

Color ink_on(Color background) { return to_color(gfx::ink_on(to_rgb(background))); }

}  // namespace app
