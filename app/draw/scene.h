#pragma once
// What stands on the stage at one moment, as plain data: made from a trace and a pose, drawn by the screens, asked by
// the pointer. Values are never copied here: sprites name the cell whose value they show.

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
    bool beyond = false;     ///< some numbers lie beyond: they have the last colour
    bool operator==(const ColorScale&) const = default;
};

/// Which cells of a matrix are there already: one cell first, then its row, then the other rows, each in order and
/// round the end. `cells` counts those of the first row, `rows` all rows.
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

/// Of many rows or columns those that are shown, in their order; the others are one slot behind them. As under a lens all
/// but one of them can be thinner: those are colours alone.
struct Fold {
    static constexpr int kMost = 16;
    std::array<std::int32_t, kMost> kept{};
    int count = 0;   ///< of the kept ones; 0: nothing is folded
    float rest = 1;  ///< the slot's size, of a pitch
    float thin = 1;  ///< size of the others, of a pitch
    int lens = -1;   ///< the index that is whole; −1: all are

    bool on() const { return count > 0; }
    /// The slot of an index: its own, or the last one.
    int slot(int index) const {
        if (!on()) return index;
        const auto end = kept.begin() + count;
        const auto found = std::lower_bound(kept.begin(), end, index);
        return found != end && *found == index ? static_cast<int>(found - kept.begin()) : count;
    }
    bool shows(int index) const { return slot(index) < count || !on(); }
    /// The index in a slot; in the last one the nearest that is shown.
    int index(int at) const { return on() ? kept[static_cast<std::size_t>(std::clamp(at, 0, count - 1))] : at; }
    bool thins() const { return lens >= 0 && thin < 1; }
    /// Pitches before a slot.
    float before(int at) const {
        if (!thins()) return static_cast<float>(at);
        return static_cast<float>(at) * thin + (slot(lens) < at ? 1 - thin : 0.0f);
    }
    /// The slot at so many pitches from the beginning.
    int slot_at(float offset) const {
        if (!thins()) return static_cast<int>(std::floor(offset));
        const int whole = slot(lens);
        const float from = before(whole);
        if (offset < from) return static_cast<int>(std::floor(offset / thin));
        return offset < from + 1 ? whole : whole + 1 + static_cast<int>(std::floor((offset - from - 1) / thin));
    }
    /// How many pitches all of them take.
    float pitches(int all) const { return on() ? before(count) + rest : before(all); }
    float size(int index_of) const {
        if (!shows(index_of)) return rest;
        return thins() && index_of != lens ? thin : 1.0f;
    }
    bool operator==(const Fold&) const = default;
};

/// A grid of equal cells: of the rows and columns of a value, however they lie. Transposed, its rows stand upright.
struct Grid {
    Point origin;
    float cell = 0;  ///< pitch, gap included
    int rows = 0, cols = 0;
    float gap = 0;
    float narrow = 1;  ///< a cell is so many times as wide as high
    bool transposed = false;

    Fold row_fold{}, col_fold{};  ///< of the value's rows and columns

    float pitch_x() const { return cell * narrow; }
    const Fold& line_fold() const { return transposed ? col_fold : row_fold; }
    const Fold& upright_fold() const { return transposed ? row_fold : col_fold; }
    /// What the eye counts, folded ones as well: from top to bottom, from left to right.
    int lines() const { return transposed ? cols : rows; }
    int uprights() const { return transposed ? rows : cols; }
    /// Whether a cell has a place of its own.
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
    /// The cell at a point inside the area; of a point outside the nearest one.
    Spot nearest(Point p) const {
        const auto index = [](float offset, float pitch, int count, const Fold& fold) {
            return std::clamp(fold.index(fold.slot_at(offset / pitch)), 0, count - 1);
        };
        const int down = index(p.y - origin.y, cell, lines(), line_fold()),
                  right = index(p.x - origin.x, pitch_x(), uprights(), upright_fold());
        return transposed ? Spot{right, down} : Spot{down, right};
    }
    /// Whether a point lies on what is folded.
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

/// What belongs to a head can have its colour instead of a meaning's.
inline constexpr int kNoHeadColor = -1;

struct MatrixSprite {
    attn::StepId step = attn::kNoStep;
    Grid grid;
    int first_row = 0, first_col = 0;  ///< of the step's value: a part of it can stand alone
    ColorScale scale;
    float alpha = 1;
    Reveal reveal;
    bool placeholders = false;       ///< dashed boxes where nothing is yet
    int lit_row = -1, lit_col = -1;  ///< of the grid
    float dim = 1;                   ///< strength of what is not lit
    bool numbers = true;
    float smallest = 11;  ///< design pixels: smaller cells are one texture instead of a rectangle each
    float shrink = 0;     ///< cells smaller by this share, about their middle
    std::optional<attn::Cell> ring;
    bool pickable = true;
    bool unseen = false;  ///< only to be picked: its numbers stand there as bars, discs or letters
    bool thumbnail = false;  ///< as a texture it is made in a few sizes only: nothing is made anew while it grows
};

/// One number on its way.
struct CellSprite {
    attn::Cell cell;
    Rect rect;
    ColorScale scale;
    float alpha = 1;
    bool number = true;
    bool hatched = false;  ///< masked
};

struct LabelSprite {
    Point at;  ///< where the baseline begins, has its middle or ends
    std::string text;
    Type type = Type::Body;
    Hue hue = Hue::Ink;
    Align align = Align::Left;
    float alpha = 1;
    float fit = 0;         ///< cut with … beyond this width; 0: never
    bool slanted = false;  ///< rising to the right, where columns are narrower than words
    int head = kNoHeadColor;
};

/// From an edge to another; tapered ends tie a token to its row or column.
struct RibbonSprite {
    float from_at = 0, from_low = 0, from_high = 0;
    float to_at = 0, to_low = 0, to_high = 0;
    Hue hue = Hue::Query;
    float alpha = 1;
    bool down = false;    ///< edges are horizontal
    bool behind = false;  ///< the cards
    int head = kNoHeadColor;
};

struct BandSprite {
    Rect rect;
    Hue hue = Hue::Query;
    float alpha = 1;
    float radius = 0;
    bool outline = false;
    bool dashed = false;  ///< the outline
    int head = kNoHeadColor;
};

/// A sheet that lies under what stands on it; without paper only its edge is seen, as of a sheet behind another.
struct CardSprite {
    Rect rect;
    Hue hue = Hue::Rule;
    bool paper = true;
    float alpha = 1;
    int head = kNoHeadColor;  ///< of its edge
};

/// A line through points: a curve, the hand of a dial, an arrow.
struct PathSprite {
    std::vector<Point> points;
    Hue hue = Hue::Query;
    float alpha = 1;
    float width = 1.5f;
    bool arrow = false;  ///< from its first point to its last, with a head
};

/// A flat piece of a solid, in the colour of a number: a cell on a slanted face (it can be picked), or, without a cell,
/// a face of a small cube. Convex.
struct QuadSprite {
    std::array<Point, 4> corners{};
    attn::Cell cell{};  ///< kNoStep: none
    float value = 0;    ///< what it is coloured by
    ColorScale scale;
    float alpha = 1;
    float shade = 0;      ///< darker by this share, for the sides of a cube
    bool number = false;  ///< is written in its middle
    bool lit = false;     ///< the number is bold
    bool ring = false;    ///< around it: the focus
    Point center() const { return (corners[0] + corners[2]) * 0.5f; }
    bool contains(Point p) const;
    Rect bounds() const;
};

/// A sheet through a solid: filled, with a thin edge.
struct PlaneSprite {
    std::array<Point, 4> corners{};
    Hue hue = Hue::Query;
    float alpha = 1;
};

/// A name and a shape under or beside a matrix.
struct CaptionSprite {
    Point at;  ///< left end of the baseline, or its middle
    attn::StepId step = attn::kNoStep;
    int rows = 0, cols = 0;  ///< as they are seen
    bool centered = true;
    float alpha = 1;
    float room = 1e9f;           ///< what is wider than this is left out: first the shape, then the name
    std::optional<Hue> title{};  ///< the name alone, as a heading in this colour
    float deep = 1e9f;           ///< of one beside its matrix: how far below `at` its last line may stand
    float smallest = 1;          ///< where the symbol is wider than the room, it is drawn smaller down to this
};

struct LegendSprite {
    Rect rect;
    ColorScale scale;
    std::string of{};  ///< whose numbers span it: stands on one line with the bar and its ends
};

/// A place that asks with a word: its row of weights is followed from then on.
struct AskSprite {
    Rect rect;
    int query = 0;
    bool stays = false;  ///< where it is, whatever is asked: one can drag along
};

/// A place that unfolds what a step makes into its numbers, and folds it again.
struct OpenSprite {
    Rect rect;
    attn::StepId step = attn::kNoStep;
};

struct Scene {
    Rect area;
    attn::Convention convention = attn::Convention::Rows;  ///< that its matrices stand in, and its symbols with them
    std::vector<CardSprite> cards;
    std::vector<BandSprite> bands;
    std::vector<RibbonSprite> ribbons;
    std::deque<MatrixSprite> matrices;  ///< layouts hold on to one while they add others
    std::vector<BandSprite> bars;       ///< above the matrices: bars, rules, outlines
    std::vector<PathSprite> paths;
    std::vector<PlaneSprite> planes;
    std::vector<QuadSprite> quads;  ///< above planes, the later over the earlier
    std::vector<CellSprite> cells;
    std::vector<LabelSprite> labels;
    std::vector<CaptionSprite> captions;
    std::vector<LegendSprite> legends;
    std::vector<AskSprite> asks;
    std::vector<OpenSprite> opens;

    void clear();
};

/// How a picture is looked at: a point p of it stands at p·zoom + offset. Letters keep their size.
struct Camera {
    float zoom = 1;
    Point offset;
    Point operator()(Point p) const { return p * zoom + offset; }
    Rect operator()(Rect r) const { return {r.x * zoom + offset.x, r.y * zoom + offset.y, r.w * zoom, r.h * zoom}; }
    bool operator==(const Camera&) const = default;
};
/// The same scene seen so.
void look_through(const Camera& camera, Scene& scene);

/// `scene` a share of the way (0…1) from `before`: matrices that stand in both go from the one place to the other, what is new
/// comes, what is gone fades. What stands where it stood does not move.
void come_from(const Scene& before, float share, Scene& scene);

/// The cell under a point: of the matrix that lies on top.
std::optional<attn::Cell> pick(const Scene& scene, Point point);

}  // namespace app
