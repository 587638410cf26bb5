#pragma once
// A matrix that is not a step of the run on the stage: its cells, names and legend, and the cell under the pointer.

#include <cmath>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "app/frame/view.h"

namespace app {

/// Matrices outside the run have their own keys among the heatmaps; `step` distinguishes those of a kind.
enum class MatrixOf : std::uint8_t { OtherRun, Difference, EditChange };
constexpr attn::StepId matrix_key(MatrixOf which, attn::StepId step) {
    return -10 - 3 * step - static_cast<int>(which);
}

/// The name of a row or a column, by its index. Of thousands, only those that fit are requested.
using MatrixNames = std::function<std::string(int)>;
/// Names from a list, which must outlive the frame.
inline MatrixNames names_from(const std::vector<std::string>& list) {
    return [&list](int i) { return list[static_cast<std::size_t>(i)]; };
}

struct MatrixLook {
    const attn::Matrix* value = nullptr;
    attn::StepId key = attn::kNoStep;  ///< matrix_key(), or the step of the stage's own run
    ColorScale scale;
    MatrixNames rows, cols;
    Hue row_hue = Hue::Soft, col_hue = Hue::Soft;
    bool is_signed = false;  ///< numbers are written with their sign, also plus
    int lit_row = -1, lit_col = -1;
    std::span<const int> found_rows{}, found_cols{};  ///< search matches, marked in the margins; ascending
    const attn::Matrix* masked_in = nullptr;          ///< the scores: where they are −∞, a weight is masked, not just 0
    const std::vector<bool>*pale_rows = nullptr, *pale_cols = nullptr;  ///< nothing is claimed of them: no figures
    float revealed = 1;                               ///< the share of its rows, from the first on, that is shown
    bool more = false;                                ///< the scale's high end stands for all larger numbers, too
    bool opens = false;                               ///< a double click on a readable cell is left to the caller
    bool painted = false;                             ///< a drag paints, so panning needs Shift
    std::shared_ptr<const void> owner{};              ///< of the value, if it is not a step of a run
    float largest_cell = 0;                           ///< pixels; 0: the theme's
    int part = 0;                                     ///< distinguishes pictures of one matrix
    // Matrices drawn below each other have their columns in line if these are alike in all of them.
    int figure_length = 0;                            ///< characters that a figure may need, if more than its own
    std::function<float(int)> column_weight{};        ///< while presenting, the largest stay when columns fold; empty: the focused row's
    bool names_columns = true;                        ///< false: their room is there, but another matrix names them
};

/// A masked score: it makes its weight exactly 0, which is not the same as nearly 0.
inline bool is_masked_score(float score) { return std::isinf(score) && score < 0; }
/// MatrixLook::masked_in for a step: the scores that it was made from; null if it does not turn scores into weights.
const attn::Matrix* masked_behind(const attn::Trace& trace, const attn::Step& step);

/// The result of draw_matrix_map().
struct MatrixDrawn {
    std::optional<Spot> spot;  ///< under the pointer
    MapWindow window;
    bool numbers = false;  ///< they are written in the cells
};

/// Draws it centred and as large as the area allows, transposed where tokens are columns, and records its cells as
/// `id`_r_c. Rows and columns are those of the value. A matrix too large for its numbers is shown through the look that
/// all matrices share (MapLook): it can be zoomed and panned, its names are thinned out, and a lens shows the numbers
/// around the pointer. Returns the cell under the pointer.
std::optional<Spot> draw_matrix(const Frame& frame, std::string_view id, Rect area, const MatrixLook& look);
/// Which figures of the focused row are large enough to be read in this area.
enum class Reads : std::uint8_t { None, Folded, Whole };
Reads figures_in(const Frame& frame, Rect area, const MatrixLook& look);
/// Characters of its longest figure, with sign, where figures are large enough to be read.
int figure_length(const Frame& frame, const MatrixLook& look);
/// The height that the names above its columns take in this area, drawn or not.
float names_height(const Frame& frame, Rect area, const MatrixLook& look);
/// The same as draw_matrix(), with the window that was used.
MatrixDrawn draw_matrix_map(const Frame& frame, std::string_view id, Rect area, const MatrixLook& look);
/// States how cells are pooled: "each pixel: mean of about 4 × 4 cells"; a click changes it.
void draw_pooling(const Frame& frame, std::string_view id, Rect line, const MapWindow& window, Align align);
/// The search matches along an axis.
std::span<const int> found_on(const Frame& frame, attn::Axis axis);
/// The names of an axis in the current language.
MatrixNames names_of_axis(const Frame& frame, attn::Axis axis);
/// "5 × 8", as drawn: for a value with 8 rows and 5 columns where tokens are columns.
std::string shape_text(const Frame& frame, const attn::Matrix& value);
/// The text below a legend's bar: its ends, and 0 in the middle of a diverging one, as far as there is room.
struct LegendWords {
    std::vector<std::pair<std::string, std::string>> ends;  ///< low and high, the most detailed first
    std::string middle;                                     ///< empty: none
    std::vector<std::string> instead;                       ///< if both ends do not fit: one text in the middle
};
void draw_legend_words(const Frame& frame, Rect bar, const LegendWords& words);
/// The colours from the scale's low end to its high end, with the numbers below. `more`: numbers above the high end
/// have its colour.
void draw_legend(const Frame& frame, Rect bar, const ColorScale& scale, bool is_signed, bool more = false);
/// Lets the colours span nearly all shares: in a large matrix, most shares are far below the largest.
void span_bulk(const Frame& frame, MatrixLook& look);
/// The content of a cell: its figure, or a dot if it rounds to 0 and is not in focus. `alpha` is that of the cell and
/// the dot; the figure has its own in `ink`.
void draw_figure(const Frame& frame, Rect cell, std::string_view figure, Type type, Ink ink, bool spoken, float alpha = 1);
/// Decimals needed to distinguish the numbers of a scale: 2, and more if all are small.
int decimals_of(const ColorScale& scale);
/// "+0.25", "−0.25", "0.00".
std::string signed_text(float value, int decimals = 2);
/// A colour range for a difference, symmetric around 0; reaches the largest magnitude in it.
ColorScale difference_scale(Hue hue, const Difference& difference);

}  // namespace app
