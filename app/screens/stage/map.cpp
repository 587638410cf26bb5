#include "app/screens/stage/map.h"

#include <algorithm>
#include <cmath>

#include "app/content/number_text.h"
#include "app/frame/map_touch.h"
#include "app/frame/matrix_view.h"
#include "app/screens/stage/mask.h"
#include "app/screens/stage/touch.h"

namespace app {
namespace {

/// With more rows or columns than this, the cells of the usual stage would be a pixel or two, and its operands a line;
/// features are folded to the largest.
constexpr int kLaidOutAtMost = 256, kFeaturesLaidOut = 512, kVectorsLaidOut = 8192;
constexpr float kFoot = 74;  ///< design pixels below the cells: caption, legend, what a pixel shows

const attn::Step& step_of(const Frame& f) { return f.trace()[f.derived.pose.step]; }

bool is_large(const attn::Step& step) {
    using Kind = attn::Axis::Kind;
    // Numbers for the words of a vocabulary are folded to the largest, however many there are; of its vectors none counts
    // more than another.
    const bool of_tokens = step.rows.kind == Kind::Tokens || step.rows.kind == Kind::SourceTokens || step.value.rows() == 1;
    const auto is_long = [of_tokens](const attn::Axis& axis, Eigen::Index count) {
        if (axis.kind == Kind::Words) return !of_tokens && count > kVectorsLaidOut;
        return count > (axis.kind == Kind::Features || axis.kind == Kind::Units ? kFeaturesLaidOut : kLaidOutAtMost);
    };
    return is_long(step.rows, step.value.rows()) || is_long(step.cols, step.value.cols());
}

Rect body_of(const Frame& f) {
    const Rect area = f.area.inset(f.px(24), f.px(10));
    return {area.x, area.y, area.w, std::max(0.0f, area.h - f.px(kFoot))};
}

MatrixLook look_of(const Frame& f) {
    const attn::StepId id = f.derived.pose.step;
    const attn::Step& step = step_of(f);
    MatrixLook look;
    look.value = &step.value.matrix();
    look.key = id;
    look.scale = color_scale(f.trace(), f.derived.computed->ranges, id, f.view().shared_scale);
    look.rows = names_of_axis(f, step.rows);
    look.cols = names_of_axis(f, step.cols);
    look.row_hue = look.col_hue = hue_of(step.tag);
    look.found_rows = found_on(f, step.rows);
    look.found_cols = found_on(f, step.cols);
    look.masked_in = masked_behind(f.trace(), step);
    // Row by row: there is no room to show how the first cell is computed.
    look.revealed = static_cast<float>(ease(f.derived.pose.progress));
    look.opens = true;
    span_bulk(f, look);
    look.painted = is_painted(f);
    const bool meant = f.view().pointed || f.view().pinned;
    if (meant && f.derived.focus && f.derived.focus->step == id) {
        look.lit_row = f.derived.focus->row;
        look.lit_col = f.derived.focus->col;
    }
    return look;
}

/// "rows 1–4096 of 4096, columns 17–40 of 4096", as drawn.
std::string seen_text(const Frame& f, const MapWindow& w) {
    const auto lines = w.lines(), uprights = w.uprights();
    const auto text = [](int n) { return std::to_string(n); };
    return f.say(Str::map_rows, {text(lines.first + 1), text(lines.end), text(w.grid.lines()), text(uprights.first + 1),
                                 text(uprights.end), text(w.grid.uprights())});
}

void caption(const Frame& f, Rect line) {
    Painter& p = f.painter();
    const attn::StepId id = f.derived.pose.step;
    const FormulaLayout& symbol =
        f.scratch.formulas.get(symbol_of(f.trace(), id, f.view().convention), FormulaSize::Normal, f.theme, p.fonts());
    const float base = line.center().y + p.middle_to_baseline(Type::Body);
    draw_formula(p, symbol, {line.x, base});
    const float x = line.x + symbol.width + f.px(12);
    const std::string name = name_of(f.trace(), id, f.view().language);
    const std::string shape = shape_text(f, step_of(f).value);
    const float w = p.text_fit({x, line.y, std::max(0.0f, line.right() - x), line.h}, name, {Type::Small}, Hue::Soft);
    const float after = x + w + f.px(10);
    if (after + p.width(shape, Type::NumberSmall) <= line.right())
        p.text_in({after, line.y, line.right() - after, line.h}, shape, {Type::NumberSmall}, Hue::Faint);
}

/// While presenting, the keys are enough.
float zoom_buttons(const Frame& f, float right, float y) {
    if (f.view().present.on) return right;
    const float button = f.px(28), both = 2 * button + f.px(6);
    if (icon_button(f.ui, "map_minus", {right - both, y, button, button}, Icon::Minus, ButtonKind::Soft,
                    shows_part_of_map(f)))
        zoom_map(f, 1 / 1.5f);
    if (icon_button(f.ui, "map_plus", {right - button, y, button, button}, Icon::Plus, ButtonKind::Soft,
                    can_zoom_map(f)))
        zoom_map(f, 1.5f);
    return right - both - f.px(24);
}

/// Caption and visible range; legend and what a pixel shows.
void foot(const Frame& f, Rect area, const MatrixLook& look, const MapWindow& w) {
    const float high = f.px(24), gap = f.px(24), bar_w = std::min(f.px(200), area.w * 0.3f);
    const Rect first{area.x, area.y, area.w, high}, second{area.x, area.y + f.px(34), area.w, high};
    const float legend_x = zoom_buttons(f, area.right(), first.y - f.px(2)) - bar_w;
    caption(f, {first.x, first.y, std::max(0.0f, legend_x - gap - first.x), high});
    draw_legend(f, {legend_x, first.y + f.px(4), bar_w, f.px(9)}, look.scale, look.is_signed, look.more);
    const std::string where = seen_text(f, w);
    const float where_w = std::min(f.painter().width(where, Type::Small), area.w * 0.5f);
    f.painter().text_fit({second.x, second.y, where_w + 1, high}, where, {Type::Small}, Hue::Soft);
    draw_pooling(f, "pooling", {second.x + where_w + gap, second.y, std::max(0.0f, second.w - where_w - gap), high}, w,
                 Align::Right);
}

/// Adds the cells to the scene for its other users, such as the number field.
void tell_scene(const Frame& f, const MapWindow& w) {
    MatrixSprite sprite;
    sprite.step = f.derived.pose.step;
    sprite.grid = w.grid;
    f.scratch.scene.matrices.push_back(sprite);
}

void touch(const Frame& f, const MatrixDrawn& drawn) {
    if (f.scratch.number && f.scratch.number->rect.contains(gui::mouse())) return f.ui.record("stage", f.area);
    const Touch touch = touch_area(f.ui, "stage", f.area, false);
    const attn::Tag tag = step_of(f).tag;
    const auto pointed =
        touch.hovered && drawn.spot ? std::optional(CellRef{tag, drawn.spot->row, drawn.spot->col}) : std::nullopt;
    if (pointed != f.view().pointed) f.push(PointAt{pointed});
    if (pointed && drawn.numbers && touch.double_clicked && !is_painted(f)) {
        f.push(Pin{pointed});
        f.scratch.opened = true;
        return open_number_field(f, *pointed);
    }
    if (touch_mask(f, touch, touch.hovered ? drawn.spot : std::nullopt, drawn.window.seen)) return;
    if (!touch.clicked || moved_map(f)) return;
    if (std::exchange(f.scratch.opened, false)) return;
    if (is_painted(f)) return;
    f.push(Pin{pointed == f.view().pinned ? std::nullopt : pointed});
}

MapWindow window_on_stage(const Frame& f, const MapLook& look) {
    const attn::Matrix& value = step_of(f).value;
    return map_window(look, {static_cast<int>(value.rows()), static_cast<int>(value.cols()), f.columns(), body_of(f),
                             f.theme.cell_size});
}

}  // namespace

bool stage_shows_map(const Frame& f) {
    const attn::Matrix& value = step_of(f).value;
    if (value.size() == 0 || f.derived.ending) return false;
    return is_large(step_of(f)) || (!f.view().present.on && f.view().map.zoom > 1 && window_on_stage(f, {}).most_zoom > 1);
}

void draw_stage_map(const Frame& f) {
    const MatrixLook look = look_of(f);
    f.scratch.scene.clear();
    const Rect body = body_of(f);
    const MatrixDrawn drawn = draw_matrix_map(f, "cell", body, look);
    if (drawn.window.seen.empty()) return;
    tell_scene(f, drawn.window);
    foot(f, {body.x, body.bottom() + f.px(12), body.w, f.px(kFoot) - f.px(12)}, look, drawn.window);
    touch(f, drawn);
}

void enter_stage_map(const Frame& f) {
    const MapWindow whole = window_on_stage(f, {});
    f.scratch.map.most_zoom = std::max(f.scratch.map.most_zoom, whole.most_zoom);
    const float wheel = gui::wheel();
    if (wheel <= 0 || f.view().sheet != Sheet::None || gui::any_popup() || f.view().present.on) return;
    const auto cell = pick(f.scratch.scene, gui::mouse());
    if (!cell || cell->step != f.derived.pose.step || whole.most_zoom <= 1) return;
    const auto sprite = std::find_if(f.scratch.scene.matrices.rbegin(), f.scratch.scene.matrices.rend(),
                                     [&](const MatrixSprite& m) { return m.step == cell->step; });
    const float zoom = std::clamp(sprite->grid.cell / whole.grid.cell * kMapWheelZoom, kMapWheelZoom, whole.most_zoom);
    // The same cell of the whole matrix, moved under the pointer.
    const Point at = whole.grid.at(cell->row, cell->col).center();
    const MapLook close = zoomed(whole, at, zoom);
    const MapLook look = panned(window_on_stage(f, close), gui::mouse() - at);
    f.change_view([look](ViewState& v) { v.map = look; });
}

}  // namespace app
