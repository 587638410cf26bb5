// The stage: the step at the playhead laid out as a scene, drawn, and asked what lies under the pointer.

#include <algorithm>
#include <cmath>

#include "app/views/scene_paint.h"
#include "app/views/view.h"

namespace app {
namespace {

StageStyle style_of(const Frame& f) {
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

std::optional<CellRef> ref_of(const attn::Trace& trace, const std::optional<attn::Cell>& cell) {
    if (!cell) return std::nullopt;
    return CellRef{trace[cell->step].tag, cell->row, cell->col};
}

/// A click on a cell of the mask's step flips it: the mask becomes one drawn by hand.
void flip_mask(const Frame& f, attn::Cell cell) {
    const attn::StepId pattern = attn::find_id(f.trace(), {attn::Role::MaskPattern});
    if (pattern == attn::kNoStep) return;
    f.edit([&](attn::Document& d) {
        d.config.mask = "drawn";
        d.mask_pattern = f.trace()[pattern].value;
        float& seen = d.mask_pattern(cell.row, cell.col);
        seen = seen != 0 ? 0.0f : 1.0f;
    });
}

void touch(const Frame& f, Rect area) {
    const Touch touch = touch_area(f.ui, "stage", area, false);
    const std::optional<attn::Cell> under = touch.hovered ? pick(f.scratch.scene, gui::mouse()) : std::nullopt;
    const std::optional<CellRef> pointed = ref_of(f.trace(), under);
    if (pointed != f.view().pointed) f.push(PointAt{pointed});
    if (under) gui::set_cursor(gui::Cursor::Hand);
    if (!touch.clicked) return;
    if (under && f.trace()[under->step].tag.role == attn::Role::Masked)
        flip_mask(f, *under);
    else
        f.push(Pin{pointed == f.view().pinned ? std::nullopt : pointed});
}

/// Rectangles of the result's cells, for those who drive the program by name.
void record_cells(const Frame& f) {
    for (const MatrixSprite& m : f.scratch.scene.matrices) {
        if (m.step != f.derived.pose.step || m.grid.rows * m.grid.cols > 100) continue;
        for (int r = 0; r < m.grid.rows; ++r)
            for (int c = 0; c < m.grid.cols; ++c)
                f.ui.record("cell_" + std::to_string(r) + "_" + std::to_string(c), m.grid.at(r, c));
    }
}

}  // namespace

void draw_stage(const Frame& f) {
    if (f.area.empty()) return;
    if (f.derived.pose.step == attn::kNoStep) {
        f.painter().text_in(f.area, f.say(Str::no_tokens), {Type::Body, Align::Center}, Hue::Soft);
        return;
    }
    const auto clip = f.painter().clip(f.area);
    const StageInput input{f.trace(),
                           f.derived.computed->ranges,
                           f.derived.labels,
                           f.derived.pose,
                           f.derived.focus,
                           f.area.inset(f.px(20), f.px(10)),
                           style_of(f),
                           f.view().language,
                           f.view().shared_scale,
                           [&](std::string_view text, Type type) { return f.painter().width(text, type); }};
    lay_out(input, f.scratch.scene);
    paint_scene(f, f.scratch.scene);
    touch(f, f.area);
    record_cells(f);
}

}  // namespace app
