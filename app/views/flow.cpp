// The flow: the whole way from the tokens to the output in one picture; a matrix that is clicked is entered.

#include <algorithm>

#include "app/anim/flow.h"
#include "app/content/number_text.h"
#include "app/views/scene_paint.h"
#include "app/views/view.h"

namespace app {
namespace {

constexpr float kHead = 92;    ///< the sentence and the hint
constexpr float kPlaces = 40;  ///< the row of places, where there are several

int heads_of(const Frame& f) {
    const int heads = f.state.document.config.heads;
    return f.derived.timeline.stops.empty() ? 1 : std::max(1, heads);
}

void sentence(const Frame& f, Rect rect, const FlowInput& in) {
    Painter& p = f.painter();
    std::string words(f.say(Str::flow_title_plain));
    if (const auto said = flow_message(in))
        words = f.say(Str::flow_title, {said->query, number_text(said->weight), said->key});
    p.text_fit({rect.x, rect.y + f.px(18), rect.w, f.px(30)}, words, {Type::TitleStrong, Align::Center}, Hue::Ink);
    p.text_fit({rect.x, rect.y + f.px(50), rect.w, f.px(22)}, f.say(Str::flow_hint), {Type::Small, Align::Center},
               Hue::Soft);
}

/// "Encoder · block 2", one beside the other; the one in the picture is lit.
void places(const Frame& f, Rect rect) {
    const auto& all = f.derived.places;
    std::vector<std::string> titles;
    std::vector<std::string_view> views;
    for (const FlowPlace& place : all) {
        const Section& section = f.derived.timeline.sections[static_cast<std::size_t>(place.main)];
        const std::string where = place_of(f, section);
        titles.push_back(where.empty() ? std::string(f.say(title_of(section.stage))) : where);
    }
    views.assign(titles.begin(), titles.end());
    float widest = 0;
    for (const std::string_view title : views) widest = std::max(widest, f.painter().width(title, Type::BodyStrong));
    const float w = (widest + f.px(28)) * static_cast<float>(views.size());
    int chosen = f.derived.place;
    const int before = chosen;
    if (w <= rect.w)
        segmented(f.ui, "flow_place", rect_around(rect.center(), w, rect.h), views, chosen);
    else
        select(f.ui, "flow_place", rect_around(rect.center(), std::min(rect.w, f.px(320)), rect.h), views, chosen,
               Align::Center);
    if (chosen == before) return;
    const FlowPlace& place = all[static_cast<std::size_t>(chosen)];
    f.push(GoToStop{f.derived.timeline.sections[static_cast<std::size_t>(place.last)].last, 1});
}

std::optional<CellRef> ref(const Frame& f, const std::optional<attn::Cell>& cell) {
    if (!cell) return std::nullopt;
    return CellRef{f.trace()[cell->step].tag, cell->row, cell->col};
}

/// Where the matrices are, for those who drive the program by name.
void record_matrices(const Frame& f) {
    for (const MatrixSprite& m : f.scratch.scene.matrices)
        if (m.first_row == 0) f.ui.record("flow_" + attn::step_name(f.trace()[m.step].tag), m.grid.area());
}

void touch(const Frame& f, Rect area) {
    const Touch touch = touch_area(f.ui, "flow", area, false);
    const std::optional<attn::Cell> under = touch.hovered ? pick(f.scratch.scene, gui::mouse()) : std::nullopt;
    const std::optional<CellRef> pointed = ref(f, under);
    if (pointed != f.view().pointed) f.push(PointAt{pointed});
    if (under) gui::set_cursor(gui::Cursor::Hand);
    if (!under || !touch.clicked) return;
    const int stop = stop_of(f.derived.timeline, f.trace(), under->step);
    if (stop < 0) return;
    f.change_view([](ViewState& v) { v.screen = Screen::Stage; });  // a copy of the view: before what changes it further
    f.push(GoToStop{stop, 1});
    f.push(Pin{pointed});
}

}  // namespace

void draw_flow(const Frame& f) {
    if (f.area.empty()) return;
    const auto clip = f.painter().clip(f.area);
    const bool several = f.derived.places.size() > 1;
    const float head = f.px(kHead + (several ? kPlaces : 0));
    const Rect body{f.area.x + f.px(28), f.area.y + head, f.area.w - f.px(56),
                    std::max(0.0f, f.area.h - head - f.px(28))};
    const FlowInput in{stage_input(f, body), f.derived.timeline, f.derived.flow,
                       f.view().playing,     f.view().head,      heads_of(f)};
    lay_out_flow(in, f.scratch.scene);
    sentence(f, f.area, in);
    if (several) places(f, {body.x, f.area.y + f.px(80), body.w, f.px(30)});
    paint_scene(f, f.scratch.scene);
    record_matrices(f);
    touch(f, body);
}

}  // namespace app
