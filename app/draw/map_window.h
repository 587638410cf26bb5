#pragma once
// The part of a matrix that is in view: from the whole of it down to cells large enough for their numbers. Pure
// functions; what is drawn, what the pointer is on and where labels go are all computed from one window.

#include <algorithm>
#include <optional>
#include <vector>

#include "app/draw/scene.h"

namespace app {

/// Zoom and position of the view into a matrix. All matrices share one, so that steps, heads and runs side by side show
/// the same tokens. `zoom` is relative to showing the whole matrix; `row` and `col` are the cell in the middle, as
/// fractions of the value's rows and columns.
struct MapLook {
    float zoom = 1, row = 0.5f, col = 0.5f;
    bool operator==(const MapLook&) const = default;
};
inline constexpr float kMaxMapZoom = 4096;
/// Clamps zoom and centre to their limits, so that the matrix never leaves its window.
MapLook clamped(MapLook look);

struct MapRoom {
    int rows = 0, cols = 0;  ///< of the value
    bool transposed = false;
    Rect area;               ///< available to the cells
    float largest_cell = 0;  ///< pixels, gap included: the upper limit of a cell's size
};

struct MapWindow {
    Grid grid;            ///< of the whole matrix; most of it may lie outside the window
    Rect seen;            ///< the part that is drawn
    float most_zoom = 1;  ///< the zoom at which cells reach their largest size; 1: zooming is not possible
    MapLook look;         ///< the requested look, clamped

    bool whole() const { return look.zoom <= 1; }
    /// The lines (or uprights) that are at least partly visible: the first, and one past the last.
    struct Span {
        int first = 0, end = 0;
        int count() const { return end - first; }
    };
    Span lines() const;
    Span uprights() const;
    /// Cells per pixel, in both directions.
    float cells_across() const { return 1 / grid.pitch_x(); }
    float cells_down() const { return 1 / grid.cell; }
};
MapWindow map_window(const MapLook& look, const MapRoom& room);

/// Zoomed by `factor`; the cell under `about` stays there.
MapLook zoomed(const MapWindow& window, Point about, float factor);
/// Dragged by `by` pixels.
MapLook panned(const MapWindow& window, Point by);
/// With `cell` in the middle, zoomed in until at most about `lines` lines are visible.
MapLook looking_at(const MapLook& look, Spot cell, int rows, int cols, int lines);

/// Which names along a side are shown, at `pitch` pixels apart and `high` pixels each: every k-th, counted from 1 (k =
/// 1, 2, 5, 10, 20 …), so that names stay on their rows while the matrix is panned. `keep` is always shown, and names
/// that would touch it are left out.
std::vector<int> thinned_names(MapWindow::Span seen, float pitch, float high, int keep = -1);

}  // namespace app
