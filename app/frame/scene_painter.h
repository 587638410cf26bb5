#pragma once
// The brush of a scene: each kind of sprite has its stroke. Matrices are in scene_paint.cpp, what lies about them in
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

    Color masked_back;  ///< of a masked cell, under its hatch

    explicit ScenePainter(const Frame& frame, const Scene& s)
        : f(frame), scene(s), p(frame.painter()), masked_back(mix(f.theme[Hue::Back], f.theme[Hue::Masked], 0.2f)) {}

    /// The largest type in which a number fits into a cell of this width; none: null.
    struct Figures {
        bool any = false;
        Type type = Type::Number, strong = Type::NumberStrong;
    };
    Figures figures(float cell, float widest) const;
    Figures figures_in(Rect rect, const MatrixSprite& m) const;
    /// In the row that is spoken of with a decimal less where it must be.
    Figures figures_of_row(Rect rect, const MatrixSprite& m) const;

    float radius(float side) const { return std::min(f.theme.cell_radius, side * 0.22f); }

    void hatched(Rect rect, float alpha, Hue hue);

    /// A word on a hatched cell, on a plate of its own so that it can be read.
    void on_hatch(Rect rect, std::string_view words, const Figures& type, float alpha);

    /// A weight of exactly 0 because its score is masked is not the same as one that is nearly 0.
    bool masked_weight(attn::StepId id, int row, int col) const;

    /// Slopes are often small: they have as many digits as tell them apart, where there is room.
    std::string figure_of(float value, const ColorScale& scale, Type type, float room, bool spoken) const;
    /// `spoken`: of the row or the column that is spoken of. What rounds to 0 elsewhere is a faint dot.
    void cell(Rect rect, float value, const ColorScale& scale, float alpha, const Figures& type, bool strong, bool spoken);
    float widest_number(const MatrixSprite& m) const;

    /// The rows, or the columns, that have a place of their own.
    static std::vector<int> standing(const Fold& fold, int count);
    static std::vector<int> folded(const Fold& fold, int count);
    void placeholders(const MatrixSprite& m);
    void rectangles(const MatrixSprite& m);

    /// What is folded of one row or column: its cells as stripes, the colours of their own numbers; of many cells each
    /// stripe is the number of its share that is farthest from 0. Of weights their sum stands on it in the row that is
    /// told of.
    void rest(const MatrixSprite& m, Rect rect, const std::vector<int>& hidden, int other, bool of_rows, bool lit);
    void rests(const MatrixSprite& m);

    /// Rows `from` to `to` of the texture, columns `left` to `right`. The texture is that of the value as it is stored;
    /// transposed it is laid over its diagonal, pixel for pixel, so both ways of standing share it.
    void piece(const MatrixSprite& m, unsigned texture, float from, float to, float left, float right, float alpha);

    /// The next power of √2: a size that grows is one of a few.
    static int in_few_sizes(int size);
    void texture(const MatrixSprite& m);
    void ring(const MatrixSprite& m);
    void matrix(const MatrixSprite& m);

    /// Its place, until its numbers are made again.
    void not_yet(const MatrixSprite& m);

    /// Numbers typed over by hand carry a dot.
    void marks(const MatrixSprite& m, bool small);
    void flying(const CellSprite& c);
    void ribbon(const RibbonSprite& r);
    void band(const BandSprite& b);
    void card(const CardSprite& c);
    void path(const PathSprite& line);

    /// As wide as a number may be on a slanted face, whose cells are as wide as its shorter sides apart.
    Figures figures_on(const QuadSprite& q) const;
    bool masked_face(const QuadSprite& q) const;

    /// As it is seen: in its shade.
    Color face_color(const QuadSprite& q) const;
    void quad(const QuadSprite& q);

    /// Over the sheets that pass through: a number is read through none. Those that come and go do so with their cube.
    void number_on(const QuadSprite& q);
    void plane(const PlaneSprite& sheet);

    /// Of a head, its own colour; else that of the meaning.
    Ink ink_of(int head, Hue hue, float alpha, bool text = false) const;
    void label(const LabelSprite& l);
    void heading(const CaptionSprite& c);

    /// A name beside a matrix, in as many lines as its room makes of it.
    std::vector<std::string_view> name_lines(std::string_view name, float room) const;
    void caption(const CaptionSprite& c);
    void ramp(Rect rect, const ColorScale& scale);
    /// Whose row, the least number, the colours, the largest.
    void legend_on_a_line(const LegendSprite& l);
    void legend(const LegendSprite& l);
    void all();
};

}  // namespace app
