#pragma once
// Paints a scene: one function for each kind of sprite. Matrices are in scene_paint.cpp, what surrounds them in
// scene_paint_marks.cpp.

#include <string>
#include <string_view>
#include <vector>

#include "app/frame/matrix_view.h"
#include "app/frame/scene_paint.h"

namespace app {

struct ScenePainter {
    const Frame& f;
    const Scene& scene;
    Painter& p;

    Color masked_back;  ///< of a masked cell, under its hatching

    explicit ScenePainter(const Frame& frame, const Scene& s)
        : f(frame), scene(s), p(frame.painter()), masked_back(mix(f.theme[Hue::Back], f.theme[Hue::Masked], 0.2f)) {}

    /// The largest type in which a number fits into a cell of this width; `any` is false if none fits.
    struct Figures {
        bool any = false;
        Type type = Type::Number, strong = Type::NumberStrong;
    };
    Figures figures(float cell, float widest) const;
    Figures figures_in(Rect rect, const MatrixSprite& m) const;
    /// For the row in focus, if necessary with one decimal less.
    Figures figures_of_row(Rect rect, const MatrixSprite& m) const;

    float radius(float side) const { return std::min(f.theme.cell_radius, side * 0.22f); }

    void hatched(Rect rect, float alpha, Hue hue);

    /// A word on a hatched cell, with its own background so that it can be read.
    void on_hatch(Rect rect, std::string_view words, const Figures& type, float alpha);

    /// A weight of exactly 0 because its score is masked is not the same as one that is nearly 0.
    bool masked_weight(attn::StepId id, int row, int col) const;

    /// Gradients are often small: they get as many digits as distinguish them, if there is room.
    std::string figure_of(float value, const ColorScale& scale, Type type, float room, bool spoken) const;
    /// `spoken`: it is in the row or the column in focus. Elsewhere, a number that rounds to 0 is a faint dot.
    void cell(Rect rect, float value, const ColorScale& scale, float alpha, const Figures& type, bool strong, bool spoken);
    float widest_number(const MatrixSprite& m) const;
    float widest_in_row(const MatrixSprite& m) const;  ///< characters of the first row's longest number

    /// The rows, or the columns, that have their own place.
    static std::vector<int> standing(const Fold& fold, int count);
    void placeholders(const MatrixSprite& m);
    void rectangles(const MatrixSprite& m);

    /// The folded part of one row or column: its cells as stripes in the colours of their numbers. If there are too
    /// many, each stripe has the number farthest from 0 among its share of the cells. In the row in focus, the sum of
    /// folded weights is written on it.
    void rest(const MatrixSprite& m, Rect rect, int other, bool of_rows, bool lit);
    FoldedRest folded_rest(const FoldedRest::Key& key) const;
    void rests(const MatrixSprite& m);

    /// Rows `from` to `to` of the texture, columns `left` to `right`. The texture shows the value as stored; where it
    /// is transposed it is mirrored along the diagonal, pixel for pixel, so that both orientations share one texture.
    void piece(const MatrixSprite& m, unsigned texture, float from, float to, float left, float right, float alpha);

    /// The next power of √2, so that a growing picture needs only a few sizes.
    static int in_few_sizes(int size);
    void texture(const MatrixSprite& m);
    void ring(const MatrixSprite& m);
    void matrix(const MatrixSprite& m);

    /// A placeholder, until its numbers are recomputed.
    void not_yet(const MatrixSprite& m);

    /// Overwritten numbers are marked with a dot.
    void marks(const MatrixSprite& m, bool small);
    void flying(const CellSprite& c);
    void ribbon(const RibbonSprite& r);
    void band(const BandSprite& b);
    void card(const CardSprite& c);
    void path(const PathSprite& line);

    /// Type for the numbers on a slanted face: a cell is as wide as the distance between its shorter sides.
    Figures figures_on(const QuadSprite& q) const;
    bool masked_face(const QuadSprite& q) const;

    /// As drawn, with its shade.
    Color face_color(const QuadSprite& q) const;
    void quad(const QuadSprite& q);

    /// Drawn over all planes, so that no number is read through one. Numbers fade in and out with their cube.
    void number_on(const QuadSprite& q);
    void plane(const PlaneSprite& sheet);

    /// The colour of a head, if there is one; else that of the meaning.
    Ink ink_of(int head, Hue hue, float alpha, bool text = false) const;
    void label(const LabelSprite& l);
    void heading(const CaptionSprite& c);

    /// A name next to a matrix, broken into as many lines as its room requires.
    std::vector<std::string_view> name_lines(std::string_view name, float room) const;
    void caption(const CaptionSprite& c);
    void ramp(Rect rect, const ColorScale& scale);
    /// Whose row it is, the least number, the colours, the largest number.
    void legend_on_a_line(const LegendSprite& l);
    void legend(const LegendSprite& l);
    void all();
};

}  // namespace app
