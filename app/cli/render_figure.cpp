#include "app/cli/render_figure.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "app/cli/step_arguments.h"

namespace app {
namespace {

struct FigureRow {
    std::string_view name;
    Screen screen;
    std::string_view page;
    bool map;
    float high;  ///< height of the layout, as a share of its width
};
constexpr FigureRow kFigures[] = {
    {"stage", Screen::Stage, "", false, 0.8f},  {"flow", Screen::Flow, "", false, 0.8f},
    {"lines", Screen::Heads, "lines", false, 1.0f}, {"grid", Screen::Heads, "grid", false, 0.8f},
    {"tower", Screen::Flow, "", true, 1.1f},    {"alignment", Screen::Heads, "alignment", false, 1.0f},
};

constexpr float kMillimetresPerInch = 25.4f;
/// The narrowest column that figures can be read in, and the widest sheet.
constexpr float kLeastWidth = 60, kMostWidth = 900;
constexpr const char* kUsualWidth = "170mm";

/// Millimetres.
attn::Result<float> parse_length(const std::string& text) {
    struct Unit {
        std::string_view name;
        float millimetres;
    };
    constexpr Unit kUnits[] = {{"mm", 1}, {"cm", 10}, {"in", kMillimetresPerInch}, {"pt", kMillimetresPerInch / 72}};
    float number = 0;
    const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const std::string_view unit(rest, static_cast<std::size_t>(text.data() + text.size() - rest));
    for (const Unit& known : kUnits) {
        if (error != std::errc() || unit != known.name) continue;
        const float width = number * known.millimetres;
        if (width >= kLeastWidth && width <= kMostWidth) return width;
        return wrong_option("--width", fmt::format("a figure is {:.0f} to {:.0f} mm wide", kLeastWidth, kMostWidth));
    }
    return wrong_option("--width", "write a length with its unit, such as 85mm, 17cm, 3.35in or 240pt");
}

}  // namespace

std::vector<std::string_view> figure_names() {
    std::vector<std::string_view> out;
    for (const FigureRow& row : kFigures) out.push_back(row.name);
    return out;
}

attn::Result<Figure> figure_of(const RenderOptions& options) {
    Figure out;
    for (const FigureRow& row : kFigures) {
        if (row.name != options.figure) continue;
        const auto width = parse_length(options.width.empty() ? kUsualWidth : options.width);
        if (!width) return width.error();
        out = {.screen = row.screen, .page = std::string(row.page), .map = row.map, .millimetres = *width};
        const float pixels = *width / kMillimetresPerInch * kPixelsPerInch;
        out.size = {std::round(pixels), std::round(pixels * row.high)};
    }
    out.look.title = options.title != "off";
    out.look.caption = options.caption != "off";
    out.look.ground = options.ground == "none"    ? FigureLook::Ground::None
                      : options.ground == "theme" || options.theme == "dark" ? FigureLook::Ground::Theme
                                                                             : FigureLook::Ground::White;
    return out;
}

}  // namespace app
