// The stage: the step at the playhead laid out as a scene, drawn, and asked what lies under the pointer.

#include <algorithm>
#include <cmath>

#include "app/state/edits.h"
#include "app/views/commands.h"
#include "app/views/map_touch.h"
#include "app/views/matrix_view.h"
#include "app/views/scene_paint.h"
#include "app/views/stage_map.h"
#include "app/views/stage_touch.h"
#include "app/views/view.h"

namespace app {

StageStyle stage_style(const Frame& f) {
    StageStyle style;
    style = style.scaled(f.theme.scale);
    style.label = f.theme.em(Type::Body);
    style.gap = f.theme.cell_gap;
    style.cell_max = f.theme.cell_size + f.theme.cell_gap;
    // Numbers decide how large a chip must be.
    style.chip_w = f.painter().width("−0.00", Type::Number) + f.px(14);
    style.chip_h = f.theme.em(Type::Number) * 2.05f;
    style.line = style.chip_h + f.px(9);
    style.aside = style.chip_w * 2 + f.px(36) + f.painter().width("−00.00", Type::Number);
    return style;
}

namespace {

/// What is in motion goes on about the cell that was clicked, wherever the pointer goes meanwhile.
std::optional<attn::Cell> focus_of_motion(const Frame& f) {
    const auto& pinned = f.view().pinned;
    const attn::StepId step = f.derived.pose.step;
    if (!pinned || step == attn::kNoStep || f.derived.pose.progress >= 1) return f.derived.focus;
    const attn::Step& moving = f.trace()[step];
    const bool there =
        pinned->tag == moving.tag && pinned->row < moving.value.rows() && pinned->col < moving.value.cols();
    return there ? attn::Cell{step, pinned->row, pinned->col} : f.derived.focus;
}

/// The cells that the formula's number under the pointer, or the sources of the pinned one, name.
void light_sources(const Frame& f) {
    const auto light = [&](const CellRef& cell) {
        const auto rect = rect_on_stage(f, cell);
        if (!rect) return;
        f.painter().fill(rect->inset(-f.px(2)), Ink(Hue::Accent, 0.18f), f.px(7));
        f.painter().stroke(rect->inset(-f.px(3)), Hue::Accent, f.px(8), f.px(2.5f));
    };
    if (f.view().lit) light(*f.view().lit);
}

}  // namespace

StageInput stage_input(const Frame& f, Rect area) {
    return {f.trace(),
            f.derived.computed->ranges,
            f.derived.labels,
            f.derived.pose,
            focus_of_motion(f),
            area,
            stage_style(f),
            f.view().language,
            f.view().shared_scale,
            f.view().convention,
            [&f](std::string_view text, Type type) { return f.painter().width(text, type); },
            f.view().cube};
}

namespace {

/// Rectangles of the result's cells, for those who drive the program by name.
void record_cells(const Frame& f) {
    for (const QuadSprite& q : f.scratch.scene.quads)
        if (q.cell.step == f.derived.pose.step)
            f.ui.record("cell_" + std::to_string(q.cell.row) + "_" + std::to_string(q.cell.col), q.bounds());
        else if (q.cell.step != attn::kNoStep)
            f.ui.record("face_" + attn::step_name(f.trace()[q.cell.step].tag) + "_" + std::to_string(q.cell.row) + "_" +
                            std::to_string(q.cell.col),
                        q.bounds());
    for (const MatrixSprite& m : f.scratch.scene.matrices) {
        if (m.step != f.derived.pose.step || m.grid.rows * m.grid.cols > 100) continue;
        for (int r = 0; r < m.grid.rows; ++r)
            for (int c = 0; c < m.grid.cols; ++c)
                f.ui.record("cell_" + std::to_string(r) + "_" + std::to_string(c), m.grid.at(r, c));
    }
}

void draw_scene(const Frame& f) {
    lay_out(stage_input(f, f.area.inset(f.px(20), f.px(10))), f.scratch.scene);
    paint_scene(f, f.scratch.scene);
    light_sources(f);
    touch_stage(f, f.area);
    record_cells(f);
    enter_stage_map(f);
}

/// What the numbers typed over changed in the step that is shown: the same place for the same cell, one scale.
void draw_change(const Frame& f) {
    const attn::StepId id = f.derived.pose.step;
    const attn::Step& step = f.trace()[id];
    f.scratch.scene.clear();
    MatrixLook look;
    look.value = f.derived.edit_change.value.get();
    look.owner = f.derived.edit_change.value;
    look.key = matrix_key(MatrixOf::EditChange, id);
    look.scale = difference_scale(hue_of(step.tag.role), f.derived.edit_change.largest);
    look.rows = names_of_axis(f, step.rows);
    look.cols = names_of_axis(f, step.cols);
    look.found_rows = found_on(f, step.rows);
    look.found_cols = found_on(f, step.cols);
    look.is_signed = true;
    if (f.derived.focus && f.derived.focus->step == id) {
        look.lit_row = f.derived.focus->row;
        look.lit_col = f.derived.focus->col;
    }
    const Rect area = f.area.inset(f.px(28), f.px(16));
    const std::string title = f.say(Str::change_title, {name_of(f.trace(), id, f.view().language)});
    // In the middle where the button beside it leaves room, else as far left as it must.
    const float words = f.painter().width(title, Type::BodyStrong);
    const float free = area.w - button_width(f.ui, f.say(Str::change_back)) - f.px(16);
    const float left = std::max(0.0f, std::min((area.w - words) / 2, free - words));
    f.painter().text_fit({area.x + left, area.y, std::max(0.0f, std::min(words, free) + 1), f.px(28)}, title,
                         {Type::BodyStrong}, Hue::Ink);
    const Rect body{area.x, area.y + f.px(40), area.w, std::max(0.0f, area.h - f.px(110))};
    const Touch touch = touch_area(f.ui, "stage", f.area, false);
    const auto spot = draw_matrix(f, "cell", body, look);
    const auto pointed = touch.hovered && spot ? std::optional(CellRef{step.tag, spot->row, spot->col}) : std::nullopt;
    if (pointed != f.view().pointed) f.push(PointAt{pointed});
    if (touch.clicked && !moved_map(f)) f.push(Pin{pointed == f.view().pinned ? std::nullopt : pointed});
    const Rect bar{area.center().x - f.px(100), area.bottom() - f.px(40), f.px(200), f.px(9)};
    draw_legend(f, bar, look.scale, true);
}

/// The way to the difference and back, where there is one to see.
void change_button(const Frame& f) {
    if (f.state.document.edits.empty() || f.view().present.on) return;
    const std::string_view words = f.say(f.view().difference ? Str::change_back : Str::what_changed);
    const float w = button_width(f.ui, words), h = f.px(28);
    const Rect rect{f.area.right() - w - f.px(16), f.area.y + f.px(6), w, h};
    if (button(f.ui, "change", rect, words)) f.change_view([](ViewState& v) { v.difference = !v.difference; });
}

/// The other way to see a product of matrices.
void cube_button(const Frame& f) {
    const attn::StepId step = f.derived.pose.step;
    if (f.trace()[step].op != attn::Op::MatMul || f.view().present.on || f.view().difference || stage_shows_map(f))
        return;
    const std::string_view words = f.say(f.view().cube ? Str::as_flat : Str::as_cube);
    const float w = button_width(f.ui, words), h = f.px(28);
    const float above = f.state.document.edits.empty() ? 0 : f.px(34);
    const Rect rect{f.area.right() - w - f.px(16), f.area.y + f.px(6) + above, w, h};
    if (button(f.ui, "cube", rect, words)) run_command(f, "cube");
}

}  // namespace

void draw_stage(const Frame& f) {
    if (f.area.empty()) return;
    if (f.derived.pose.step == attn::kNoStep) {
        f.painter().text_in(f.area, f.say(Str::no_tokens), {Type::Body, Align::Center}, Hue::Soft);
        return;
    }
    const auto clip = f.painter().clip(f.area);
    cube_button(f);
    change_button(f);  // before the stage: what comes first is pressed where two lie on each other
    if (f.view().difference && f.derived.edit_change.size() > 0)
        draw_change(f);
    else if (stage_shows_map(f))
        draw_stage_map(f);
    else
        draw_scene(f);
    if (f.scratch.number)
        if (const auto rect = rect_on_stage(f, f.scratch.number->cell)) draw_number_field(f, *rect);
}

}  // namespace app
