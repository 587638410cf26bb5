// Painting the mask: by a click, a rectangle, or the name of a row or column; on the stage and on its maps.

#include "app/screens/stage/mask.h"

#include <algorithm>

#include "app/state/edits.h"

namespace app {
namespace {

using attn::Role;

/// Size of the clickable row and column names, left of and above the cells, at scale 1.
constexpr float kMaskNamesWidth = 96, kNamesHeight = 30;
/// Rows thinner than this, at scale 1, are not marked.
constexpr float kMarkedRow = 6;
/// A painted mask is part of the document and of every undo step, so it is limited to four megabytes.
constexpr Eigen::Index kMostPainted = 1024;

const MatrixSprite* sprite_of(const Frame& f, attn::StepId step) {
    const auto& all = f.scratch.scene.matrices;
    const auto found = std::find_if(all.rbegin(), all.rend(), [&](const MatrixSprite& m) { return m.step == step; });
    return found == all.rend() ? nullptr : &*found;
}

/// The pattern of the shown masked step; null if it is none.
const attn::Matrix* pattern_of(const Frame& f, attn::StepId step) {
    if (step == attn::kNoStep || f.trace()[step].tag.role != Role::Masked || f.trace()[step].tag.pass != 0) return nullptr;
    return &f.trace()[f.trace()[step].inputs[1]].value.matrix();
}

void paint(const Frame& f, const attn::Matrix& pattern, CellSpan span, bool seen) {
    f.edit([pattern, span, seen](attn::Document& d) { paint_mask(d, pattern, span, seen); });
    // In the middle of the motion, a newly masked cell would not be visible yet.
    if (f.derived.pose.progress < 1) f.push(GoToStop{f.derived.pose.stop, 1});
}

CellSpan span_of(const MaskStroke& s) {
    return {std::min(s.row, s.to_row), std::min(s.col, s.to_col), std::max(s.row, s.to_row), std::max(s.col, s.to_col)};
}

void stroke(const Frame& f, const MatrixSprite& sprite, const attn::Matrix& pattern, Rect seen) {
    MaskStroke& s = *f.scratch.stroke;
    const Spot now = sprite.grid.nearest(gui::mouse());
    s.to_row = now.row;
    s.to_col = now.col;
    const CellSpan span = span_of(s);
    const Rect from = sprite.grid.at(span.row, span.col), to = sprite.grid.at(span.last_row, span.last_col);
    const Rect outline{from.x, from.y, to.right() - from.x, to.bottom() - from.y};
    const auto clip = f.painter().clip(seen.inset(-f.px(4)));
    f.painter().fill(outline, Ink(s.seen ? Hue::Score : Hue::Masked, 0.25f), f.px(6));
    f.painter().stroke(outline.inset(-f.px(2)), Hue::Accent, f.px(8), f.px(2));
    if (gui::mouse_down()) return;
    paint(f, pattern, span, s.seen);
    f.scratch.stroke.reset();
}

/// A click on the name of a row or of a column affects all of it.
bool click_on_names(const Frame& f, const Grid& grid, const attn::Matrix& pattern, Rect seen) {
    const Point at = gui::mouse();
    const Rect left{seen.x - f.px(kMaskNamesWidth), seen.y, f.px(kMaskNamesWidth), seen.h};
    const Rect above{seen.x, seen.y - f.px(kNamesHeight), seen.w, f.px(kNamesHeight)};
    if (!left.contains(at) && !above.contains(at)) return false;
    const Spot cell = grid.nearest(at);
    const bool row = left.contains(at) != grid.transposed;
    CellSpan span{0, 0, grid.rows - 1, grid.cols - 1};
    if (row)
        span.row = span.last_row = cell.row;
    else
        span.col = span.last_col = cell.col;
    gui::set_cursor(gui::Cursor::Hand);
    const Rect whole = intersection(row ? grid.row(cell.row) : grid.col(cell.col), seen.inset(-f.px(2)));
    f.painter().stroke(whole, Ink(Hue::Accent, 0.6f), f.px(8), f.px(1.5f));
    if (gui::mouse_clicked()) paint(f, pattern, span, flipped(pattern, span));
    return true;
}

/// Marks rows that may attend to nothing.
void mark_masked_rows(const Frame& f, const Grid& grid, const attn::Matrix& pattern, Rect seen) {
    if (grid.cell < f.px(kMarkedRow)) return;
    for (int r = 0; r < grid.rows; ++r) {
        if (!seen.overlaps(grid.row(r)) || (pattern.row(r).array() != 0).any()) continue;
        const Rect row = intersection(grid.row(r), seen);
        f.painter().stroke(row, Ink(Hue::Warning, 0.9f), f.px(8), f.px(1.5f));
        // Below a vertical row is the caption, so the mark is on the edge.
        const Point end =
            grid.transposed ? Point{row.center().x, row.bottom()} : Point{row.right() + f.px(14), row.center().y};
        if (grid.transposed) f.painter().circle(end, f.theme.icon_size * 0.8f, Hue::Back);
        f.painter().icon(Icon::Warning, end, f.theme.icon_size, Hue::Warning);
    }
}

}  // namespace

bool is_painted(const Frame& f) {
    const attn::Matrix* pattern = pattern_of(f, f.derived.pose.step);
    return pattern && (f.derived.pose.progress >= 1 || !f.view().plays()) && std::max(pattern->rows(), pattern->cols()) <= kMostPainted;
}

bool touch_mask(const Frame& f, const Touch& touch, std::optional<Spot> under, std::optional<Rect> part) {
    const MatrixSprite* sprite = sprite_of(f, f.derived.pose.step);
    if (!is_painted(f) || !sprite) {
        f.scratch.stroke.reset();
        return false;
    }
    const attn::Matrix& pattern = *pattern_of(f, f.derived.pose.step);
    const Rect seen = part.value_or(sprite->grid.area());
    mark_masked_rows(f, sprite->grid, pattern, seen);
    if (f.scratch.stroke) {
        stroke(f, *sprite, pattern, seen);
        return true;
    }
    if (!touch.hovered) return false;
    if (click_on_names(f, sprite->grid, pattern, seen)) return true;
    if (!under || !gui::mouse_clicked() || gui::mod_shift() || gui::mod_alt()) return false;
    f.scratch.stroke = MaskStroke{under->row, under->col, under->row, under->col, pattern(under->row, under->col) == 0};
    return true;
}

}  // namespace app
