// The stage: the step at the playhead, laid out as a scene and drawn, with pointer input.

#include <algorithm>
#include <cmath>

#include "app/frame/asking.h"
#include "app/frame/breadcrumb.h"
#include "app/frame/caption_paint.h"
#include "app/frame/commands.h"
#include "app/frame/map_touch.h"
#include "app/frame/matrix_view.h"
#include "app/frame/nothing.h"
#include "app/frame/scene_paint.h"
#include "app/frame/view.h"
#include "app/screens/stage/map.h"
#include "app/screens/stage/touch.h"
#include "app/state/edits.h"

namespace app {

namespace {

/// While presenting, all sizes follow from the figures, which must be readable from the last row; little room is left
/// around them.
StageStyle presenting_style(const Frame& f) {
    constexpr float kPixelsOfDesign = 16;  // of the figures' em, for which the layouts' lengths were designed
    const float em = f.theme.em(Type::Number);
    StageStyle style = StageStyle{}.scaled(em / kPixelsOfDesign);
    style.presenting = true;
    style.omitted = omitted_before(Omittable::Context);
    style.figure = em;
    style.digit = f.painter().width("0", Type::Number);
    style.label = f.theme.em(Type::Body);
    style.label_width = em * 7;
    style.gap = f.theme.cell_gap;
    style.cell_max = em * 2.9f;
    style.ribbon = em * 0.25f;
    style.between = em * 1.1f;
    style.caption = em * 1.9f;
    style.chip_w = f.painter().width("−0.00", Type::Number) + em * 0.5f;
    style.chip_h = em * 1.3f;
    style.line = em * 1.45f;
    style.aside = style.chip_w * 2 + em * 2.6f + f.painter().width("−00.00", Type::Number);
    style.aside_gap = em * 0.9f;
    return style;
}

}  // namespace

StageStyle stage_style(const Frame& f) {
    if (f.view().present.on) return presenting_style(f);
    StageStyle style;
    style = style.scaled(f.theme.scale);
    style.label = f.theme.em(Type::Body);
    style.gap = f.theme.cell_gap;
    style.cell_max = f.theme.cell_size + f.theme.cell_gap;
    // The width of numbers determines the size of a chip.
    style.chip_w = f.painter().width("−0.00", Type::Number) + f.px(14);
    style.chip_h = f.theme.em(Type::Number) * 2.05f;
    style.line = style.chip_h + f.px(9);
    style.aside = style.chip_w * 2 + f.px(36) + f.painter().width("−00.000", Type::Number);
    style.figure = f.theme.em(Type::Number);
    style.digit = f.painter().width("0", Type::Number);
    style.small_figure = f.theme.em(Type::NumberSmall);
    style.small_digit = f.painter().width("0", Type::NumberSmall);
    return style;
}

float cube_button_width(const Frame& f) {
    return std::max(button_width(f.ui, f.say(Str::as_flat)), button_width(f.ui, f.say(Str::as_cube)));
}

namespace {

/// During a motion, the focus stays on the pinned cell, wherever the pointer is.
std::optional<attn::Cell> focus_of_motion(const Frame& f) {
    const auto& pinned = f.view().pinned;
    const attn::StepId step = f.derived.pose.step;
    if (!pinned || step == attn::kNoStep || f.derived.pose.progress >= 1) return f.derived.focus;
    const attn::Step& moving = f.trace()[step];
    const bool there =
        pinned->tag == moving.tag && pinned->row < moving.value.rows() && pinned->col < moving.value.cols();
    return there ? attn::Cell{step, pinned->row, pinned->col} : f.derived.focus;
}

/// Highlights the cell of the formula's number under the pointer, or the sources of the pinned cell.
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
            f.view().cube,
            f.derived.explained,
            f.counts_from(),
            {},
            f.of_run().rows};
}

namespace {

bool on_one_line(const Frame& f, Rect formula) { return !formula.empty() && formula.h <= f.px(60) && !f.view().present.on; }

/// The height that the buttons in the stage's corner take.
float corner_height(const Frame& f) {
    if (f.view().present.on) return 0;
    const bool cube = can_be_cube(f.trace(), f.derived.pose.step) &&
                      !on_one_line(f, place_rect(Place::Formula, f.window, f.theme, panels_of(f.state)));
    return f.px(34) * static_cast<float>((cube ? 1 : 0) + (!attn::is_altered(f.state.document) ? 0 : 1));
}

/// On the formula's line if there is one; else in the corner of the stage.
Rect cube_button_rect(const Frame& f) {
    const float w = button_width(f.ui, f.say(f.view().cube ? Str::as_flat : Str::as_cube)), h = f.px(28);
    const Rect formula = place_rect(Place::Formula, f.window, f.theme, panels_of(f.state));
    if (on_one_line(f, formula))
        return {formula.right() - w - f.px(16), formula.y + (std::min(formula.h, f.px(60)) - h) / 2, w, h};
    const float above = !attn::is_altered(f.state.document) ? 0 : f.px(34);
    return {f.area.right() - w - f.px(16), f.area.y + f.px(6) + above, w, h};
}

/// What makes room for the figures; recomputed only when something it depends on has changed.
void fold(const Frame& f, StageInput& in, CachedFolding& cached) {
    CachedFolding::Key key{f.derived.generation, in.pose.step, in.explained,        in.area,       in.style.figure,
                         in.style.digit,       in.language,  in.convention,  in.cube};
    if (cached.key != key) {
        cached = {key, folding_for(in)};
    }
    in.folding = cached.folding;
}

}  // namespace

namespace {

/// Records rectangles of the result's cells by name, for tests and scripts.
void record_cells(const Frame& f) {
    for (const QuadSprite& q : f.scratch.scene.quads)
        if (q.cell.step == f.derived.pose.step)
            f.ui.record("cell_" + std::to_string(q.cell.row) + "_" + std::to_string(q.cell.col), q.bounds());
        else if (q.cell.step != attn::kNoStep)
            f.ui.record("face_" + attn::step_name(f.trace()[q.cell.step].tag) + "_" + std::to_string(q.cell.row) + "_" +
                            std::to_string(q.cell.col),
                        q.bounds());
    for (const MatrixSprite& m : f.scratch.scene.matrices) {
        const bool folded = m.grid.row_fold.on() || m.grid.col_fold.on();
        if (m.step != f.derived.pose.step || (m.grid.rows * m.grid.cols > 100 && !folded)) continue;
        for (int line = 0; line < m.grid.row_fold.shown(m.grid.rows) && m.grid.col_fold.on(); ++line) {
            const int r = m.grid.row_fold.index(line);
            f.ui.record("rest_" + std::to_string(r), m.grid.at(r, m.grid.col_fold.first_hidden()));
        }
        for (int line = 0; line < m.grid.row_fold.shown(m.grid.rows); ++line)
            for (int at = 0; at < m.grid.col_fold.shown(m.grid.cols); ++at) {
                const int r = m.grid.row_fold.index(line), c = m.grid.col_fold.index(at);
                f.ui.record("cell_" + std::to_string(r) + "_" + std::to_string(c), m.grid.at(r, c));
            }
    }
}

/// At the beginning of a motion, matrices of the previous step are still moving to where this one needs them.
void come_from_step_before(const Frame& f, const StageInput& in) {
    const Pose& pose = f.derived.pose;
    if (pose.arrived >= 1 || pose.stop == 0) return;
    StageInput before = in;
    before.folding.reset();
    before.focus.reset();
    before.pose = {pose.stop - 1, f.derived.timeline.stops[static_cast<std::size_t>(pose.stop) - 1].step, 1};
    const attn::Matrix& value = f.trace()[before.pose.step].value;
    if (value.size() == 0) return;
    const auto within = [](int index, Eigen::Index count) { return std::clamp(index, 0, static_cast<int>(count) - 1); };
    if (in.explained) before.explained = attn::Cell{before.pose.step, within(in.explained->row, value.rows()), within(in.explained->col, value.cols())};
    fold(f, before, f.scratch.folding_before);
    lay_out(before, f.scratch.before);
    come_from(f.scratch.before, static_cast<float>(ease(pose.arrived)), f.scratch.scene);
}

void draw_scene(const Frame& f) {
    constexpr float kHandle = 12;  // extra width in design pixels that the inspector's handle takes at the right edge
    StageInput in = stage_input(f, f.area.inset(f.px(20), f.px(f.view().present.on ? 4 : 10)));
    if (inspector_has_handle(f)) in.area.w -= f.px(kHandle);
    const float corner = std::min(corner_height(f), in.area.h / 4);
    in.area.y += corner;
    in.area.h -= corner;
    if (f.derived.ending && (f.derived.ending->arrived >= 1 || is_map(in))) {
        f.scratch.scene.clear();  // nothing is moving any more; or it is a map, which has no cells that could move
    } else {
        fold(f, in, f.scratch.folding);
        lay_out(in, f.scratch.scene);
        come_from_step_before(f, in);
    }
    if (const auto& ending = f.derived.ending) {
        std::swap(f.scratch.scene, f.scratch.before);
        lay_out_arcs(in, f.derived.story_end, ending->weights, ending->query, ending->goes_on, f.scratch.scene);
        come_from(f.scratch.before, static_cast<float>(ease(ending->arrived)), f.scratch.scene);
    }
    paint_scene(f, f.scratch.scene);
    light_sources(f);
    touch_stage(f, f.area);
    record_cells(f);
    enter_stage_map(f);
}

/// The effect of the overwritten numbers on the shown step: each cell in its usual place, one colour scale.
void draw_change(const Frame& f) {
    const attn::StepId id = f.derived.pose.step;
    const attn::Step& step = f.trace()[id];
    f.scratch.scene.clear();
    MatrixLook look;
    look.value = f.derived.edit_change.value.get();
    look.owner = f.derived.edit_change.value;
    look.key = matrix_key(MatrixOf::EditChange, id);
    look.scale = difference_scale(hue_of(step.tag), f.derived.edit_change);
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
    // Centred if the button next to it leaves room, else as far left as necessary.
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

/// The button that shows the difference, or returns, if there is one.
void change_button(const Frame& f) {
    if (!attn::is_altered(f.state.document) || f.view().present.on || f.view().figure) return;
    const std::string_view words = f.say(f.view().difference ? Str::change_back : Str::what_changed);
    const float w = button_width(f.ui, words), h = f.px(28);
    const Rect rect{f.area.right() - w - f.px(16), f.area.y + f.px(6), w, h};
    if (button(f.ui, "change", rect, words)) f.change_view([](ViewState& v) { v.difference = !v.difference; });
}

/// The button that switches between the flat view of a product and the cube.
void cube_button(const Frame& f) {
    const attn::StepId step = f.derived.pose.step;
    if (!can_be_cube(f.trace(), step) || f.view().present.on || f.view().figure || f.view().difference || f.derived.ending || stage_shows_map(f))
        return;
    const std::string_view words = f.say(f.view().cube ? Str::as_flat : Str::as_cube);
    if (button(f.ui, "cube", cube_button_rect(f), words)) run_command(f, "cube");
}

}  // namespace

namespace {

/// The sentence of the moment, under the picture.
void subtitle(const Frame& f, Rect picture) {
    const Rect below{f.area.x + f.px(16), picture.bottom(), f.area.w - f.px(32), f.area.bottom() - picture.bottom()};
    const bool wanted = !f.view().figure || f.view().figure_look.caption;
    if (wanted && !below.empty()) draw_caption(f, below.inset(0, f.px(2)), f.derived.caption, Type::Title);
}

}  // namespace

namespace {

/// If the stage was entered from the flow, zooming out by wheel returns there.
void leave_by_wheel(const Frame& f) {
    const bool here = f.view().flow.entered && f.area.contains(gui::mouse()) && f.view().sheet == Sheet::None;
    if (here && gui::wheel() < 0 && !gui::any_popup() && !shows_part_of_map(f)) f.push(LeaveMatrix{});
}

}  // namespace

namespace {

/// The handle at the edge between the stage and the inspector's column: opens it, and folds it again.
void inspector_handle(const Frame& f) {
    const Rect seen = inspector_handle_rect(f);
    if (seen.empty()) return;
    const Rect rect{seen.x, seen.y, seen.w + f.px(8), seen.h};  // its right corners are not rounded
    const auto clip = f.painter().clip(f.area);
    const Touch touch = touch_area(f.ui, "drawer_cell", seen);
    f.painter().fill(rect, touch.hovered ? Hue::AccentSoft : Hue::Paper, f.px(8));
    f.painter().stroke(rect, Hue::Rule, f.px(8), f.theme.rule_width);
    f.painter().text({seen.center().x, seen.center().y + f.painter().middle_to_baseline(Type::Body)}, f.view().inspector ? "›" : "‹",
                     {Type::Body, Align::Center}, Hue::Soft);
    if (touch.focused) focus_ring(f.ui, seen, f.px(8));
    if (touch.clicked) run_command(f, "drawer_cell");
}

}  // namespace

void draw_stage(const Frame& whole) {
    if (whole.area.empty()) return;
    if (shows_question(whole.state)) return;  // the opening is drawn there
    if (whole.derived.pose.step == attn::kNoStep) {
        whole.painter().text_in(whole.area, whole.say(nothing_yet(whole)), {Type::Body, Align::Center}, Hue::Soft);
        return;
    }
    Frame f = whole;
    f.area = stage_area(whole, whole.area);
    subtitle(whole, f.area);
    if (f.area.y > whole.area.y && !whole.view().figure)
        draw_breadcrumb(whole, Rect{whole.area.x, whole.area.y, whole.area.w, f.area.y - whole.area.y}.inset(f.px(20), f.px(3)));
    leave_by_wheel(f);
    inspector_handle(whole);
    cube_button(f);
    const auto clip = f.painter().clip(f.area);
    change_button(f);  // before the stage: where two overlap, the first one gets the press
    if (f.view().difference && f.derived.edit_change.size() > 0)
        draw_change(f);
    else if (stage_shows_map(f))
        draw_stage_map(f);
    else
        draw_scene(f);
    if (f.scratch.number)
        if (const auto rect = rect_on_stage(f, f.scratch.number->cell)) draw_number_field(f, *rect);
}

constexpr ScreenRow kStageScreen = {.inspector = true, .maps = true, .lights = true};

}  // namespace app
