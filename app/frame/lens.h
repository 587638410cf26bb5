#pragma once
// The lens: exact numbers of the cells around the pointer, where a matrix's own cells are too small for them.

#include "app/frame/matrix_view.h"

namespace app {

/// Drawn over everything, next to the pointer, inside the window. `middle` is a row and a column of the value.
void draw_lens(const Frame& frame, const MatrixLook& look, Spot middle);

}  // namespace app
