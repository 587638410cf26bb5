// The live formula: the part that belongs to the step on the stage is lit; a click on a part goes to its step.

#include <algorithm>

#include "app/views/view.h"

namespace app {
namespace {

Stage current_stage(const Frame& f) {
    const auto& stops = f.derived.timeline.stops;
    if (stops.empty()) return Stage::Vectors;
    return stops[static_cast<std::size_t>(f.derived.pose.stop)].stage;
}

/// One line of it at the middle of `center`; clicks go to the stage whose part was hit. Returns where it stands.
Rect formula_line(const Frame& f, std::string_view id, const std::string& source, FormulaSize size, Point center,
                  std::string_view lit) {
    const FormulaLayout& layout = f.scratch.formulas.get(source, size, f.theme, f.painter().fonts());
    const float high = layout.ascent + layout.descent;
    const float scale =
        std::min({1.0f, (f.area.w - f.px(40)) / std::max(1.0f, layout.width), f.area.h * 0.66f / std::max(1.0f, high)});
    const Rect box{center.x - layout.width * scale / 2, center.y - high * scale / 2, layout.width * scale,
                   high * scale};
    const Point base{box.x, box.y + layout.ascent * scale};
    const Touch touch = touch_area(f.ui, id, box.inset(-f.px(6)), false);
    FormulaLook look;
    look.lit = lit;
    look.scale = scale;
    const FormulaLayout::Part* under = nullptr;
    look.hovered = f.view().study.lit_part;
    if (touch.hovered) under = layout.part_at((gui::mouse() - base) * (1 / scale));
    if (under) {
        look.hovered = under->name;
        gui::set_cursor(gui::Cursor::Hand);
    }
    draw_formula(f.painter(), layout, base, look);
    if (under && touch.clicked)
        if (const int section = section_with(f.derived.timeline, under->name, f.derived.pose.stop); section >= 0)
            f.push(GoToStop{f.derived.timeline.sections[static_cast<std::size_t>(section)].last, 1});
    return box;
}

/// The step in a few words, on a dotted lead from the formula; below it where there is no room beside. True: beside.
bool saying(const Frame& f, Rect formula) {
    const std::string_view words = f.say(say_of(f.trace(), f.derived.pose.step));
    const float lead = f.px(44), x = formula.right() + f.px(22), width = f.painter().width(words, Type::Body);
    const bool beside = x + lead + f.px(10) + width < f.area.right() - f.px(12);
    if (!beside) {
        f.painter().text_fit({f.area.x + f.px(16), f.area.bottom() - f.px(22), f.area.w - f.px(32), f.px(22)}, words,
                             {Type::Small, Align::Center}, Hue::Accent);
        return false;
    }
    f.painter().line_dashed({x, formula.center().y}, {x + lead, formula.center().y}, Ink(Hue::Accent, 0.6f), f.px(1.4f),
                            f.px(2), f.px(4));
    f.painter().text({x + lead + f.px(10), formula.center().y + f.painter().middle_to_baseline(Type::Body)}, words,
                     {Type::Body}, Hue::Accent);
    return true;
}

}  // namespace

void draw_formula(const Frame& f) {
    if (f.area.empty() || f.derived.timeline.stops.empty()) return;
    const attn::Variant* variant = attn::find_variant(f.state.document.config.variant);
    if (!variant) return;
    const std::string_view lit = part_of(current_stage(f));
    const std::string where = variant->where(f.state.document.config, f.view().convention);
    const bool tall = f.area.h > f.px(110);
    const bool second = tall && where.find("\\quad") != std::string::npos;
    const float middle = f.area.y + f.area.h * 0.40f;
    const Rect box = formula_line(f, "formula", variant->formula(f.state.document.config, f.view().convention),
                                  tall ? FormulaSize::Large : FormulaSize::Normal, {f.area.center().x, middle}, lit);
    const bool beside = saying(f, box);
    if (second && beside)
        formula_line(f, "formula_where", where, FormulaSize::Small, {f.area.center().x, f.area.y + f.area.h * 0.84f},
                     lit);
}

}  // namespace app
