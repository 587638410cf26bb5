#pragma once
// The program's icon, drawn by code: a small causal heatmap in violet.

#include "app/gfx/image.h"

namespace app::gfx {

/// A square of `size` pixels (16 and more look right) with a rounded outline, transparent outside it.
Image app_icon(int size);

}  // namespace app::gfx
