#include "app/cli/render_figure.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "app/cli/step_arguments.h"
#include "app/panels/figures.h"

namespace app {
namespace {

constexpr float kMillimetresPerInch = 25.4f;
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
        if (width >= kLeastFigure && width <= kMostFigure) return width;
        return wrong_option("--width", fmt::format("a figure is {} to {} mm wide", kLeastFigure, kMostFigure));
    }
    return wrong_option("--width", "write a length with its unit, such as 85mm, 17cm, 3.35in or 240pt");
}

}  // namespace

std::vector<std::string_view> figure_names() {
    std::vector<std::string_view> out;
    for (const FigureKind& row : figure_kinds()) out.push_back(row.name);
    return out;
}

attn::Result<Figure> figure_of(const RenderOptions& options) {
    Figure out;
    for (const FigureKind& row : figure_kinds()) {
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
