#pragma once
// What the layouts of the operations share: labels, captions, fitting, the column of terms. Internal to the stage.

#include "app/anim/stage.h"
#include "app/content/number_text.h"

namespace app::stage {

/// How wide and high the surroundings of the cells are.
struct Margins {
    float left = 0, top = 0, right = 0, bottom = 0;
};

/// Everything that a layout needs at hand.
struct Builder {
    const StageInput& in;
    Scene& scene;

    const attn::Trace& trace() const { return in.trace; }
    const attn::Step& step(attn::StepId id) const { return in.trace[id]; }
    const StageStyle& style() const { return in.style; }
    /// Queries and keys are matrices of their own, not the vectors themselves.
    bool has_projections() const { return attn::find_id(in.trace, {attn::Role::Queries}) != attn::kNoStep; }
    double progress() const { return in.pose.progress; }
    ColorScale colors(attn::StepId id) const { return color_scale(in.trace, in.ranges, id, in.shared_scale); }
    float value(attn::Cell cell) const { return in.trace[cell.step].value(cell.row, cell.col); }
    std::string_view words(Str string) const { return tr(string, in.language); }
    std::string label(attn::Axis axis, int index) const;

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

    /// The cell of `id` that is looked at: the focus if it lies there, else its first.
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

}  // namespace app::stage
