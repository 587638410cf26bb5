#include "app/screens/stage/touch.h"

#include <algorithm>
#include <cmath>

#include "app/screens/stage/mask.h"
#include "app/state/edits.h"
#include "app/timeline/reverse.h"

namespace app {
namespace {

/// The distance in pixels (at scale 1) over which dragging a number covers its matrix's whole range.
constexpr float kDragLength = 240;
/// A dragged number is rounded to hundredths, as the cells show it.
constexpr float kDragGrain = 100;

std::optional<CellRef> ref_of(const attn::Trace& trace, const std::optional<attn::Cell>& cell) {
    if (!cell) return std::nullopt;
    return CellRef{trace[cell->step].tag, cell->row, cell->col};
}

// -- dragging a number

void begin_drag(const Frame& f, const CellRef& cell) {
    const attn::StepId step = attn::find_id(f.trace(), cell.tag);
    if (step == attn::kNoStep || is_reverse(cell.tag)) return;
    const float value = f.trace()[step].value(cell.row, cell.col);
    if (!std::isfinite(value)) return;
    const StepRange& range = f.derived.computed->ranges[static_cast<std::size_t>(step)];
    const float span = std::max(range.largest(), 1.0f);
    f.scratch.drag = {cell, value, 0, span / f.px(kDragLength), ++f.scratch.gestures};
    f.push(Pin{cell});
}

void drag_number(const Frame& f) {
    NumberDrag& d = *f.scratch.drag;
    if (!gui::mouse_down()) return f.scratch.drag.reset();
    gui::set_cursor(gui::Cursor::ResizeVertical);
    if (gui::mouse_delta().y == 0) return;
    d.moved -= gui::mouse_delta().y;
    const float value = std::round((d.start + d.moved * d.step) * kDragGrain) / kDragGrain;
    f.edit([cell = d.cell, value](attn::Document& doc) { type_over(doc, cell, value); },
           "drag#" + std::to_string(d.gesture));
}

/// Accepts the input if it is a number.
bool accept(const Frame& f, const CellRef& cell, const std::string& text) {
    const auto value = number_typed(text);
    if (!value) return false;
    const attn::Step* step = attn::find(f.trace(), cell.tag);
    const bool same = step && cell.row < step->value.rows() && cell.col < step->value.cols() &&
                      step->value(cell.row, cell.col) == *value;
    if (!same) f.edit([cell, typed = *value](attn::Document& d) { type_over(d, cell, typed); });
    return true;
}

/// Closes the field; keys act on the stage again.
void close_field(const Frame& f) {
    f.scratch.number.reset();
    f.ui.focus().current = 0;
    f.ui.focus().visible = false;
}

/// The next cell in reading order, as drawn, wrapping around at the end.
CellRef next_cell(const Frame& f, CellRef cell, int way) {
    const attn::Step* step = attn::find(f.trace(), cell.tag);
    if (!step || step->value.size() == 0) return cell;
    const bool turned = f.columns();
    const auto wide = static_cast<int>(turned ? step->value.rows() : step->value.cols()),
               count = static_cast<int>(step->value.size());
    const int line = turned ? cell.col : cell.row, along = turned ? cell.row : cell.col;
    const int at = (line * wide + along + way + count) % count;
    return turned ? CellRef{cell.tag, at % wide, at / wide} : CellRef{cell.tag, at / wide, at % wide};
}

}  // namespace

std::optional<Rect> rect_on_stage(const Frame& f, const CellRef& cell) {
    const attn::StepId step = attn::find_id(f.trace(), cell.tag);
    for (auto m = f.scratch.scene.matrices.rbegin(); m != f.scratch.scene.matrices.rend(); ++m) {
        const int col = cell.col - m->first_col;
        const int row = cell.row - m->first_row;
        if (m->step == step && m->pickable && row >= 0 && row < m->grid.rows && col >= 0 && col < m->grid.cols)
            return m->grid.at(row, col);
    }
    for (const QuadSprite& q : f.scratch.scene.quads)
        if (q.cell == attn::Cell{step, cell.row, cell.col}) return q.bounds();
    return std::nullopt;
}

void open_number_field(const Frame& f, const CellRef& cell) {
    const attn::Step* step = attn::find(f.trace(), cell.tag);
    if (!step || cell.row >= step->value.rows() || cell.col >= step->value.cols()) return;
    if (is_reverse(cell.tag)) return;  // gradients follow from other numbers
    // A number is only overwritten at rest.
    if (f.view().playing) f.push(Play{false});
    if (f.derived.pose.progress < 1) f.push(GoToStop{f.derived.pose.stop, 1});
    f.scratch.number =
        NumberField{cell, number_to_type(step->value(cell.row, cell.col)), true, false, ++f.scratch.gestures, {}};
}

void draw_number_field(const Frame& f, Rect cell) {
    NumberField& n = *f.scratch.number;
    const float w = std::max(cell.w, f.painter().width("−00.0000", Type::Number) + f.px(36)), h = f.px(34);
    Rect rect = rect_around(cell.center(), w, h);
    rect.x = std::clamp(rect.x, f.window.x + f.px(4), f.window.right() - w - f.px(4));
    f.painter().card(rect.inset(-f.px(4)));
    FieldLook look;
    look.take_focus = n.fresh;
    look.type = Type::Number;
    n.rect = rect;
    gui::push_id(std::to_string(n.serial));
    const gui::FieldResult result = text_field(f.ui, "number", rect, n.text, look);
    gui::pop_id();
    const bool tab = gui::pressed(gui::Key::Tab), escape = gui::pressed(gui::Key::Escape);
    const bool left = n.had_keyboard && !result.active;
    n.fresh = false;
    n.had_keyboard |= result.active;
    if (!number_typed(n.text) && !n.text.empty()) f.painter().stroke(rect, Hue::Key, f.theme.field_radius, f.px(1.5f));
    if (escape) return close_field(f);
    const CellRef at = n.cell;
    if (tab) {
        accept(f, at, n.text);
        const CellRef next = next_cell(f, at, gui::mod_shift() ? -1 : 1);
        gui::release_keyboard();
        f.push(Pin{next});
        open_number_field(f, next);
        return;
    }
    // The key that opened the field may still be held: its repeats take the keyboard from the field, but must not
    // accept anything.
    const bool repeated = left && !result.entered && gui::held(gui::Key::Enter);
    if (repeated || (result.entered && !accept(f, at, n.text))) {
        n.fresh = true;  // it stays until the input is a number, or is cancelled
        n.had_keyboard = false;
        return;
    }
    if (result.entered) return close_field(f);
    if (!left) return;
    accept(f, at, n.text);
    close_field(f);
}

void touch_stage(const Frame& f, Rect area) {
    if (f.scratch.number && f.scratch.number->rect.contains(gui::mouse())) return f.ui.record("stage", area);
    const Touch touch = touch_area(f.ui, "stage", area, false);
    if (f.scratch.drag) return drag_number(f);
    const std::optional<attn::Cell> under = touch.hovered ? pick(f.scratch.scene, gui::mouse()) : std::nullopt;
    const std::optional<CellRef> pointed = ref_of(f.trace(), under);
    // While the walk explains a cell the pointer has no effect, so that the highlighted cell is the explained one.
    const std::optional<CellRef> looked_at = f.view().playing ? std::nullopt : pointed;
    if (looked_at != f.view().pointed) f.push(PointAt{looked_at});
    if (under) gui::set_cursor(gui::Cursor::Hand);
    const attn::StepId shown = f.derived.pose.step;
    const auto on_mask = under && under->step == shown ? std::optional(Spot{under->row, under->col}) : std::nullopt;
    if (touch_mask(f, touch, on_mask, std::nullopt)) return;
    if (pointed && gui::mouse_clicked() && (gui::mod_shift() || gui::mod_alt())) return begin_drag(f, *pointed);
    if (pointed && touch.double_clicked) {
        f.push(Pin{pointed});
        f.scratch.opened = true;
        return open_number_field(f, *pointed);
    }
    if (!touch.clicked) return;
    // The second click of a double click opened the field; it must not unpin the cell.
    if (std::exchange(f.scratch.opened, false)) return;
    const bool mask =
        under && f.trace()[under->step].tag.role == attn::Role::Masked && f.trace()[under->step].tag.pass == 0 && under->step == f.derived.pose.step;
    if (mask) return;
    const bool again = pointed == f.view().pinned;
    f.push(Pin{again ? std::nullopt : pointed});
}

}  // namespace app
