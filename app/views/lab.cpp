// The lab's frame: the switch of its pages above the page.

#include "app/views/lab.h"

#include <algorithm>
#include <vector>

#include "app/ui/rich_text.h"

namespace app {
namespace {

constexpr LabPage kNoPage{"", Str::screen_lab, nullptr, nullptr};

/// The last row is no page: a table may not be empty.
constexpr LabPage kLabPages[] = {
#define LAB(name) {#name, Str::lab_##name, draw_lab_##name, lab_##name##_applies},
#include "app/views/labs.inc"
#undef LAB
    kNoPage,
};

std::vector<const LabPage*> pages_here(const Frame& f) {
    std::vector<const LabPage*> out;
    for (const LabPage& page : lab_pages())
        if (page.applies(f)) out.push_back(&page);
    return out;
}

}  // namespace

std::span<const LabPage> lab_pages() { return std::span(kLabPages).first(std::size(kLabPages) - 1); }

const LabPage* lab_page(const Frame& f) {
    const LabPage* first = nullptr;
    for (const LabPage& page : lab_pages()) {
        if (!page.applies(f)) continue;
        if (page.id == f.view().lab_page) return &page;
        if (!first) first = &page;
    }
    return first;
}

float lab_says(const Frame& f, Rect body, std::string_view words) {
    return body.y + draw_lines(f.painter(), body, words, {Type::Body}, Hue::Ink, 3) + f.px(10);
}

void draw_lab(const Frame& f) {
    const LabPage* shown = lab_page(f);
    if (f.area.empty() || !shown) return;
    const auto clip = f.painter().clip(f.area);
    const std::vector<const LabPage*> pages = pages_here(f);
    std::vector<std::string_view> titles;
    int chosen = 0;
    float widest = 0;
    for (const LabPage* page : pages) {
        if (page == shown) chosen = static_cast<int>(titles.size());
        titles.push_back(f.say(page->title));
        widest = std::max(widest, f.painter().width(titles.back(), Type::BodyStrong));
    }
    const float margin = f.px(24), high = f.px(32);
    const float wanted = (widest + f.px(28)) * static_cast<float>(titles.size());
    const Rect tabs{f.area.x + margin, f.area.y + f.px(12), std::min(wanted, f.area.w - 2 * margin), high};
    if (segmented(f.ui, "lab_page", tabs, titles, chosen))
        f.change_view([id = pages[static_cast<std::size_t>(chosen)]->id](ViewState& v) { v.lab_page = id; });
    const float top = tabs.bottom() + f.px(8);
    shown->draw(f, {f.area.x, top, f.area.w, f.area.bottom() - top});
}

}  // namespace app
