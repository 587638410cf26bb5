// The live formula: the part that belongs to the step on the stage is highlighted; a click on a part goes to its step.

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "app/explain/head_names.h"
#include "app/frame/view.h"
#include "app/screens/stage/touch.h"
#include "app/timeline/roles.h"
#include "app/ui/rich_text.h"

namespace app {
namespace {

Stage current_stage(const Frame& f) {
    const auto& stops = f.derived.timeline.stops;
    if (stops.empty()) return Stage::Vectors;
    return stops[static_cast<std::size_t>(f.derived.pose.stop)].stage;
}

/// One line of it, centred at `center`; clicks go to the stage whose part was hit. Returns its rectangle.
Rect formula_line(const Frame& f, std::string_view id, const std::string& source, FormulaSize size, Point center,
                  std::string_view lit, float share = 0.66f) {
    const FormulaLayout& layout = f.scratch.formulas.get(source, size, f.theme, f.painter().fonts());
    const float high = layout.ascent + layout.descent;
    const float scale =
        std::min({1.0f, (f.area.w - f.px(40)) / std::max(1.0f, layout.width), f.area.h * share / std::max(1.0f, high)});
    const Rect box{center.x - layout.width * scale / 2, center.y - high * scale / 2, layout.width * scale,
                   high * scale};
    const Point base{box.x, box.y + layout.ascent * scale};
    const Touch touch = touch_area(f.ui, id, box.inset(-f.px(6)), false);
    FormulaLook look;
    look.lit = lit;
    look.scale = scale;
    const FormulaLayout::Part* under = nullptr;
    look.hovered = f.view().course.lit_part;
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

/// While presenting: share of the place's height.
constexpr float kRoomFormula = 0.86f;
/// Design pixels: lower places have only one line.
constexpr float kNumbersFrom = 70;
/// In large type a subscript and an exponent below it, each on whole pixels, would touch without this extra space.
constexpr float kLargeType = 20, kAboveNumbers = 1;
/// Design pixels: length of the dotted leader between formula and words, and the space before and after it.
constexpr float kLead = 44, kBeforeLead = 22, kAfterLead = 10;

bool has_room_beside(const Frame& f, Rect formula) {
    const float words = f.painter().width(f.say(say_of(*f.derived.run, f.derived.pose.step)), Type::Body);
    return formula.right() + f.px(kBeforeLead + kLead + kAfterLead + 12) + words < f.area.right();
}

/// The step in a few words, after the formula with a dotted leader; below it if there is no room next to it. Returns
/// whether it is next to it.
bool saying(const Frame& f, Rect formula) {
    const std::string_view words = f.say(say_of(*f.derived.run, f.derived.pose.step));
    const float lead = f.px(kLead), x = formula.right() + f.px(kBeforeLead);
    if (!has_room_beside(f, formula)) {
        f.painter().text_fit({f.area.x + f.px(16), f.area.bottom() - f.px(22), f.area.w - f.px(32), f.px(22)}, words,
                             {Type::Small, Align::Center}, Hue::Accent);
        return false;
    }
    f.painter().line_dashed({x, formula.center().y}, {x + lead, formula.center().y}, Ink(Hue::Accent, 0.6f), f.px(1.4f),
                            f.px(2), f.px(4));
    f.painter().text({x + lead + f.px(kAfterLead), formula.center().y + f.painter().middle_to_baseline(Type::Body)},
                     words, {Type::Body}, Hue::Accent);
    return true;
}

/// The first line that fits, from the longest on; else the last.
const FormulaLayout& set_numbers(const Frame& f, const Substitution& formula, float room) {
    NumbersLine& cache = f.scratch.numbers;
    const float em = f.theme.em(Type::Math);
    if (cache.cell == formula.cell && cache.room == room && cache.em == em && cache.text == formula.lines[0].text)
        return cache.layout;
    cache.cell = formula.cell;
    cache.text = formula.lines[0].text;
    cache.room = room;
    cache.em = em;
    for (cache.line = 0; cache.line < formula.lines.size(); ++cache.line) {
        const auto parsed = parse_formula(formula.lines[cache.line].text);
        if (!parsed) continue;
        cache.layout =
            lay_out_formula(*parsed, formula_style(f.theme, FormulaSize::Normal), measure_with(f.painter().fonts()));
        if (cache.layout.width <= room || cache.line + 1 == formula.lines.size()) break;
    }
    cache.line = std::min(cache.line, formula.lines.size() - 1);
    return cache.layout;
}

/// The formula of the focused number with its values: each value and its cell on the stage highlight each other.
/// Centred in `place`, or left-aligned; at the height `usual` if there is room.
void numbers(const Frame& f, Rect place, Align align, float usual) {
    const Substitution& formula = f.derived.substitution;
    const FormulaLayout& layout = set_numbers(f, formula, place.w);
    const Substitution::Line& line = formula.lines[f.scratch.numbers.line];
    const float high = layout.ascent + layout.descent;
    const float scale = std::min({1.0f, place.w / std::max(1.0f, layout.width),
                                  std::max(place.h, f.area.h * 0.2f) / std::max(1.0f, high)});
    const float lowest = place.bottom() - high * scale / 2, wide = layout.width * scale;
    const Point center{align == Align::Left ? place.x + wide / 2 : place.center().x,
                       std::min(std::max(usual, place.y + high * scale / 2), lowest)};
    const Rect box = rect_around(center, wide, high * scale);
    const Point base{box.x, box.y + layout.ascent * scale};
    const Touch touch = touch_area(f.ui, "formula_numbers", box.inset(-f.px(4)), false);
    FormulaLook look;
    look.scale = scale;
    if (f.derived.lit_source) look.lit = line.part_of(*f.derived.lit_source);
    const FormulaLayout::Part* under = nullptr;
    if (touch.hovered) under = layout.part_at((gui::mouse() - base) * (1 / scale));
    const attn::Cell* cell = under ? line.cell_of(under->name) : nullptr;
    if (cell) look.lit = under->name;
    draw_formula(f.painter(), layout, base, look);
    for (const FormulaLayout::Part& part : layout.parts) {
        const Rect r{base.x + part.rect.x * scale, base.y + part.rect.y * scale, part.rect.w * scale,
                     part.rect.h * scale};
        f.ui.record("formula_" + part.name, r);
    }
    const auto lit = cell ? std::optional(CellRef{f.trace()[cell->step].tag, cell->row, cell->col}) : std::nullopt;
    if (lit != f.view().lit) f.push(LightUp{lit});
    if (!cell) return;
    gui::set_cursor(gui::Cursor::Hand);
    // Goes to the cell that the number comes from.
    if (touch.clicked) f.push(Pin{lit});
}

/// While presenting: the head and its question.
void head_words(const Frame& f) {
    if (f.state.document.config.heads < 2) return;
    const float right = f.area.right() - f.px(24), room = f.area.w * 0.4f;
    const std::string name = f.say(Str::flow_head, {f.number(f.view().head), std::to_string(f.state.document.config.heads)});
    const std::string_view question = head_question(f.state.document, f.view().head, f.view().language);
    const float line = f.theme.em(Type::Body) * 1.35f;
    const float high = question.empty() ? line : 2 * line, top = f.area.center().y - high / 2;
    f.painter().text_in({right - room, top, room, line}, name, {Type::BodyStrong, Align::Right}, Ink(f.theme.head_text(f.view().head)));
    if (!question.empty())
        f.painter().text_in({right - room, top + line, room, line}, f.painter().fitted(question, Type::Small, room),
                            {Type::Small, Align::Right}, Hue::Soft);
}

/// The equations of a formula that has several.
std::vector<std::string> equations_of(const std::string& source) {
    constexpr std::string_view kBetween = "\\quad";
    std::vector<std::string> out(1);
    int depth = 0;
    for (std::size_t i = 0; i < source.size(); ++i) {
        depth += source[i] == '{' ? 1 : source[i] == '}' ? -1 : 0;
        if (depth == 0 && source.compare(i, kBetween.size(), kBetween) == 0) {
            out.emplace_back();
            i += kBetween.size() - 1;
        } else {
            out.back() += source[i];
        }
    }
    return out;
}
/// While presenting, the formula is on the left and the head on the right; the text is at the foot.
void presented_formula(const Frame& f, const attn::Form& form, std::string_view lit) {
    constexpr float kReadInRoom = 24.0f / 768;  // of the window's height: an em
    std::string source = form.formula(f.state.document.config, f.view().convention);
    const bool heads = f.state.document.config.heads > 1;
    Frame left = f;
    if (heads) left.area.w *= 0.58f;
    const auto scale_of = [&](const std::string& text) {
        const FormulaLayout& layout = f.scratch.formulas.get(text, FormulaSize::Normal, f.theme, f.painter().fonts());
        const float high = layout.ascent + layout.descent;
        return std::min({1.0f, (left.area.w - f.px(40)) / std::max(1.0f, layout.width), f.area.h * kRoomFormula / std::max(1.0f, high)});
    };
    const auto reads = [&](const std::string& text) { return f.theme.em(Type::Math) * scale_of(text) >= f.window.h * kReadInRoom; };
    if (!reads(source)) {
        const std::vector<std::string> equations = equations_of(source);
        const std::string part = "\\part{" + std::string(lit) + "}";
        const auto own = std::find_if(equations.begin(), equations.end(), [&](const std::string& one) { return one.find(part) != std::string::npos; });
        source = own == equations.end() ? equations.front() : *own;
        if (!reads(source)) return head_words(f);
    }
    const FormulaLayout& layout = f.scratch.formulas.get(source, FormulaSize::Normal, f.theme, f.painter().fonts());
    const float scale = scale_of(source);
    const float x = heads ? f.area.x + f.px(20) + layout.width * scale / 2 : f.area.center().x;
    formula_line(left, "formula", source, FormulaSize::Normal, {x, f.area.center().y}, lit, kRoomFormula);
    head_words(f);
}

/// On one line: the formula, and next to it what the step does, or the sum of the focused number. It keeps the position
/// that it had in the previous step.
void formula_on_one_line(const Frame& f, const attn::Form& form, std::string_view lit) {
    constexpr float kMiddle = 0.36f, kHigh = 0.92f, kLeastNumbers = 220, kBeside = 260;
    const std::string source = form.formula(f.state.document.config, f.view().convention);
    const FormulaLayout& layout = f.scratch.formulas.get(source, FormulaSize::Normal, f.theme, f.painter().fonts());
    Frame line = f;
    const bool button = f.trace()[f.derived.pose.step].op == attn::Op::MatMul;
    line.area.w -= button ? cube_button_width(f) + f.px(28) : f.px(16);
    const float scale = std::min({1.0f, (line.area.w - f.px(40)) / std::max(1.0f, layout.width),
                                  f.area.h * kHigh / std::max(1.0f, layout.ascent + layout.descent)});
    const float wide = layout.width * scale, leftmost = wide / 2 + f.px(20);
    const bool tight = f.area.w * (1 - kMiddle) - wide / 2 < f.px(kBeside);
    const float x = f.area.x + (tight ? leftmost : std::max(f.area.w * kMiddle, leftmost));
    const float beside = x + wide / 2 + f.px(kBeforeLead);
    const Rect place{beside, f.area.y, line.area.right() - beside, f.area.h};
    const bool numbered = f.derived.substitution.cell.has_value();
    if (numbered && place.w < f.px(kLeastNumbers))
        return numbers(f, line.area.inset(f.px(20), 0), Align::Center, f.area.center().y);
    formula_line(line, "formula", source, FormulaSize::Normal, {x, f.area.center().y}, lit, kHigh);
    if (numbered) return numbers(f, place, Align::Left, f.area.center().y);
    if (f.view().lit) f.push(LightUp{});
    const std::string_view words = f.say(say_of(*f.derived.run, f.derived.pose.step));
    if (f.painter().width(words, Type::Body) <= place.w) return void(f.painter().text_in(place, words, {Type::Body}, Hue::Accent));
    // On two lines, or left out: the caption below the picture has it, too.
    const float two = 2 * f.theme.line_height(Type::Small);
    if (place.w * 2 < f.painter().width(words, Type::Small) * 1.2f || two > f.area.h) return;
    const RichText lines = lay_out_rich(words, place.w, Type::Small, f.theme, f.painter().fonts());
    if (lines.height() <= f.area.h) draw_rich(f.painter(), lines, {place.x, place.center().y - lines.height() / 2}, Hue::Accent);
}

}  // namespace

void draw_formula(const Frame& f) {
    if (f.area.empty() || f.derived.timeline.stops.empty() || (f.view().figure && !f.view().figure_look.title)) return;
    const attn::Form* form = attn::find_form(f.state.document.config.form);
    if (!form) return;
    const std::string_view lit = part_of(current_stage(f));
    if (f.view().present.on && !f.view().course.open()) {
        if (f.view().lit) f.push(LightUp{});
        return presented_formula(f, *form, lit);
    }
    const std::string where = form->where(f.state.document.config, f.view().convention);
    if (f.area.h < f.px(kNumbersFrom)) return formula_on_one_line(f, *form, lit);
    const bool tall = f.area.h > f.px(110);
    const bool second = tall && where.find("\\quad") != std::string::npos;
    const float middle = f.area.y + f.area.h * 0.40f;
    const Rect box = formula_line(f, "formula", form->formula(f.state.document.config, f.view().convention),
                                  tall ? FormulaSize::Large : FormulaSize::Normal, {f.area.center().x, middle}, lit);
    if (f.derived.substitution.cell) {
        // If there is no room next to it, the words give way to the numbers.
        if (has_room_beside(f, box)) saying(f, box);
        const bool large = f.theme.em(Type::Math) > kLargeType;
        const float top = box.bottom() + (large ? f.px(kAboveNumbers) : 0);
        return numbers(f, {f.area.x + f.px(24), top, f.area.w - f.px(48), f.area.bottom() - top - f.px(2)}, Align::Center,
                       f.area.y + f.area.h * 0.87f);
    }
    if (f.view().lit) f.push(LightUp{});
    const bool beside = saying(f, box);
    if (second && beside)
        formula_line(f, "formula_where", where, FormulaSize::Small, {f.area.center().x, f.area.y + f.area.h * 0.84f},
                     lit);
}

}  // namespace app
