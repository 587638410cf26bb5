// The tour: six places of the window, one after the other.

#include <algorithm>
#include <vector>

#include "app/frame/commands.h"
#include "app/frame/sheet.h"
#include "app/panels/header.h"
#include "app/ui/rich_text.h"

namespace app {
namespace {

template <Place place>
Rect whole(const Frame& f) {
    return place_rect(place, f.window, f.theme, panels_of(f.state));
}

/// The inspector, or the handle that opens it if it is folded.
Rect inspector(const Frame& f) {
    const Rect column = whole<Place::Right>(f);
    return column.empty() ? inspector_handle_rect(f) : column;
}

struct TourStop {
    Rect (*hole)(const Frame&);  ///< the place to show; empty: it is not on the screen
    Str title, says;
};
constexpr TourStop kStops[kTourStops] = {
    {header_text_rect, Str::tour_text, Str::tour_text_says},
    {whole<Place::Stage>, Str::tour_stage, Str::tour_stage_says},
    {inspector, Str::tour_inspector, Str::tour_inspector_says},
    {whole<Place::Footer>, Str::tour_timeline, Str::tour_timeline_says},
    {whole<Place::Left>, Str::tour_settings, Str::tour_settings_says},
    {header_tabs_rect, Str::tour_screens, Str::tour_screens_says},
};

// Design pixels.
constexpr float kTourWide = 380, kTourPad = 24, kFromHole = 18, kButtonRow = 36;

/// Slightly larger, so that its edge is visible; inside the window.
Rect hole_of(const Frame& f, const TourStop& stop) {
    const Rect r = stop.hole(f);
    if (r.empty()) return {};
    const float edge = f.px(3), x = std::max(f.window.x, r.x - edge), y = std::max(f.window.y, r.y - edge);
    return {x, y, std::min(f.window.right(), r.right() + edge) - x, std::min(f.window.bottom(), r.bottom() + edge) - y};
}

/// In a small window some places are not visible; the tour skips them.
std::vector<int> stops_here(const Frame& f) {
    std::vector<int> out;
    for (int i = 0; i < kTourStops; ++i)
        if (!kStops[i].hole(f).empty()) out.push_back(i);
    return out;
}

/// Next to the place, where there is most room; on top of it if there is none.
Rect card_beside(const Frame& f, Rect hole, float w, float h) {
    const float gap = f.px(kFromHole);
    const Rect all = f.window.inset(gap, gap);
    const float right = all.right() - hole.right() - gap, left = hole.x - gap - all.x,
                below = all.bottom() - hole.bottom() - gap, above = hole.y - gap - all.y;
    const Point middle = hole.center();
    const float x = std::clamp(middle.x - w / 2, all.x, std::max(all.x, all.right() - w)),
                y = std::clamp(middle.y - h / 2, all.y, std::max(all.y, all.bottom() - h));
    if (right >= w) return {hole.right() + gap, y, w, h};
    if (left >= w) return {hole.x - gap - w, y, w, h};
    if (below >= h) return {x, hole.bottom() + gap, w, h};
    if (above >= h) return {x, hole.y - gap - h, w, h};
    return {x, std::max(all.y, hole.bottom() - gap - h), w, h};
}

void go(const Frame& f, int stop) {
    f.change_view([stop](ViewState& v) { v.tour = stop; });
}

void end(const Frame& f) {
    f.change_view([](ViewState& v) {
        v.sheet = Sheet::None;
        v.tour = 0;
    });
}

/// One dot per stop; the current one is elongated.
void dots(const Frame& f, Point middle_left, std::size_t count, std::size_t at) {
    float x = middle_left.x;
    const float r = f.px(3.5f);
    for (std::size_t i = 0; i < count; ++i) {
        const float w = i == at ? f.px(20) : 2 * r;
        f.painter().fill({x, middle_left.y - r, w, 2 * r}, i == at ? Hue::Accent : Hue::Rule, r);
        x += w + f.px(7);
    }
}

void buttons(const Frame& f, Rect row, const std::vector<int>& stops, std::size_t at) {
    const bool last = at + 1 == stops.size();
    const std::string_view next = f.say(last ? Str::tour_done : Str::tour_next), back = f.say(Str::tour_back);
    const float next_w = button_width(f.ui, next), back_w = button_width(f.ui, back);
    // A focused button handles Enter and Space itself.
    const bool confirmed = !f.ui.focus().owns_keys() && (gui::pressed(gui::Key::Enter) || gui::pressed(gui::Key::Space));
    const bool on = confirmed || gui::pressed(gui::Key::Right) || gui::pressed(gui::Key::PageDown);
    const bool before = gui::pressed(gui::Key::Left) || gui::pressed(gui::Key::PageUp);
    if (button(f.ui, "tour_next", {row.right() - next_w, row.y, next_w, row.h}, next, ButtonKind::Filled) || on)
        return last ? end(f) : go(f, stops[at + 1]);
    const Rect left{row.right() - next_w - f.px(8) - back_w, row.y, back_w, row.h};
    if (at > 0 && (button(f.ui, "tour_back", left, back, ButtonKind::Plain) || before)) go(f, stops[at - 1]);
    dots(f, {row.x, row.center().y}, stops.size(), at);
}

}  // namespace

void begin_tour(const Frame& f) {
    f.change_view([](ViewState& v) {
        v.present = {};
        v.panels = true;
        v.screen = Screen::Stage;
        v.level = Detail::Everything;  // its places belong to that level
        v.sheet = Sheet::Tour;  // continues where it was left
        v.offers_tour = false;
    });
}

void draw_tour(const Frame& f) {
    if (f.view().sheet != Sheet::Tour || f.window.empty()) return;
    const std::vector<int> stops = stops_here(f);
    if (stops.empty()) return end(f);
    const auto found = std::lower_bound(stops.begin(), stops.end(), f.view().tour);
    const auto at = static_cast<std::size_t>(std::min(found, stops.end() - 1) - stops.begin());
    const TourStop& stop = kStops[stops[at]];
    const float pad = f.px(kTourPad), w = std::min(f.px(kTourWide), f.window.w - 2 * f.px(kFromHole));
    const RichText says = lay_out_rich(f.say(stop.says), w - 2 * pad, Type::Body, f.theme, f.painter().fonts());
    const float title = f.px(34), high = pad + title + says.height() + f.px(18) + f.px(kButtonRow) + pad;
    const Rect hole = hole_of(f, stop), card = card_beside(f, hole, w, high);
    // A press on the shown place does not end the tour.
    const SheetScope sheet(f, "tour", card, hole, SheetScope::Beside::Nothing);
    f.painter().text_fit({card.x + pad, card.y + pad - f.px(4), w - 2 * pad, f.px(28)}, f.say(stop.title),
                         {Type::TitleStrong}, Hue::Ink);
    draw_rich(f.painter(), says, {card.x + pad, card.y + pad + title}, Hue::Ink);
    const float row = card.bottom() - pad - f.px(kButtonRow);
    buttons(f, {card.x + pad, row, w - 2 * pad, f.px(kButtonRow)}, stops, at);
}

}  // namespace app
