#pragma once
// What is on the stage at one moment, as plain data: made from a trace and a pose, drawn by the screens, queried by the
// pointer. Values are not copied into it: a sprite names the cell whose value it shows.

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/draw/vocab.h"
#include "core/attention/forms/attention.h"
#include "core/trace/trace.h"

namespace app {

/// The range that a colour scale spans.
struct ColorScale {
    Hue hue = Hue::Score;
    float low = 0, high = 1;
    bool diverging = false;  ///< centred on 0, negative values towards slate
    bool beyond = false;     ///< some numbers lie outside the range; they get the colour of its end
    bool operator==(const ColorScale&) const = default;
};

/// Which cells of a matrix are already shown: one cell first, then its row, then the other rows, each in order and
/// wrapping around at the end. `cells` counts the shown cells of the first row, `rows` the shown rows.
struct Reveal {
    int first_row = 0, first_col = 0;
    bool upwards = false;  ///< rows above the first come next, not those below
    float cells = 1e9f;
    float rows = 1e9f;
    bool everything() const { return cells >= 1e9f && rows >= 1e9f; }
    bool shows(int row, int col, int row_count, int col_count) const {
        const int r = ((upwards ? first_row - row : row - first_row) + row_count) % row_count;
        if (r > 0) return static_cast<float>(r) < rows;
        return static_cast<float>((col - first_col + col_count) % col_count) < cells;
    }
};

/// Row and column, from 0.
struct Spot {
    int row = 0, col = 0;
    bool operator==(const Spot&) const = default;
};

/// The rows (or columns) that are shown, in order, if there are too many; all others share one slot after them. All
/// shown ones but one can also be thinned, as around a lens: those are drawn as colours without numbers.
struct Fold {
    static constexpr int kMost = 16;
    std::array<std::int32_t, kMost> indices{};
    int count = 0;   ///< of `indices`; 0: nothing is folded
    float rest = 1;  ///< size of the shared slot, in pitches
    float thin = 1;  ///< size of a thinned slot, in pitches
    int lens = -1;   ///< the index that keeps its full size; −1: all do

    bool on() const { return count > 0; }
    /// The slot of an index: its own, or the shared last one.
    int slot(int index) const {
        if (!on()) return index;
        const auto end = indices.begin() + count;
        const auto found = std::lower_bound(indices.begin(), end, index);
        return found != end && *found == index ? static_cast<int>(found - indices.begin()) : count;
    }
    bool shows(int index) const { return slot(index) < count || !on(); }
    /// How many of `all` have their own slot: index(0) to index(shown(all) - 1).
    int shown(int all) const { return on() ? count : all; }
    /// The first index in the shared slot.
    int first_hidden() const {
        int first = 0;
        while (on() && shows(first)) ++first;
        return first;
    }
    /// The index in a slot; for the shared slot, the last one that is shown.
    int index(int at) const { return on() ? indices[static_cast<std::size_t>(std::clamp(at, 0, count - 1))] : at; }
    bool thins() const { return lens >= 0 && thin < 1; }
    /// Size of all slots before this one, in pitches.
    float before(int at) const {
        if (!thins()) return static_cast<float>(at);
        return static_cast<float>(at) * thin + (slot(lens) < at ? 1 - thin : 0.0f);
    }
    /// The slot at an offset from the beginning, in pitches.
    int slot_at(float offset) const {
        if (!thins()) return static_cast<int>(std::floor(offset));
        const int whole = slot(lens);
        const float from = before(whole);
        if (offset < from) return static_cast<int>(std::floor(offset / thin));
        return offset < from + 1 ? whole : whole + 1 + static_cast<int>(std::floor((offset - from - 1) / thin));
    }
    /// Size of all slots together, in pitches.
    float pitches(int all) const { return on() ? before(count) + rest : before(all); }
    float size(int index_of) const {
        if (!shows(index_of)) return rest;
        return thins() && index_of != lens ? thin : 1.0f;
    }
    bool operator==(const Fold&) const = default;
};

/// A grid of equal cells for the rows and columns of a value. Transposed, the value's rows run vertically. "Lines" and
/// "uprights" are the rows and columns as they appear on the screen, "rows" and "cols" those of the value.
struct Grid {
    Point origin;
    float cell = 0;  ///< pitch, gap included
    int rows = 0, cols = 0;
    float gap = 0;
    float narrow = 1;  ///< width of a cell relative to its height
    bool transposed = false;

    Fold row_fold{}, col_fold{};  ///< of the value's rows and columns

    float pitch_x() const { return cell * narrow; }
    const Fold& line_fold() const { return transposed ? col_fold : row_fold; }
    const Fold& upright_fold() const { return transposed ? row_fold : col_fold; }
    /// Lines from top to bottom and uprights from left to right, folded ones included.
    int lines() const { return transposed ? cols : rows; }
    int uprights() const { return transposed ? rows : cols; }
    /// Whether a cell has its own place, not a shared slot.
    bool shows(int row, int col) const { return row_fold.shows(row) && col_fold.shows(col); }
    Rect area() const {
        return {origin.x, origin.y, pitch_x() * upright_fold().pitches(uprights()), cell * line_fold().pitches(lines())};
    }
    Rect at(int row, int col) const {
        const Rect down = line(transposed ? col : row), right = upright(transposed ? row : col);
        return {right.x + gap / 2, down.y + gap / 2, right.w - gap, down.h - gap};
    }
    Rect row(int r) const { return transposed ? upright(r) : line(r); }
    Rect col(int c) const { return transposed ? line(c) : upright(c); }
    Rect line(int i) const {
        return {origin.x, origin.y + cell * line_fold().before(line_fold().slot(i)), area().w, cell * line_fold().size(i)};
    }
    Rect upright(int i) const {
        return {origin.x + pitch_x() * upright_fold().before(upright_fold().slot(i)), origin.y,
                pitch_x() * upright_fold().size(i), area().h};
    }
    /// The cell at a point inside the area; for a point outside, the nearest one.
    Spot nearest(Point p) const {
        const auto index = [](float offset, float pitch, int count, const Fold& fold) {
            return std::clamp(fold.index(fold.slot_at(offset / pitch)), 0, count - 1);
        };
        const int down = index(p.y - origin.y, cell, lines(), line_fold()),
                  right = index(p.x - origin.x, pitch_x(), uprights(), upright_fold());
        return transposed ? Spot{right, down} : Spot{down, right};
    }
    /// Whether a point lies on the shared slot of the folded rows or columns.
    bool on_rest(Point p) const {
        const auto beyond = [](float offset, float pitch, const Fold& fold) {
            return fold.on() && offset > pitch * fold.before(fold.count);
        };
        return beyond(p.y - origin.y, cell, line_fold()) || beyond(p.x - origin.x, pitch_x(), upright_fold());
    }
    Grid moved(float dx, float dy) const {
        Grid g = *this;
        g.origin = g.origin + Point{dx, dy};
        return g;
    }
    bool operator==(const Grid&) const = default;
};

/// Things that belong to a head can be drawn in its colour instead of the colour of their meaning.
inline constexpr int kNoHeadColor = -1;

struct MatrixSprite {
    attn::StepId step = attn::kNoStep;
    Grid grid;
    int first_row = 0, first_col = 0;  ///< of the step's value, if the grid shows only a part of it
    ColorScale scale;
    float alpha = 1;
    Reveal reveal;
    bool placeholders = false;       ///< dashed boxes for cells that are not there yet
    int lit_row = -1, lit_col = -1;  ///< of the grid
    float dim = 1;                   ///< opacity of what is not lit
    bool numbers = true;
    float smallest = 11;  ///< design pixels: smaller cells are drawn as one texture instead of a rectangle each
    float shrink = 0;     ///< cells are smaller by this share, around their centre
    std::optional<attn::Cell> ring;
    bool pickable = true;
    bool unseen = false;  ///< only for picking: bars, discs or letters are drawn in place of its numbers
    bool thumbnail = false;  ///< its texture is made in a few sizes only, so that none is rebuilt while it grows
};

/// One number in motion.
struct CellSprite {
    attn::Cell cell;
    Rect rect;
    ColorScale scale;
    float alpha = 1;
    bool number = true;
    bool hatched = false;  ///< masked
};

struct LabelSprite {
    Point at;  ///< the baseline's left end, middle or right end, according to `align`
    std::string text;
    Type type = Type::Body;
    Hue hue = Hue::Ink;
    Align align = Align::Left;
    float alpha = 1;
    float fit = 0;         ///< truncated with … beyond this width; 0: never
    bool slanted = false;  ///< rising to the right, for columns narrower than their names
    int head = kNoHeadColor;
};

/// A ribbon from one edge to another; tapered ones tie a token to its row or column.
struct RibbonSprite {
    float from_at = 0, from_low = 0, from_high = 0;
    float to_at = 0, to_low = 0, to_high = 0;
    Hue hue = Hue::Query;
    float alpha = 1;
    bool down = false;    ///< the edges are horizontal
    bool behind = false;  ///< drawn behind the cards
    int head = kNoHeadColor;
};

struct BandSprite {
    Rect rect;
    Hue hue = Hue::Query;
    float alpha = 1;
    float radius = 0;
    bool outline = false;
    bool dashed = false;  ///< the outline is dashed
    int head = kNoHeadColor;
};

/// A sheet behind other things; without paper only its edge is drawn, as for the sheets of a stack.
struct CardSprite {
    Rect rect;
    Hue hue = Hue::Rule;
    bool paper = true;
    float alpha = 1;
    int head = kNoHeadColor;  ///< for its edge
};

/// A line through points: a curve, the hand of a dial, an arrow.
struct PathSprite {
    std::vector<Point> points;
    Hue hue = Hue::Query;
    float alpha = 1;
    float width = 1.5f;
    bool arrow = false;  ///< from its first point to its last, with an arrowhead
};

/// A convex quadrilateral in space in the colour of a number: a cell on a slanted face (it can be picked) or, without a
/// cell, a face of a small cube.
struct QuadSprite {
    std::array<Point, 4> corners{};
    attn::Cell cell{};  ///< kNoStep: none
    float value = 0;    ///< determines the colour
    ColorScale scale;
    float alpha = 1;
    float shade = 0;      ///< darker by this share, for the sides of a cube
    bool number = false;  ///< write the number in its middle
    bool lit = false;     ///< in bold
    bool ring = false;    ///< the focus ring around it
    Point center() const { return (corners[0] + corners[2]) * 0.5f; }
    bool contains(Point p) const;
    Rect bounds() const;
};

/// A translucent sheet through a solid, with a thin edge.
struct PlaneSprite {
    std::array<Point, 4> corners{};
    Hue hue = Hue::Query;
    float alpha = 1;
};

/// A name and a shape below or next to a matrix.
struct CaptionSprite {
    Point at;  ///< left end of the baseline, or its middle
    attn::StepId step = attn::kNoStep;
    int rows = 0, cols = 0;  ///< as drawn: swapped where the matrix is transposed
    bool centered = true;
    float alpha = 1;
    float room = 1e9f;           ///< available width; what does not fit is left out, first the shape, then the name
    std::optional<Hue> title{};  ///< the name alone, as a heading in this colour
    float deep = 1e9f;           ///< for a caption next to its matrix: how far below `at` its last line may be
    float smallest = 1;          ///< a symbol wider than the room is scaled down to this factor
};

struct LegendSprite {
    Rect rect;
    ColorScale scale;
    std::string of{};  ///< whose numbers the range covers; written on one line with the bar and its two ends
};

/// A place that selects a query: that query's row of weights is followed from then on.
struct AskSprite {
    Rect rect;
    int query = 0;
    bool stays = false;  ///< it does not move when the query changes, so one can drag across such places
};

/// A place that unfolds a step's result into its numbers, or folds it again.
struct OpenSprite {
    Rect rect;
    attn::StepId step = attn::kNoStep;
};

struct Scene {
    Rect area;
    attn::Convention convention = attn::Convention::Rows;  ///< orientation of its matrices and symbols
    std::vector<CardSprite> cards;
    std::vector<BandSprite> bands;
    std::vector<RibbonSprite> ribbons;
    std::deque<MatrixSprite> matrices;  ///< a deque, because layouts hold references to one while they add others
    std::vector<BandSprite> bars;       ///< above the matrices: bars, rules, outlines
    std::vector<PathSprite> paths;
    std::vector<PlaneSprite> planes;
    std::vector<QuadSprite> quads;  ///< above planes, later ones over earlier ones
    std::vector<CellSprite> cells;
    std::vector<LabelSprite> labels;
    std::vector<CaptionSprite> captions;
    std::vector<LegendSprite> legends;
    std::vector<AskSprite> asks;
    std::vector<OpenSprite> opens;

    void clear();
};

/// Zoom and pan of a picture: a point p is drawn at p·zoom + offset. Text keeps its size.
struct Camera {
    float zoom = 1;
    Point offset;
    Point operator()(Point p) const { return p * zoom + offset; }
    Rect operator()(Rect r) const { return {r.x * zoom + offset.x, r.y * zoom + offset.y, r.w * zoom, r.h * zoom}; }
    bool operator==(const Camera&) const = default;
};
/// Applies the camera to a scene.
void look_through(const Camera& camera, Scene& scene);

/// Blends `scene` in from `before` by `share` (0…1): matrices in both move from the old place to the new one, new
/// things fade in, old ones fade out. What has not moved stays.
void come_from(const Scene& before, float share, Scene& scene);

/// The cell under a point, in the topmost matrix there.
std::optional<attn::Cell> pick(const Scene& scene, Point point);

}  // namespace app
