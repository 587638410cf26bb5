#pragma once
// Zooming and panning of matrices by wheel, drag, double click and keys. It acts on every matrix on the screen, because
// all share one look.

#include <string_view>

#include "app/frame/view.h"

namespace app {

/// Zoom factor of one wheel notch; design pixels that a press may move and still be a click.
inline constexpr float kMapWheelZoom = 1.25f, kMapClickSlack = 4;

/// What else the pointer does to the cells of a matrix.
struct CellTouch {
    bool opens = false;   ///< they are so large that a double click is meant for the cell
    bool paints = false;  ///< a click or a drag changes them, so only a drag with Shift pans the matrix
};
/// Input on a matrix named `id`: the wheel zooms about the pointer, a drag pans, a double click shows the whole or
/// zooms in.
void touch_map(const Frame& frame, std::string_view id, const MapWindow& window, CellTouch cells = {});
/// Whether the press that ends now has panned a matrix, so that it is no click on a cell.
bool moved_map(const Frame& frame);

/// For keys: zooms about the middle of the visible part.
void zoom_map(const Frame& frame, float factor);
bool can_zoom_map(const Frame& frame);
/// Whether some matrix on the screen is larger than its window.
bool shows_part_of_map(const Frame& frame);

}  // namespace app
