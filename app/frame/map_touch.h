#pragma once
// The hand on matrices that are looked at in part: wheel, drag, double click and keys. What they do is the same for
// every matrix on the screen, because all share one look.

#include <string_view>

#include "app/frame/view.h"

namespace app {

/// How much closer a notch of the wheel comes; design pixels that a click may move.
inline constexpr float kMapWheelZoom = 1.25f, kMapClickSlack = 4;

/// What else a hand does to the cells of a matrix.
struct CellTouch {
    bool opens = false;   ///< they are so large that a double click means the cell
    bool paints = false;  ///< a click or a drag changes them: only with Shift does a drag move the matrix
};
/// The pointer on a matrix named `id`: the wheel comes closer about the pointer, a drag moves, a double click shows the
/// whole or comes closer.
void touch_map(const Frame& frame, std::string_view id, const MapWindow& window, CellTouch cells = {});
/// The press that ends now moved a matrix: it is no click on a cell.
bool moved_map(const Frame& frame);

/// For keys: about the middle of what is seen.
void zoom_map(const Frame& frame, float factor);
bool can_zoom_map(const Frame& frame);
/// Some matrix on the screen is larger than its window now.
bool shows_part_of_map(const Frame& frame);

}  // namespace app
