#include "app/panels/figures.h"

#include <algorithm>

#include "app/screens/heads/heads.h"

namespace app {
namespace {

constexpr FigureKind kFigures[] = {
    {"stage", Screen::Stage, "", false, 0.8f},  {"flow", Screen::Flow, "", false, 0.8f},
    {"lines", Screen::Heads, "lines", false, 1.0f}, {"grid", Screen::Heads, "grid", false, 0.8f},
    {"tower", Screen::Flow, "", true, 1.1f},    {"alignment", Screen::Heads, "alignment", false, 1.0f},
};

}  // namespace

std::span<const FigureKind> figure_kinds() { return kFigures; }

const FigureKind* figure_shown(const ViewState& view, const Derived& derived) {
    const std::string_view page = view.screen == Screen::Heads ? std::string_view(derived.part<HeadsData>().page) : "";
    const bool map = view.screen == Screen::Flow && derived.tower;
    const auto found = std::find_if(std::begin(kFigures), std::end(kFigures),
                                    [&](const FigureKind& kind) { return kind.screen == view.screen && kind.page == page && kind.map == map; });
    return found == std::end(kFigures) ? nullptr : found;
}

std::string_view ground_id(FigureLook::Ground ground) {
    constexpr std::string_view kIds[] = {"theme", "white", "none"};
    return kIds[static_cast<std::size_t>(ground)];
}

}  // namespace app
