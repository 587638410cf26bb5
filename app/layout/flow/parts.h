#pragma once
// Shared by the parts of the flow's layout. Internal to it.

#include <vector>

#include "app/layout/flow/flow.h"
#include "app/layout/parts.h"

namespace app::flow {

inline constexpr float kCrampedTitle = 46;  ///< design pixels

/// The progress from which a matrix's first cell is there: its inputs have arrived.
inline constexpr double kCellThereInFlow = 0.5;

/// The place of a node. An input with few rows is spread out: each row is its own strip, with its token next to it.
struct Box {
    stage::Rows rows;  ///< if it is folded, the slots
    int cols = 0;      ///< if its columns are tokens and folded, the slots
    const std::vector<FlowSlot>*folded = nullptr, *folded_cols = nullptr;
    bool square = false;  ///< tokens against tokens; placed on the card
    bool spread = false;
    bool given = false;  ///< square, and without inputs: its tokens' names are on the card, next to it and above it
    Grid grid;        ///< of the whole, or of the first strip
    float pitch = 0;  ///< from one row to the next

    /// The row that shows a token (an index into the value); −1: none.
    int row_with(int token) const { return slot_with(folded, rows.count, token - (folded ? 0 : rows.first)); }
    int col_with(int token) const { return slot_with(folded_cols, cols, token); }
    /// The tokens that a row or a column stands for.
    FlowSlot slot(int r) const {
        return folded ? (*folded)[static_cast<std::size_t>(r)] : FlowSlot{rows.first + r, rows.first + r};
    }
    FlowSlot col_slot(int c) const {
        return folded_cols ? (*folded_cols)[static_cast<std::size_t>(c)] : FlowSlot{c, c};
    }
    static int slot_with(const std::vector<FlowSlot>* slots, int count, int token) {
        if (!slots) return token >= 0 && token < count ? token : -1;
        for (std::size_t i = 0; i < slots->size(); ++i)
            if ((*slots)[i].has(token)) return static_cast<int>(i);
        return -1;
    }

    float width() const { return grid.area().w; }
    float height() const { return pitch * static_cast<float>(rows.count); }
    float left() const { return grid.origin.x; }
    float right() const { return grid.area().right(); }
    float top() const { return grid.origin.y; }
    float bottom() const { return top() + height(); }
    float middle() const { return top() + height() / 2; }
    Rect row(int r) const {
        const float y = top() + pitch * static_cast<float>(r), high = spread ? grid.cell : pitch;
        return {left(), y + (pitch - high) / 2, width(), high};
    }
};

/// The query and the key that the picture highlights; −1: none.
struct Lit {
    int query = -1, key = -1;
    int row_of(const attn::Step& step) const;
};

/// Where tokens are columns, the picture is mirrored along the diagonal: it is laid out in a mirrored area, then its
/// shapes are mirrored back; text is placed directly.
struct Layout {
    const FlowInput& in;
    stage::Builder b;
    Rect area{};
    std::vector<Box> boxes{};  ///< one per node
    Rect card{};               ///< around the square ones; empty if there are none
    Lit lit{};
    /// For a long text, scores and weights are one row each; they are drawn below each other with aligned columns.
    bool tower = false;
    int column_count = in.graph.columns;
    int first_square = 0, last_square = 0;    ///< columns of the graph
    std::vector<FlowSlot> keys{}, queries{};  ///< of a long text; empty: every token has its row
    float names = 0;  ///< width next to the first and the last column for tokens' names
    std::vector<Rect> written{};  ///< texts placed so far: one that would overlap them is left out

    const FlowGraph& graph() const { return in.graph; }
    const FlowNode& node(int i) const { return in.graph.nodes[static_cast<std::size_t>(i)]; }
    Box& box(int i) { return boxes[static_cast<std::size_t>(i)]; }
    const Box& box(int i) const { return boxes[static_cast<std::size_t>(i)]; }
    const attn::Step& step(int i) const { return b.step(node(i).step); }
    /// The column, from the left, of a node.
    int column(int i) const {
        const int c = node(i).column;
        return !tower || c <= first_square ? c : std::max(first_square, c - (last_square - first_square));
    }
    int count() const { return static_cast<int>(boxes.size()); }
    Hue hue(int i) const { return hue_of(step(i).tag); }
    /// The highlighted row of a box; −1: none.
    int lit_row(int i) const {
        const int token = lit.row_of(step(i));
        return token < 0 ? -1 : box(i).row_with(token);
    }
    /// "17 while", "… 40 more": in a folded text with positions, else the name alone.
    std::string name_of(int i, int row) const;
    /// The name of a square matrix's column: a token's, in a long text with its position, if it is one token.
    std::string name_of_key(int i, int col) const;
    /// Space above a square matrix without inputs: for the names of its keys, and for the heading if there are several
    /// heads.
    float over_given(int i) const;
    /// Space before a matrix for its name, in the direction in which they are stacked.
    float before() const { return (b.columns() ? 104.0f : 34.0f) * b.style().scale; }
    /// Space after a matrix on the card, for its symbol and its legend.
    float after() const { return (b.columns() ? 176.0f : tower ? 78.0f : 66.0f) * b.style().scale; }
    /// How far a matrix is computed, while it plays: 0 it waits, 1 it is there.
    double made(int i) const;
    bool is_shut(int i) const { return node(i).shut != FlowBlock::None; }
    std::string_view title(int i) const { return b.words(title_of(node(i).shut)); }
    bool cramped = false;  ///< there is no room for all names of closed boxes: they are truncated
    /// The minimum width of a closed box for its name.
    float title_room(int i) const {
        const float wide = b.in.measure(title(i), title_type());
        return cramped ? std::min(wide, kCrampedTitle * b.style().scale) : wide;
    }
    Type title_type() const { return area.w < 1100 * b.style().scale ? Type::Small : Type::BodyStrong; }
    bool waits(int i) const { return made(i) <= 0; }
    bool in_the_making(int i) const { return made(i) > 0 && made(i) < 1; }
    /// Opacity of a node. What is not there yet is pale, and appears once its values arrive. Heads that are fanned out
    /// have their own matrices on the card, so those of the front head fade out.
    float strength(int i) const {
        constexpr float kWaiting = 0.24f;
        const auto there = static_cast<float>(phase(made(i), 0, kCellThereInFlow));
        return (kWaiting + (1 - kWaiting) * there) * (box(i).square ? stacked() : 1.0f);
    }
    float stacked() const { return graph().weights.empty() ? 1.0f : 1 - static_cast<float>(phase(in.fan, 0, 0.5)); }
};

/// The path that values take from one edge to another: along a sequence of ribbons (given by the edges at which each
/// begins and ends, as wide as the rectangles are high), or along a line.
struct Track {
    struct Part {
        Rect from, to;  ///< it leaves at the right side of `from` and arrives at the left side of `to`
    };
    std::vector<Part> parts{};
    std::vector<Point> line{};
    float thick = 0;  ///< of the line

    struct Place {
        Point at;
        float high = 0;  ///< height of the ribbon here
    };
    Place at(double share) const;
};
/// Draws the numbers of a row of `from` moving to `to` while that is being computed. `row` is the box's; the
/// highlighted one goes first, all others together after it.
void travel(Layout& l, int from, int to, int row, bool lit, const Track& track);

Lit lit_of(const FlowInput& in);
/// At rest, highlights what the headline says: a query, and the key that it attends to most.
void light_what_is_said(const FlowInput& in, Lit& lit);

/// Decides what to show of a long text; the shape of each box must be known.
void fold(Layout& l);
/// Decides whether scores and weights are drawn below each other, and in which column.
void set_tower(Layout& l);
/// draw_places(): the positions of a folded row's tokens, below it. draw_down(): the connection to the row below it.
void draw_places(Layout& l, int i);
void draw_down(Layout& l, const FlowEdge& e, Hue hue, float alpha);
/// The bands of a folded row of scores or weights, which stand for several tokens, with their sums.
void draw_bands(Layout& l, int i);
void place_boxes(Layout& l);
/// The row that is followed, out of `rows`.
int followed_row(const FlowInput& in, int rows);
/// Lays out the path of one word and returns true, if the place has one and it fits. Where tokens are columns, and with
/// the heads side by side, all matrices are shown instead.
bool lay_out_word(Layout& l);
/// A right-angled path with rounded corners.
std::vector<Point> rounded(std::span<const Point> corners, float radius);
/// Names above columns are slanted: their height and their width, relative to their length.
inline constexpr float kSlantedRise = 0.82f, kSlantedRun = 0.58f;
/// Whether an edge is routed along the top, around what is in between.
bool goes_around(const Layout& l, const FlowEdge& e);
void draw_edges(Layout& l);
void draw_nodes(Layout& l);
/// The sheet under the square matrices, or several; those of all heads if they are fanned out.
void draw_card(Layout& l);
/// The named box around a node that represents a whole block.
void draw_block(Layout& l, int i);
/// A node including its named box, if it has one.
Rect block_rect(const Layout& l, int i);
/// Marks the columns of a whole matrix that belong to the shown head.
void frame_of_head(Layout& l, int i);

}  // namespace app::flow
