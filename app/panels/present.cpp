// Presenting: one thing on the screen with its caption at the bottom, and over it a spotlight, a pen, or a dark screen.
// Drawn last, but takes presses first, so that the pen does not press what lies below.

#include "app/panels/present.h"

#include <algorithm>
#include <cmath>

#include "app/state/course.h"
#include "app/chapters/course_page.h"
#include "app/chapters/view.h"
#include "app/frame/asking.h"
#include "app/frame/backwards.h"
#include "app/frame/caption_paint.h"
#include "app/panels/notes.h"
#include "app/timeline/roles.h"

namespace app {
namespace {

// Design pixels.
constexpr float kSpot = 130, kPen = 3.5f, kPenStep = 2, kProgress = 5;
constexpr float kDim = 0.72f;

template <class Change>
void change(const Frame& f, Change how) {
    f.change_view([how = std::move(how)](ViewState& v) { how(v.present); });
}

void begin(const Frame& f) {
    f.change_view([](ViewState& v) {
        v.present = {};
        v.present.on = true;
        v.present.was_full_screen = v.full_screen;
        v.full_screen = true;
        v.sheet = Sheet::None;
        v.playing = false;
    });
}

void leave(const Frame& f) {
    f.change_view([](ViewState& v) {
        v.full_screen = v.present.was_full_screen;
        v.present = {};
        v.playing = false;
    });
}

/// The caption, and the progress of the walk.
void present_foot(const Frame& f, Rect area) {
    const auto& stops = f.derived.timeline.stops;
    Painter& p = f.painter();
    const float pad = f.px(28), high = f.px(kProgress);
    const Rect line{area.x + pad, area.bottom() - f.px(10), area.w - 2 * pad, high};
    if (stops.empty() || !row_of(f.view().screen).walks || shows_opening(f.state)) return p.fill(line, Hue::Rule, high / 2);
    p.fill({area.x, area.y, area.w, area.h}, Hue::AccentSoft);
    p.fill(line, Hue::Rule, high / 2);
    const Hue hue = hue_of_stop(stops[static_cast<std::size_t>(f.derived.pose.stop)]);
    const float done = static_cast<float>(f.derived.pose.stop) + static_cast<float>(f.derived.pose.progress);
    p.fill({line.x, line.y, line.w * done / static_cast<float>(stops.size()), high}, hue, high / 2);
    if (shows_presented_note(f)) return;
    const Rect words{line.x, area.y + f.px(2), line.w, line.y - area.y - f.px(4)};
    const float hint_w = p.width(f.say(Str::present_hint), Type::Small);
    const float said_w = p.width(f.derived.caption.text(), Type::TitleStrong);
    draw_caption(f, words, f.derived.caption, Type::Title);
    if (f.derived.pose.stop == 0 && (words.w - said_w) / 2 > hint_w + f.px(16))
        p.text_in(words, f.say(Str::present_hint), {Type::Small, Align::Right}, Hue::Soft);
}

/// A single thick ring, whose hole is the spot.
void spotlight(const Frame& f) {
    const float radius = f.px(kSpot), far = f.window.w + f.window.h;
    f.painter().ring(gui::mouse(), radius + far / 2, Ink(Color{0, 0, 0, 255}, kDim), far);
}

void draw_strokes(const Frame& f) {
    std::vector<Point> line;
    for (const auto& stroke : f.view().present.strokes) {
        line.clear();
        for (const auto& dot : stroke)
            line.push_back({f.window.x + dot.x * f.window.w, f.window.y + dot.y * f.window.h});
        if (line.size() == 1) f.painter().circle(line.front(), f.px(kPen), Hue::Key);
        if (line.size() > 1) f.painter().polyline(line, Hue::Key, f.px(kPen));
    }
}

/// A drag draws a stroke, adding a point whenever it has moved a little.
void draw_with_pen(const Frame& f) {
    const Touch touch = touch_area(f.ui, "pen", f.window, false);
    f.ui.record("pen", f.window);
    if (!touch.held) return;
    const Point at = gui::mouse();
    const Presentation::Dot dot{(at.x - f.window.x) / f.window.w, (at.y - f.window.y) / f.window.h};
    const auto& strokes = f.view().present.strokes;
    if (gui::mouse_clicked() || strokes.empty()) {
        change(f, [dot](Presentation& p) { p.strokes.push_back({dot}); });
        return;
    }
    const Presentation::Dot last = strokes.back().back();
    const float moved = std::hypot((dot.x - last.x) * f.window.w, (dot.y - last.y) * f.window.h);
    if (moved < f.px(kPenStep)) return;
    change(f, [dot](Presentation& p) {
        if (!p.strokes.empty()) p.strokes.back().push_back(dot);
    });
}

/// If the screen is dark, any key of the clicker lights it and does nothing else.
bool lights(const Frame& f) {
    if (!f.view().present.blank) return false;
    change(f, [](Presentation& p) { p.blank = false; });
    return true;
}

}  // namespace

void toggle_presenting(const Frame& f) { f.view().present.on ? leave(f) : begin(f); }

void next_presented(const Frame& f) {
    if (lights(f)) return;
    const CourseView& course = f.view().course;
    if (shows_question(f.state) && !course.open()) return go_on_in_opening(f);
    if (!f.derived.part<CoursePage>().chapter) return f.push(PlayNext{});
    // A chapter's page: its paragraphs one by one, then the next page.
    const int steps = course_steps(f), shown = std::max(course.shown, 1);
    if (shown < steps) return f.change_view([shown](ViewState& v) { v.course.shown = shown + 1; });
    // A question next to the page is answered before the page is turned.
    if (shows_question(f.state) && f.view().asking == Asking::Asked) return go_on_in_opening(f);
    f.push(CourseAction{TurnPage{1}});
}

void back_presented(const Frame& f) {
    if (lights(f)) return;
    const CourseView& course = f.view().course;
    if (shows_question(f.state) && !course.open()) return go_back_in_opening(f);
    if (!f.derived.part<CoursePage>().chapter) return f.push(StepBy{-1});
    if (course.shown > 1) return f.change_view([](ViewState& v) { --v.course.shown; });
    f.push(CourseAction{TurnPage{-1}});
}

void leave_presenting(const Frame& f) {
    if (!lights(f)) leave(f);
}

void wipe_pen(const Frame& f) {
    change(f, [](Presentation& p) { p.strokes.clear(); });
}

void draw_present(const Frame& f) {
    const Presentation& now = f.view().present;
    if (!now.on || f.window.empty()) return;
    present_foot(f, place_rect(Place::Footer, f.window, f.theme, panels_of(f.state)));
    if (now.pen && !now.blank) draw_with_pen(f);
    const auto onto = f.painter().onto(gui::foreground());
    draw_strokes(f);
    if (now.spotlight) spotlight(f);
    if (now.blank) f.painter().fill(f.window, Color{0, 0, 0, 255});
}

}  // namespace app
