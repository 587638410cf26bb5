#pragma once
// A matrix that is no step of the run on the stage: its cells, names and legend, and what of it is pointed at.

#include <cmath>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "app/frame/view.h"

namespace app {

/// Matrices beside the run have keys of their own among the heatmaps; `step` tells one of a kind from another.
enum class MatrixOf : std::uint8_t { OtherRun, Difference, EditChange };
constexpr attn::StepId matrix_key(MatrixOf which, attn::StepId step) {
    return -10 - 3 * step - static_cast<int>(which);
}

/// The name of a row or a column, by its index: of thousands only those that have room are asked for.
using MatrixNames = std::function<std::string(int)>;
/// Names from a list that outlives the frame.
inline MatrixNames names_from(const std::vector<std::string>& list) {
    return [&list](int i) { return list[static_cast<std::size_t>(i)]; };
}

struct MatrixLook {
    const attn::Matrix* value = nullptr;
    attn::StepId key = attn::kNoStep;  ///< matrix_key(), or the step of the stage's own run
    ColorScale scale;
    MatrixNames rows, cols;
    Hue row_hue = Hue::Soft, col_hue = Hue::Soft;
    bool is_signed = false;  ///< numbers carry their sign, plus as well
    int lit_row = -1, lit_col = -1;
    std::span<const int> found_rows{}, found_cols{};  ///< marked in the margins, ascending
    const attn::Matrix* masked_in = nullptr;          ///< scores: where they are −∞ a weight is masked, not just 0
    const std::vector<bool>*pale_rows = nullptr, *pale_cols = nullptr;  ///< nothing is claimed of them: their cells have no figures
    float revealed = 1;                               ///< of its rows, from the first on: the rest is not there yet
    bool more = false;                                ///< the scale's high end stands for all that is above it, too
    bool opens = false;                               ///< a double click on a readable cell is for the caller
    bool painted = false;                             ///< a drag paints: the hand moves it with Shift
    std::shared_ptr<const void> owner{};              ///< of the value, where it is no step of a run
    float largest_cell = 0;                           ///< pixels; 0: the theme's
    int part = 0;                                     ///< tells pictures of one matrix apart
};

/// A score that leaves its weight exactly 0, which is not the same as nearly 0.
inline bool is_masked_score(float score) { return std::isinf(score) && score < 0; }
/// MatrixLook::masked_in of a step: the scores that it was made of; null where it makes no weights of scores.
const attn::Matrix* masked_behind(const attn::Trace& trace, const attn::Step& step);

/// What draw_matrix has drawn.
struct MatrixDrawn {
    std::optional<Spot> spot;  ///< under the pointer
    MapWindow window;
    bool numbers = false;  ///< they stand in the cells
};

/// Draws it as large as the area allows, in its middle, transposed where tokens are columns, and records its cells as
/// `id`_r_c. Rows and columns are those of the value. A matrix too large for its numbers is looked at through the
/// view's one look (MapLook): the hand comes closer and moves it, names are thinned, a lens shows numbers under the
/// pointer. Returns what is under the pointer.
std::optional<Spot> draw_matrix(const Frame& frame, std::string_view id, Rect area, const MatrixLook& look);
/// The same, and how it stands.
MatrixDrawn draw_matrix_map(const Frame& frame, std::string_view id, Rect area, const MatrixLook& look);
/// What the matrices on the screen show of their cells: "each pixel: mean of about 4 × 4 cells"; a press changes it.
void draw_pooling(const Frame& frame, std::string_view id, Rect line, const MapWindow& window, Align align);
/// The marks of what is looked for, for an axis.
std::span<const int> found_on(const Frame& frame, attn::Axis axis);
/// The names of an axis in the language shown.
MatrixNames names_of_axis(const Frame& frame, attn::Axis axis);
/// "5 × 8" as it is shown: of a value with 8 rows and 5 columns where tokens are columns.
std::string shape_text(const Frame& frame, const attn::Matrix& value);
/// The colours from the scale's low end to its high end, with the numbers below.
/// `more`: numbers above the high end have its colour.
/// What stands below a legend's bar: its ends, and 0 in the middle of a diverging one, as much as there is room for.
struct LegendWords {
    std::vector<std::pair<std::string, std::string>> ends;  ///< low and high, the fullest first
    std::string middle;                                     ///< empty: none
    std::vector<std::string> instead;                       ///< where both ends have no room: one text in the middle
};
void draw_legend_words(const Frame& frame, Rect bar, const LegendWords& words);
void draw_legend(const Frame& frame, Rect bar, const ColorScale& scale, bool is_signed, bool more = false);
/// Shares of a large matrix mostly lie far below the largest: their colours span what nearly all of them do.
void span_bulk(const Frame& frame, MatrixLook& look);
/// What stands in a cell: its figure, or a dot for one that says no more than 0 where nobody speaks of it.
/// `alpha` is the cell's, and so the dot's; the figure has its own in `ink`.
void draw_figure(const Frame& frame, Rect cell, std::string_view figure, Type type, Ink ink, bool spoken, float alpha = 1);
/// Decimals that tell numbers of a scale apart: 2, and more where all are small.
int decimals_of(const ColorScale& scale);
/// "+0.25", "−0.25", "0.00".
std::string signed_text(float value, int decimals = 2);
/// One colour range for a difference, as far below 0 as above; `largest` is the largest magnitude in it.
ColorScale difference_scale(Hue hue, const Difference& difference);

}  // namespace app
