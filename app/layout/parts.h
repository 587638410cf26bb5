#pragma once
// What the layouts of the operations share: labels, captions, fitting, the column of terms. Internal to the stage.

#include "app/content/number_text.h"
#include "app/layout/omission.h"
#include "app/layout/stage.h"
#include "app/timeline/roles.h"

namespace app::stage {

/// The room that labels and captions need around the cells.
struct Margins {
    float left = 0, top = 0, right = 0, bottom = 0;
};

/// The rows of a step that are on the stage: for pairs, those of one query; otherwise all.
struct Rows {
    int first = 0, count = 0;
};

/// The names of a step's rows or of its columns: the labels along one side of its picture.
struct Names {
    const attn::Step& step;
    bool of_rows;
    int first = 0;  ///< the first one shown

    int count() const;
    /// For pairs, the key's name: the query's name is written once, above them all.
    std::string at(const AxisLabels& labels, int index) const;
    bool are_tokens() const { return step.cols.kind == attn::Axis::Kind::Tokens; }
    /// Names of rows and of tokens are tied to them by ribbons; other names are just small labels.
    bool tied() const { return of_rows || are_tokens(); }
    /// The place of the row or column with this index.
    Rect place(const Grid& grid, int index) const { return of_rows ? grid.row(index) : grid.col(index); }
};

/// Folds `count` rows or columns into `slots` slots: the ones with the largest weights get their own, all others share
/// the last. `must` (−1: none) is always among the former. Nothing is folded if all have a slot.
Fold fold_to(int count, int slots, int must, const std::function<float(int)>& weight);
/// The same in two steps: the first indices by weight, the largest first, and the fold for a number of slots. A layout
/// tries many of these, and of a vocabulary each ranking takes a while.
std::vector<int> largest_of(int count, int must, const std::function<float(int)>& weight);
Fold fold_of(const std::vector<int>& largest, int count, int slots);

/// Everything that a layout needs at hand.
///
/// Where tokens are columns, every matrix is drawn transposed. A layout still uses rows and columns for those of the
/// value (`lit_row`, Grid::at, Grid::row); for positions on the screen it uses lines and uprights, left and top.
struct Builder {
    const StageInput& in;
    Scene& scene;
    const Folding* folding = nullptr;  ///< null: nothing is folded
    bool afar = false;                 ///< matrices are small pictures
    std::optional<attn::Cell> spot{};  ///< whose row and column keep their full size; none: the explained cell's

    const attn::Trace& trace() const { return in.trace; }
    const attn::Step& step(attn::StepId id) const { return in.trace[id]; }
    const StageStyle& style() const { return in.style; }
    /// Queries and keys are separate matrices, not the vectors themselves.
    bool has_projections() const { return !looks_at_itself(in.trace); }
    double progress() const { return in.pose.progress; }
    /// Tokens are columns, so every matrix is drawn transposed.
    bool columns() const { return in.convention == attn::Convention::Columns; }
    /// Where rows are folded, those shown are the largest ones, so the scale spans all numbers, though the others may
    /// then look alike.
    ColorScale colors(attn::StepId id) const { return color_scale(in.trace, in.ranges, id, in.shared_scale, afar, folding && folding->folds()); }
    /// The same, spanning only one row of the value: the one in focus.
    ColorScale colors_of_row(attn::StepId id, int row) const;
    float value(attn::Cell cell) const { return in.trace[cell.step].value(cell.row, cell.col); }
    std::string_view words(Str string) const { return tr(in_convention(string, in.convention), in.language); }
    std::string label(attn::Axis axis, int index) const;

    Rows rows_of(attn::StepId id) const;
    /// A grid of cells of size `cell` for the shown rows, its top left corner at `origin`.
    Grid grid(attn::StepId id, Point origin, float cell) const;
    /// The row and the column of the grid that hold the focus; −1: it lies elsewhere.
    int lit_row(attn::StepId id) const { return focused(id) ? in.focus->row - rows_of(id).first : -1; }
    int lit_col(attn::StepId id) const { return focused(id) ? in.focus->col : -1; }
    /// The name of a grid's row; for pairs, the key's.
    std::string row_name(const attn::Step& step, int row) const { return Names{step, true, 0}.at(in.labels, row); }

    /// Height and width of the shown part of a step, as drawn, in pitches.
    float lines(attn::StepId id) const;
    float uprights(attn::StepId id) const;
    float narrow() const { return folding ? folding->narrow : 1; }
    /// Whether this part of the surroundings is shown: while presenting there are no funnels and no legend.
    bool shows(Omittable what) const { return style().omitted.shows(what); }
    Fold row_fold(attn::StepId id) const;
    Fold col_fold(attn::StepId id) const;
    /// Mirrored along the diagonal where tokens are columns, else unchanged. It is its own inverse.
    Rect turned(Rect r) const { return columns() ? Rect{r.y, r.x, r.h, r.w} : r; }
    Point turned(Point p) const { return columns() ? Point{p.y, p.x} : p; }

    /// Width of the labels left of a step, ribbons included.
    float left_space(attn::StepId id) const;
    /// Height of those above it: horizontal labels, or slanted ones if they are wider than a cell of size `cell`.
    float top_space(attn::StepId id, float cell) const;

    /// Names of a value's rows from `first` on, tied to them by ribbons of `hue`: left of the grid, or above it if it
    /// is transposed.
    void row_labels(const Grid& grid, const attn::Step& step, Hue hue, int lit, float alpha = 1, int first = 0);
    /// Names of a value's columns: above the grid, or left of it.
    void col_labels(const Grid& grid, const attn::Step& step, Hue hue, int lit, float alpha = 1, int first = 0);
    /// The names that belong left of a grid, or above it. `lit` is a row and a column of the grid.
    void left_labels(const Grid& grid, const attn::Step& step, Hue hue, Spot lit, float alpha = 1);
    void top_labels(const Grid& grid, const attn::Step& step, Hue hue, Spot lit, float alpha = 1);
    MatrixSprite& matrix(attn::StepId id, const Grid& grid);
    void caption(attn::StepId id, const Grid& grid, float alpha = 1);
    /// The caption below the matrix, and on the same line a legend for the colours of a row of `colored`.
    void caption_with_legend(attn::StepId id, const Grid& grid, attn::StepId colored, int row);
    /// Says that all of a row is masked, from `at` on.
    void say_masked_row(Point at);
    void caption_beside(attn::StepId id, const Grid& grid, float alpha = 1);
    /// Moved left or shortened so that it ends before `end` and inside the stage.
    void legend(attn::StepId id, Point top_left, float end = 1e9f);
    /// A legend on one line: whose row it is, and the range. It ends at `right`, its text included.
    void legend_of_row(attn::StepId id, int row, float left, float right, float base);
    void text(Point at, std::string text, Type type, Hue hue, Align align = Align::Left, float alpha = 1);

    /// A matrix with its labels, its caption and the focus ring. `lit_row` and `lit_col` are those of the grid.
    MatrixSprite& labelled_matrix(attn::StepId id, const Grid& grid, int lit_row = -1, int lit_col = -1);
    /// The heading before the key names of pairs: the query that they all belong to.
    void pair_heading(attn::StepId id, const Grid& grid);
    std::string pair_words(attn::StepId id) const;
    /// A written-out sum below the matrices, right of the legend; only if there is room for all of it.
    void line_below(Point left_bottom, std::string text, float alpha = 1);
    void path(std::vector<Point> points, Hue hue, float width, float alpha = 1, bool arrow = false);
    /// A number moving from one place to another.
    void fly(attn::Cell cell, Rect from, Rect to, double moved, float alpha = 1);
    /// "+" or "=" between two matrices that are side by side or one below the other. `names`: the room that the second
    /// one's labels take between them.
    void sign_between(const Grid& first, const Grid& second, const char* sign, float names = 0);

    /// The cell of `id` in focus, else its first one shown.
    attn::Cell focus_in(attn::StepId id) const;
    bool focused(attn::StepId id) const { return in.focus && in.focus->step == id; }

private:
    bool slants(const Names& names, const Fold& fold, float cell) const;
    /// Thins rows or columns of a product's result, and of the operand that they come from, except one, once the
    /// context is omitted.
    Fold under_lens(Fold fold, int whole, bool upright) const;
    float room_above(const Grid& grid, const Names& names, int at, int lit) const;
    /// Sets the name in a smaller type, then truncates it: while presenting, names above cells are never slanted.
    void fit_above(LabelSprite& name, float room) const;
    /// "… 5 more" next to or above the folded rows or columns.
    void rest_name(const Grid& grid, bool of_rows, float alpha, bool slanted = false);
    void names_left(const Grid& grid, const Names& names, Hue hue, int lit, float alpha);
    void names_above(const Grid& grid, const Names& names, Hue hue, int lit, float alpha);
};

/// The phases of a motion: one cell slowly, its row faster, all others at once.
struct Pace {
    double cell = 0, row = 0, rest = 0;  ///< each from 0 to 1
};
Pace pace(double progress);
/// The part of a result of this shape that is shown, starting with `first`.
Reveal reveal_of(const Pace& pace, attn::Cell first, int rows, int cols);
/// The same for a grid with folded columns: the shown ones come one by one, the folded ones with the last of them.
Reveal reveal_of(const Pace& pace, attn::Cell first, const Grid& grid);

/// The largest cell size at which `rows`×`cols` cells, as drawn, fit inside the margins; at most `most` times the
/// style's.
float fit_cell(const Builder& b, float rows, float cols, Margins margins, float most = 1);

/// The explained cell: the slow one or, while its row fills, the newest of those shown in `fold`.
attn::Cell current_cell(const Pace& pace, attn::Cell first, int cols, const Fold& fold);
Rect between(Rect from, Rect to, float share);

/// Whether a matrix right of another has the same lines, so that they are not named again; and whether one below
/// another has the same uprights.
bool same_left(const Builder& b, attn::StepId a, attn::StepId z);
bool same_top(const Builder& b, attn::StepId a, attn::StepId z);

/// Matrices side by side in the middle of the area, with their tops aligned. Where tokens are columns they may also be
/// stacked with their left edges aligned, because then the lines are features and the uprights tokens.
struct SideBySide {
    std::vector<attn::StepId> steps;
    std::vector<Grid> grids;
    bool stacked = false;

    /// The labels of the i-th matrix, except those that its neighbour already has.
    void names(Builder& b, std::size_t i, Hue hue, Spot lit) const;
    /// Its caption: below it, or next to it.
    void caption(Builder& b, std::size_t i) const;
    float bottom() const;
    float left() const { return grids.front().origin.x; }
};
/// `apart`: pixels between the matrices; `aside`, `above`, `below`: for other things right of them, above and below;
/// `left`: between the names and the cells.
struct Apart {
    float apart = 0, aside = 0, above = 0, below = 0, left = 0;
};
/// Width that the names of the i-th matrix take left of it; 0 if they are the same as the first one's.
float names_between(const Builder& b, const std::vector<attn::StepId>& steps, std::size_t i);
SideBySide side_by_side(const Builder& b, const std::vector<attn::StepId>& steps, Apart apart);
SideBySide below_each_other(const Builder& b, const std::vector<attn::StepId>& steps, Apart apart);
/// `across`, or `stacked` where tokens are columns and its cells are nearly as large.
SideBySide larger(SideBySide across, SideBySide stacked);
SideBySide arranged(const Builder& b, const std::vector<attn::StepId>& steps, Apart apart);

/// Opacity of the cells in rows that are not in focus.
inline constexpr float kUnspoken = 0.45f;

/// A result that takes its input's place, and a column next to it.
struct InPlace {
    attn::StepId from, result;
    Grid grid;
    Rect aside;
    attn::Cell cell;  ///< the explained cell of the result
    int first_row = 0;
    float free_above = 0;  ///< free height above its names, where the operand of the scores used to be
    int row() const { return cell.row - first_row; }  ///< of the grid
};
/// The column `aside` makes room for the figures: it shrinks to `least`, then it goes. `least` below 0: it stays.
/// `above`: pixels to leave free above the names.
InPlace place_in(Builder& b, float aside_width, float least = -1, float above = 0);
/// The inner width in pixels that a cell of this step needs for its longest number.
float figure_width(const StageInput& in, attn::StepId id);
/// ... in the row in focus, where figures may have one decimal less.
float row_figure_width(const StageInput& in, attn::StepId id);
/// Whether these are weights by which a product mixes values, and not gradients of weights.
bool mixes_by(const attn::Step& left);
/// Cell size relative to what the figures of this step need: they are readable from 1 on.
float legible(const StageInput& in, attn::StepId id, const Grid& grid);
/// From this progress on, a scaled matrix shows its values after scaling.
inline constexpr double kScaledFrom = 0.5;
/// Adds labels, caption and legend around it.
void surround(Builder& b, const InPlace& p);
/// Draws the input, and over it the part of the result that is already there.
MatrixSprite& reveal_in_place(Builder& b, const InPlace& p, const Pace& pace);

/// A row of a matrix as bars next to it, one line per column: label, number, bar. It holds as many columns as fit,
/// those with the largest `weight`.
struct BarChart {
    Rect rect;
    float line = 0, label_w = 0, number_w = 0;
    float low = 0, high = 1;
    std::vector<int> columns;

    float x(float value) const;
    Rect lane(std::size_t i) const;
    Rect bar(std::size_t i, float from, float to) const;
};
BarChart bar_chart(const Builder& b, Rect rect, const std::vector<float>& weight, float low, float high);
void bar_label(Builder& b, const BarChart& chart, std::size_t i, const attn::Step& step, bool lit, std::string number,
               Hue hue, float alpha = 1);
/// A vertical line at a value, with its name above it.
void bar_mark(Builder& b, const BarChart& chart, float value, std::string name, Hue hue, float alpha = 1);

void lay_out_product(Builder& b);
void lay_out_cube(Builder& b);  ///< the same as a cube
void lay_out_scale(Builder& b);
void lay_out_mask(Builder& b);
void lay_out_softmax(Builder& b);
void lay_out_input(Builder& b);
void lay_out_transpose(Builder& b);
void lay_out_sum(Builder& b);
void lay_out_bias(Builder& b);
void lay_out_slice(Builder& b);
void lay_out_concat(Builder& b);
void lay_out_numbers(Builder& b);  ///< element-wise operations: multiply, divide, exp shift
void lay_out_gather(Builder& b);   ///< sums, maxima, fold, spread, collect, penalty, extracted rows
void lay_out_stack(Builder& b);
void lay_out_pairs(Builder& b);  ///< pair sum, pair concat
void lay_out_activate(Builder& b);
void lay_out_norm(Builder& b);  ///< unit, layer norm, RMS norm
void lay_out_rotate(Builder& b);
void lay_out_window(Builder& b);     ///< window, Gaussian
void lay_out_threshold(Builder& b);  ///< top-k, top-p, sparsemax
void lay_out_draw(Builder& b);
void lay_out_recur(Builder& b);

}  // namespace app::stage
