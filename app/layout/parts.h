#pragma once
// What the layouts of the operations share: labels, captions, fitting, the column of terms. Internal to the stage.

#include "app/content/number_text.h"
#include "app/layout/giving_way.h"
#include "app/layout/stage.h"
#include "app/timeline/roles.h"

namespace app::stage {

/// How wide and high the surroundings of the cells are.
struct Margins {
    float left = 0, top = 0, right = 0, bottom = 0;
};

/// The rows of a step that stand on the stage: of pairs only those of one query, of all else every row.
struct Rows {
    int first = 0, count = 0;
};

/// The names of a step's rows or of its columns: what stands beside one side of its picture.
struct Names {
    const attn::Step& step;
    bool of_rows;
    int first = 0;  ///< that stands there

    int count() const;
    /// Of pairs the key's name: the query's stands above them all.
    std::string at(const AxisLabels& labels, int index) const;
    bool are_tokens() const { return step.cols.kind == attn::Axis::Kind::Tokens; }
    /// Rows and tokens are tied to their names by ribbons; of the rest small names are enough.
    bool tied() const { return of_rows || are_tokens(); }
    /// Where the one at an index stands.
    Rect place(const Grid& grid, int index) const { return of_rows ? grid.row(index) : grid.col(index); }
};

/// Of so many rows or columns those with the largest weights in all slots but the last, which stands for the rest; `must` (−1:
/// none) is among them. Nothing is folded where all have a slot.
Fold fold_to(int count, int slots, int must, const std::function<float(int)>& weight);

/// Everything that a layout needs at hand.
///
/// Where tokens are columns every matrix stands transposed. A layout then still says what it means of rows and columns
/// of values (`lit_row`, Grid::at, Grid::row); where something lies on the screen it says with the words of what is
/// seen: lines and uprights, left and top.
struct Builder {
    const StageInput& in;
    Scene& scene;
    const Folding* folding = nullptr;  ///< null: everything stands
    bool afar = false;                 ///< matrices are small pictures
    std::optional<attn::Cell> spot{};  ///< of a product's result: its row and its column are whole; none: those of the cell that is told

    const attn::Trace& trace() const { return in.trace; }
    const attn::Step& step(attn::StepId id) const { return in.trace[id]; }
    const StageStyle& style() const { return in.style; }
    /// Queries and keys are matrices of their own, not the vectors themselves.
    bool has_projections() const { return !looks_at_itself(in.trace); }
    double progress() const { return in.pose.progress; }
    /// Tokens are columns: every matrix stands transposed.
    bool columns() const { return in.convention == attn::Convention::Columns; }
    /// What folds stands among the largest: beside them the others may look alike.
    ColorScale colors(attn::StepId id) const { return color_scale(in.trace, in.ranges, id, in.shared_scale, afar, folding && folding->folds()); }
    /// The same, spanning one row of the value: the one that is spoken of.
    ColorScale colors_of_row(attn::StepId id, int row) const;
    float value(attn::Cell cell) const { return in.trace[cell.step].value(cell.row, cell.col); }
    std::string_view words(Str string) const { return tr(in_convention(string, in.convention), in.language); }
    std::string label(attn::Axis axis, int index) const;

    Rows rows_of(attn::StepId id) const;
    /// A grid of `cell` pixels for the rows that stand, its left top corner at `origin`.
    Grid grid(attn::StepId id, Point origin, float cell) const;
    /// The row and the column of a grid that the focus lights; −1: it lies elsewhere.
    int lit_row(attn::StepId id) const { return focused(id) ? in.focus->row - rows_of(id).first : -1; }
    int lit_col(attn::StepId id) const { return focused(id) ? in.focus->col : -1; }
    /// The name of a grid's row: of pairs the key's.
    std::string row_name(const attn::Step& step, int row) const { return Names{step, true, 0}.at(in.labels, row); }

    /// What stands of a step, as the eye counts it: how many pitches high and wide it is.
    float lines(attn::StepId id) const;
    float uprights(attn::StepId id) const;
    float narrow() const { return folding ? folding->narrow : 1; }
    /// Whether something around the figures still stands: while presenting there are no funnels and no legend.
    bool stands(Gives what) const { return style().given.stands(what); }
    Fold row_fold(attn::StepId id) const;
    Fold col_fold(attn::StepId id) const;
    /// A rectangle or a point over the diagonal where tokens are columns, else itself; twice is itself.
    Rect turned(Rect r) const { return columns() ? Rect{r.y, r.x, r.h, r.w} : r; }
    Point turned(Point p) const { return columns() ? Point{p.y, p.x} : p; }

    /// Space that the labels left of a step take, ribbons included.
    float left_space(attn::StepId id) const;
    /// Space above it: flat labels, or slanted ones where they are wider than a cell of `cell`.
    float top_space(attn::StepId id, float cell) const;

    /// Names of a value's rows from `first` on, tied to them by ribbons of `hue`: left of the grid, or above it where
    /// it is transposed.
    void row_labels(const Grid& grid, const attn::Step& step, Hue hue, int lit, float alpha = 1, int first = 0);
    /// Names of a value's columns: above the grid, or left of it.
    void col_labels(const Grid& grid, const attn::Step& step, Hue hue, int lit, float alpha = 1, int first = 0);
    /// The names left of a grid or above it, whichever they are; `lit` is a row and a column of the grid.
    void left_labels(const Grid& grid, const attn::Step& step, Hue hue, Spot lit, float alpha = 1);
    void top_labels(const Grid& grid, const attn::Step& step, Hue hue, Spot lit, float alpha = 1);
    MatrixSprite& matrix(attn::StepId id, const Grid& grid);
    void caption(attn::StepId id, const Grid& grid, float alpha = 1);
    /// Its name below it, and on the same line the colours of a row of `colored`.
    void caption_with_legend(attn::StepId id, const Grid& grid, attn::StepId colored, int row);
    /// That all of a row is masked, from `at` on.
    void say_masked_row(Point at);
    void caption_beside(attn::StepId id, const Grid& grid, float alpha = 1);
    /// No further right than `end`, nor over the edge of the stage: further left, or shorter, where it must be.
    void legend(attn::StepId id, Point top_left, float end = 1e9f);
    /// On one line: whose row, and from which number to which. `right`: where it ends, with what it says.
    void legend_of_row(attn::StepId id, int row, float left, float right, float base);
    void text(Point at, std::string text, Type type, Hue hue, Align align = Align::Left, float alpha = 1);

    /// A matrix with its labels, its caption and the ring of the focus. `lit` is a row and a column of the grid.
    MatrixSprite& stand(attn::StepId id, const Grid& grid, int lit_row = -1, int lit_col = -1);
    /// Before the names of pairs' keys: the query that they all belong to.
    void pair_heading(attn::StepId id, const Grid& grid);
    std::string pair_words(attn::StepId id) const;
    /// Below the matrices, right of the legend: a sum written out, where there is room for all of it.
    void line_below(Point left_bottom, std::string text, float alpha = 1);
    void path(std::vector<Point> points, Hue hue, float width, float alpha = 1, bool arrow = false);
    /// A number on its way from one place to another.
    void fly(attn::Cell cell, Rect from, Rect to, double moved, float alpha = 1);
    /// "+" or "=" between two matrices that stand side by side, or below each other.
    /// `names`: room that those of the second take between them.
    void sign_between(const Grid& first, const Grid& second, const char* sign, float names = 0);

    /// The cell of `id` that is looked at: the focus if it lies there, else its first that stands.
    attn::Cell focus_in(attn::StepId id) const;
    bool focused(attn::StepId id) const { return in.focus && in.focus->step == id; }

private:
    bool slants(const Names& names, const Fold& fold, float cell) const;
    /// Rows or columns of a product's result, and of the operand that they come from: thin but for one where the context
    /// has given way.
    Fold under_lens(Fold fold, int whole, bool upright) const;
    /// In a smaller type, then cut: names above cells are never turned before a room.
    void fit_above(LabelSprite& name, float room) const;
    /// "… 5 more" beside or above what is folded.
    void rest_name(const Grid& grid, bool of_rows, float alpha, bool slanted = false);
    void names_left(const Grid& grid, const Names& names, Hue hue, int lit, float alpha);
    void names_above(const Grid& grid, const Names& names, Hue hue, int lit, float alpha);
};

/// One cell slowly, its row faster, the rest at once: which part of the motion this is.
struct Pace {
    double cell = 0, row = 0, rest = 0;  ///< each 0…1
};
Pace pace(double progress);
/// What of a result of this shape is there, beginning with `first`.
Reveal reveal_of(const Pace& pace, attn::Cell first, int rows, int cols);
/// The same where columns may have folded: those that stand come one by one, the others with the last of them.
Reveal reveal_of(const Pace& pace, attn::Cell first, const Grid& grid);

/// The largest cell that fits `rows`×`cols` cells, as they are seen, into what the margins leave, at most `most` times
/// the style's.
float fit_cell(const Builder& b, float rows, float cols, Margins margins, float most = 1);

/// The cell that is explained now: the slow one; while its row fills, the newest of the row that stands in `fold`.
attn::Cell current_cell(const Pace& pace, attn::Cell first, int cols, const Fold& fold);
Rect between(Rect from, Rect to, float share);

/// Lines of a matrix that stands right of another are named again only where they are others; and uprights of one that
/// stands below another.
bool same_left(const Builder& b, attn::StepId a, attn::StepId z);
bool same_top(const Builder& b, attn::StepId a, attn::StepId z);

/// Matrices side by side in the middle of the area, their tops level. Where tokens are columns they may stand below
/// each other instead, their left edges level: tokens stand below tokens, as rows of tokens stand beside each other.
struct SideBySide {
    std::vector<attn::StepId> steps;
    std::vector<Grid> grids;
    bool stacked = false;

    /// Names that the arrangement wants of the i-th; they are left out where the neighbour has them.
    void names(Builder& b, std::size_t i, Hue hue, Spot lit) const;
    /// Its caption: below it, or beside it.
    void caption(Builder& b, std::size_t i) const;
    float bottom() const;
    float left() const { return grids.front().origin.x; }
};
/// `apart` pixels between them; `aside`, `above` and `below` for what else stands right of them, above and below,
/// `left` between the names and the cells.
struct Apart {
    float apart = 0, aside = 0, above = 0, below = 0, left = 0;
};
/// Room that the names of the i-th take left of it: none where the first one's are its own.
float names_between(const Builder& b, const std::vector<attn::StepId>& steps, std::size_t i);
SideBySide side_by_side(const Builder& b, const std::vector<attn::StepId>& steps, Apart apart);
SideBySide below_each_other(const Builder& b, const std::vector<attn::StepId>& steps, Apart apart);
/// Side by side, or below each other where tokens are columns and that leaves room for cells nearly as large.
SideBySide larger(SideBySide across, SideBySide stacked);
SideBySide arranged(const Builder& b, const std::vector<attn::StepId>& steps, Apart apart);

/// Of a cell's strength, in the rows that are not spoken of.
inline constexpr float kUnspoken = 0.45f;

/// A result that takes its input's place, and a column beside it.
struct InPlace {
    attn::StepId from, result;
    Grid grid;
    Rect aside;
    attn::Cell cell;  ///< of the result, that is explained
    int first_row = 0;
    float free_above = 0;  ///< how high the stage is free above its names: where the operand of the scores stood
    int row() const { return cell.row - first_row; }  ///< of the grid
};
/// What stands aside leaves the figures the room they want: down to `least` it is narrower, then it goes. `least` below 0:
/// it stays. `above`: pixels that stay free above the names.
InPlace place_in(Builder& b, float aside_width, float least = -1, float above = 0);
/// Pixels that a cell of a step must have inside for its longest number.
float figure_width(const StageInput& in, attn::StepId id);
/// ... that it must have in the row that is spoken of, where its figures may have a decimal less.
float row_figure_width(const StageInput& in, attn::StepId id);
/// Weights that a product mixes values by, not slopes of them.
bool mixes_by(const attn::Step& left);
/// How much of the room that figures want the cells of a step's grid have: from 1 on they can be read.
float legible(const StageInput& in, attn::StepId id, const Grid& grid);
/// From here on a scaled matrix shows what it is after scaling.
inline constexpr double kScaledFrom = 0.5;
/// Labels, caption and legend around it.
void surround(Builder& b, const InPlace& p);
/// The input, and over it the result as far as it is there.
MatrixSprite& reveal_in_place(Builder& b, const InPlace& p, const Pace& pace);

/// A row of a matrix as bars beside it, a line for each column: label, number, bar. As many columns as have room, those
/// with the largest `weight`.
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
/// An upright line at a value, its name above it.
void bar_mark(Builder& b, const BarChart& chart, float value, std::string name, Hue hue, float alpha = 1);

void lay_out_product(Builder& b);
void lay_out_cube(Builder& b);  ///< the same in space
void lay_out_scale(Builder& b);
void lay_out_mask(Builder& b);
void lay_out_softmax(Builder& b);
void lay_out_input(Builder& b);
void lay_out_transpose(Builder& b);
void lay_out_sum(Builder& b);
void lay_out_bias(Builder& b);
void lay_out_slice(Builder& b);
void lay_out_concat(Builder& b);
void lay_out_numbers(Builder& b);  ///< multiply, divide, exp shift: number by number
void lay_out_gather(Builder& b);   ///< sums, maxima, fold, spread, collect, penalty, rows cut out
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
