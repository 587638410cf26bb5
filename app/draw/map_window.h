#pragma once
// The part of a matrix that is looked at: from the whole of it to cells as large as their numbers need. Pure; what is
// drawn, what the pointer is on and where a label stands all follow from one window.

#include <algorithm>
#include <optional>
#include <vector>

#include "app/draw/scene.h"

namespace app {

/// How closely matrices are looked at, one look for all of them: so steps, heads and runs side by side show the same
/// tokens. So many times as large as the whole; this cell in the middle, in shares of the value's rows and columns.
struct MapLook {
    float zoom = 1, row = 0.5f, col = 0.5f;
    bool operator==(const MapLook&) const = default;
};
inline constexpr float kMaxMapZoom = 4096;
/// Zoom and middle inside their bounds: the matrix never leaves its window.
MapLook clamped(MapLook look);

struct MapRoom {
    int rows = 0, cols = 0;  ///< of the value
    bool transposed = false;
    Rect area;               ///< what the cells may take
    float largest_cell = 0;  ///< pixels, gap included; a cell is never larger
};

struct MapWindow {
    Grid grid;            ///< of the whole matrix; most of it may lie outside
    Rect seen;            ///< what of it is drawn
    float most_zoom = 1;  ///< at which cells are as large as they get; 1: there is nothing to come closer to
    MapLook look;         ///< what is shown: the look that was asked for, as far as it goes

    bool whole() const { return look.zoom <= 1; }
    /// Lines and uprights of which something is seen: from the first to behind the last.
    struct Span {
        int first = 0, end = 0;
        int count() const { return end - first; }
    };
    Span lines() const;
    Span uprights() const;
    /// Cells to a pixel, both ways.
    float cells_across() const { return 1 / grid.pitch_x(); }
    float cells_down() const { return 1 / grid.cell; }
};
MapWindow map_window(const MapLook& look, const MapRoom& room);

/// So many times closer, what is under the point staying there.
MapLook zoomed(const MapWindow& window, Point about, float factor);
/// Moved with the hand.
MapLook panned(const MapWindow& window, Point by);
/// A cell in the middle, at least so close that about `lines` of them are seen.
MapLook looking_at(const MapLook& look, Spot cell, int rows, int cols, int lines);

/// Which of the names along a side have room, `pitch` pixels apart and `high` each: every k-th as they are counted
/// from 1 (k = 1, 2, 5, 10, 20 …), so that a name keeps its place while the matrix is moved. `keep` always stands,
/// and those that would touch it do not.
std::vector<int> thinned_names(MapWindow::Span seen, float pitch, float high, int keep = -1);

}  // namespace app
