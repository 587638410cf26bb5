#include "app/layout/figures_grid.h"

#include <algorithm>
#include <cmath>

#include "app/layout/parts.h"

namespace app {
namespace {

/// Wider cells than this look like bars.
constexpr float kWidest = 2.3f;
/// The fewest slots: two single ones and the shared one.
constexpr int kFewestSlots = 3;

/// Slots along one side: the pitch of the one in focus, and that of the others relative to it.
struct Pitch {
    float full = 0, thin = 1;
};

/// `count` slots in `length`: equal ones if each has room for `full`, else all but one thinned, to `least` or more;
/// nothing if they are too many even so.
std::optional<Pitch> pitch_in(float length, int count, float full, float least, float largest, bool thins) {
    const float each = length / static_cast<float>(count);
    if (each >= full) return Pitch{std::max(full, std::min(each, largest)), 1};
    if (!thins || count < 2) return std::nullopt;
    const float others = (length - full) / static_cast<float>(count - 1);
    if (others < std::min(least, full)) return std::nullopt;
    return Pitch{full, std::min(1.0f, others / full)};
}

}  // namespace

std::optional<Grid> figures_grid(const FiguresRoom& room) {
    if (room.rows <= 0 || room.cols <= 0 || room.area.empty() || room.lit.row < 0 || room.lit.row >= room.rows) return std::nullopt;
    const int col = room.lit.col < room.cols ? room.lit.col : -1;
    Grid grid;
    grid.rows = room.rows;
    grid.cols = room.cols;
    grid.transposed = room.transposed;
    grid.gap = room.gap;
    const float whole = room.whole + room.gap, in_row = room.in_row + room.gap, high = room.high + room.gap, least = room.least + room.gap;
    /// Along the focused row no figure goes; the other rows may become lines of colours.
    const auto fits = [&](bool thins, int slots) {
        const bool folded = slots < room.cols;
        Fold& cols = grid.col_fold = folded ? stage::fold_to(room.cols, slots, col, room.weight) : Fold{};
        Fold& rows = grid.row_fold = {};
        const int shown = folded ? cols.count : room.cols;
        const float across = room.transposed ? room.area.h : room.area.w, down = room.transposed ? room.area.w : room.area.h;
        const float wide = thins && col < 0 ? in_row : whole;  // without a column in focus all are alike
        const float along = room.transposed ? high : wide, along_least = room.transposed ? high : in_row;
        const float other = room.transposed ? whole : high, other_least = room.transposed ? std::max(least, in_row) : high;
        const auto of_cols = pitch_in(across - (folded ? along : 0), shown, along, along_least, room.largest_cell, thins && col >= 0);
        auto of_rows = pitch_in(down, room.rows, other, other_least, room.largest_cell, thins);
        if (!of_rows && thins) of_rows = pitch_in(down, room.rows, other, least, room.largest_cell, true);
        if (!of_cols || !of_rows) return false;
        if (folded) cols.rest = along / of_cols->full;
        cols.thin = of_cols->thin;
        rows.thin = of_rows->thin;
        if (cols.thin < 1) cols.lens = col;
        if (rows.thin < 1) rows.lens = room.lit.row;
        const Pitch &x = room.transposed ? *of_rows : *of_cols, &y = room.transposed ? *of_cols : *of_rows;
        grid.cell = y.thin < 1 ? y.full : std::max(high, std::min(y.full, x.full));  // no taller than wide
        grid.narrow = x.thin < 1 ? x.full / grid.cell : std::max(wide, std::min(x.full, grid.cell * kWidest)) / grid.cell;
        return true;
    };
    const auto omitted = omit_until_it_fits(omitted_before(Omittable::Context), Omittable::Slots, [&](Omitted tried) { return fits(!tried.shows(Omittable::Context), room.cols); });
    bool found = omitted.has_value();
    if (room.weight)
        for (int slots = std::min(room.cols, Fold::kMost + 2) - 1; !found && slots >= kFewestSlots; --slots) found = fits(true, slots);
    if (!found) return std::nullopt;
    const Rect used = grid.area();
    grid.origin = {std::round(room.area.x + (room.area.w - used.w) / 2), std::round(room.area.y + (room.area.h - used.h) / 2)};
    return grid;
}

}  // namespace app
