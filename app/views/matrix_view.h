#pragma once
// A matrix that is no step of the run on the stage: its cells, names and legend, and what of it is pointed at.

#include <optional>
#include <string>
#include <vector>

#include "app/views/view.h"

namespace app {

/// Matrices beside the run have keys of their own among the heatmaps; `step` tells one of a kind from another.
enum class MatrixOf : std::uint8_t { OtherRun, Difference, EditChange };
constexpr attn::StepId matrix_key(MatrixOf which, attn::StepId step) {
    return -10 - 3 * step - static_cast<int>(which);
}

struct MatrixLook {
    const attn::Matrix* value = nullptr;
    attn::StepId key = attn::kNoStep;  ///< matrix_key(), or the step of the stage's own run
    ColorScale scale;
    std::vector<std::string> rows, cols;  ///< names
    Hue row_hue = Hue::Soft, col_hue = Hue::Soft;
    bool is_signed = false;  ///< numbers carry their sign, plus as well
    int lit_row = -1, lit_col = -1;
};

/// Draws it as large as the area allows, in its middle, transposed where tokens are columns, and records its cells as
/// `id`_r_c. Returns what is under the pointer. Rows and columns are those of the value.
std::optional<Spot> draw_matrix(const Frame& frame, std::string_view id, Rect area, const MatrixLook& look);
/// "5 × 8" as it is shown: of a value with 8 rows and 5 columns where tokens are columns.
std::string shape_text(const Frame& frame, const attn::Matrix& value);
/// The colours from the scale's low end to its high end, with the numbers below.
void draw_legend(const Frame& frame, Rect bar, const ColorScale& scale, bool is_signed);
/// "+0.25", "−0.25", "0.00".
std::string signed_text(float value, int decimals = 2);
/// One colour range for a difference: as far below 0 as above.
ColorScale difference_scale(Hue hue, const attn::Matrix& difference);

}  // namespace app
