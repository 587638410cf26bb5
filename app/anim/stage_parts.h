#pragma once
// What the layouts of the operations share: labels, captions, fitting, the column of terms. Internal to the stage.

#include "app/anim/roles.h"
#include "app/anim/stage.h"
#include "app/content/number_text.h"

namespace app::stage {

/// How wide and high the surroundings of the cells are.
struct Margins {
    float left = 0, top = 0, right = 0, bottom = 0;
};

/// The rows of a step that stand on the stage: of pairs only those of one query, of all else every row.
struct Rows {
    int first = 0, count = 0;
};

/// Everything that a layout needs at hand.
struct Builder {
    const StageInput& in;
    Scene& scene;

    const attn::Trace& trace() const { return in.trace; }
    const attn::Step& step(attn::StepId id) const { return in.trace[id]; }
    const StageStyle& style() const { return in.style; }
    /// Queries and keys are matrices of their own, not the vectors themselves.
    bool has_projections() const { return !looks_at_itself(in.trace); }
    double progress() const { return in.pose.progress; }
    ColorScale colors(attn::StepId id) const { return color_scale(in.trace, in.ranges, id, in.shared_scale); }
    float value(attn::Cell cell) const { return in.trace[cell.step].value(cell.row, cell.col); }
    std::string_view words(Str string) const { return tr(string, in.language); }
    std::string label(attn::Axis axis, int index) const;

    Rows rows_of(attn::StepId id) const;
    /// A grid of `cell` pixels for the rows that stand, its left top corner at `origin`.
    Grid grid(attn::StepId id, Point origin, float cell) const;
    /// The row and the column of a grid that the focus lights; −1: it lies elsewhere.
    int lit_row(attn::StepId id) const { return focused(id) ? in.focus->row - rows_of(id).first : -1; }
    int lit_col(attn::StepId id) const { return focused(id) ? in.focus->col : -1; }
    /// The name of a grid's row: of pairs the key's.
    std::string row_name(const attn::Step& step, int row) const;

    /// Space that the row labels of a step take, ribbons included.
    float row_label_space(const attn::Step& step) const;
    /// Space above columns: flat labels, or slanted ones where they are wider than a cell of `cell`.
    float col_label_space(const attn::Step& step, float cell) const;
    bool slants(const attn::Step& step, float cell) const;

    /// Labels left of a grid, tied to its rows by ribbons of `hue`.
    void row_labels(const Grid& grid, const attn::Step& step, Hue hue, int lit, float alpha = 1);
    /// Labels above a grid, tied to its columns.
    void col_labels(const Grid& grid, const attn::Step& step, Hue hue, int lit, float alpha = 1);
    MatrixSprite& matrix(attn::StepId id, const Grid& grid);
    void caption(attn::StepId id, const Grid& grid, float alpha = 1);
    void caption_beside(attn::StepId id, const Grid& grid, float alpha = 1);
    void legend(attn::StepId id, Point top_left);
    void text(Point at, std::string text, Type type, Hue hue, Align align = Align::Left, float alpha = 1);

    /// A matrix with its labels, its caption and the ring of the focus. `lit` is a row and a column of the grid.
    MatrixSprite& stand(attn::StepId id, const Grid& grid, int lit_row = -1, int lit_col = -1);
    /// Above the row labels of pairs: the query that they all belong to.
    void pair_heading(attn::StepId id, const Grid& grid);
    /// Below the matrices, right of the legend: a sum written out.
    void line_below(Point left_bottom, std::string text, float alpha = 1);
    void path(std::vector<Point> points, Hue hue, float width, float alpha = 1, bool arrow = false);
    /// A number on its way from one place to another.
    void fly(attn::Cell cell, Rect from, Rect to, double moved, float alpha = 1);

    /// The cell of `id` that is looked at: the focus if it lies there, else its first that stands.
    attn::Cell focus_in(attn::StepId id) const;
    bool focused(attn::StepId id) const { return in.focus && in.focus->step == id; }
};

/// One cell slowly, its row faster, the rest at once: which part of the motion this is.
struct Pace {
    double cell = 0, row = 0, rest = 0;  ///< each 0…1
};
Pace pace(double progress);
/// What of a result of this shape is there, beginning with `first`.
Reveal reveal_of(const Pace& pace, attn::Cell first, int rows, int cols);

/// The largest cell that fits `cols`×`rows` cells into what the margins leave, at most `most` times the style's.
float fit_cell(const StageInput& in, float rows, float cols, Margins margins, float most = 1);

/// The cell that is explained now: the slow one; while its row fills, the newest of the row.
attn::Cell current_cell(const Pace& pace, attn::Cell first, int cols);
Rect between(Rect from, Rect to, float share);

/// Rows of a matrix that stands right of another are named again only where they are others.
bool same_rows(const Builder& b, attn::StepId a, attn::StepId z);

/// Matrices side by side in the middle of the area, their tops level; `aside` is the free column right of them.
struct SideBySide {
    std::vector<Grid> grids;
    Rect aside;
};
/// `apart` pixels between them, `aside` right of them, `above` and `below` for what else stands there.
struct Apart {
    float apart = 0, aside = 0, above = 0, below = 0;
};
SideBySide side_by_side(const Builder& b, const std::vector<attn::StepId>& steps, Apart apart);

/// A result that takes its input's place, and a column beside it.
struct InPlace {
    attn::StepId from, result;
    Grid grid;
    Rect aside;
    attn::Cell cell;  ///< of the result, that is explained
    int first_row = 0;
    int row() const { return cell.row - first_row; }  ///< of the grid
};
InPlace place_in(Builder& b, float aside_width);
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
