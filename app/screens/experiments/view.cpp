// The frame of the experiments: the switch of its pages, and the page.

#include "app/screens/experiments/view.h"

#include <algorithm>
#include <vector>

#include "app/ui/rich_text.h"

namespace app {
namespace {

constexpr ExperimentPage kNoPage{"", Str::screen_experiments, nullptr, nullptr};

/// The last row is not a page, but keeps the table from being empty.
constexpr ExperimentPage kExperimentPages[] = {
#define EXPERIMENT(name) {#name, Str::experiment_##name, draw_experiment_##name, experiment_##name##_applies},
#include "app/screens/experiments/experiments.inc"
#undef EXPERIMENT
    kNoPage,
};

std::vector<const ExperimentPage*> pages_here(const Frame& f) {
    std::vector<const ExperimentPage*> out;
    for (const ExperimentPage& page : experiment_pages())
        if (page.applies(f)) out.push_back(&page);
    return out;
}

}  // namespace

std::span<const ExperimentPage> experiment_pages() { return std::span(kExperimentPages).first(std::size(kExperimentPages) - 1); }

const ExperimentPage* experiment_page(const Frame& f) {
    const ExperimentPage* first = nullptr;
    for (const ExperimentPage& page : experiment_pages()) {
        if (!page.applies(f)) continue;
        if (page.id == f.view().part<ExperimentsLook>().page) return &page;
        if (!first) first = &page;
    }
    return first;
}

float experiment_says(const Frame& f, Rect body, std::string_view words) {
    return body.y + draw_lines(f.painter(), body, words, {Type::Body}, Hue::Ink, 3) + f.px(10);
}

void draw_experiments(const Frame& f) {
    const ExperimentPage* shown = experiment_page(f);
    if (f.area.empty() || !shown) return;
    const auto clip = f.painter().clip(f.area);
    const std::vector<const ExperimentPage*> pages = pages_here(f);
    std::vector<std::string_view> titles;
    int chosen = 0;
    float widest = 0;
    for (const ExperimentPage* page : pages) {
        if (page == shown) chosen = static_cast<int>(titles.size());
        titles.push_back(f.say(page->title));
        widest = std::max(widest, f.painter().width(titles.back(), Type::BodyStrong));
    }
    const float margin = f.px(24), high = f.px(32);
    const float wanted = (widest + f.px(28)) * static_cast<float>(titles.size());
    const bool figure = f.view().figure;
    const Rect tabs{f.area.x + margin, f.area.y + f.px(12), std::min(wanted, f.area.w - 2 * margin), figure ? 0 : high};
    if (!figure && segmented(f.ui, "experiment_page", tabs, titles, chosen))
        f.change_view([id = pages[static_cast<std::size_t>(chosen)]->id](ViewState& v) { v.part<ExperimentsLook>().page = id; });
    const float top = tabs.bottom() + f.px(8);
    shown->draw(f, {f.area.x, top, f.area.w, f.area.bottom() - top});
}

}  // namespace app
