#pragma once
// What the parts of the flow's layout share. Internal to it.

#include <vector>

#include "app/screens/flow/flow.h"
#include "app/layout/parts.h"

namespace app::flow {

inline constexpr float kCrampedTitle = 46;  ///< design pixels

/// The first cell of a matrix is there from here on: what it is made of has arrived.
inline constexpr double kCellThereInFlow = 0.5;

/// Where a node stands. Entries with few rows are spread: each row a strip of its own, with its token beside it.
struct Box {
    stage::Rows rows;  ///< folded: its slots are its rows
    int cols = 0;      ///< folded: its slots, where they are tokens
    const std::vector<FlowSlot>*folded = nullptr, *folded_cols = nullptr;
    bool square = false;  ///< tokens against tokens: on the card
    bool spread = false;
    bool given = false;  ///< square, and nothing leads to it: its tokens' names stand beside and above it, on the card
    Grid grid;        ///< of the whole, or of the first strip
    float pitch = 0;  ///< from a row to the next

    /// The row that shows a token (its index in the value); −1: none does.
    int row_with(int token) const { return slot_with(folded, rows.count, token - (folded ? 0 : rows.first)); }
    int col_with(int token) const { return slot_with(folded_cols, cols, token); }
    /// What a row or a column stands for.
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

/// Which query and which key the picture lights; −1: none.
struct Lit {
    int query = -1, key = -1;
    int row_of(const attn::Step& step) const;
};

/// With tokens as columns the picture is the same one turned over its diagonal: it is laid out in the turned area, then
/// its shapes are turned; what is written is placed at once where it is read.
struct Layout {
    const FlowInput& in;
    stage::Builder b;
    Rect area{};
    std::vector<Box> boxes{};  ///< one a node
    Rect card{};               ///< around the square ones; empty: there are none
    Lit lit{};
    /// Of a long text scores and weights are one row each: they stand below each other, column on column.
    bool tower = false;
    int column_count = in.graph.columns;
    int first_square = 0, last_square = 0;    ///< columns of the graph
    std::vector<FlowSlot> keys{}, queries{};  ///< of a long text; empty: every token has its row
    float names = 0;  ///< beside the first column and the last, for tokens' names
    std::vector<Rect> written{};  ///< what stands where words would be over each other, the first of them stay

    const FlowGraph& graph() const { return in.graph; }
    const FlowNode& node(int i) const { return in.graph.nodes[static_cast<std::size_t>(i)]; }
    Box& box(int i) { return boxes[static_cast<std::size_t>(i)]; }
    const Box& box(int i) const { return boxes[static_cast<std::size_t>(i)]; }
    const attn::Step& step(int i) const { return b.step(node(i).step); }
    /// From the left, the column in which a node stands.
    int column(int i) const {
        const int c = node(i).column;
        return !tower || c <= first_square ? c : std::max(first_square, c - (last_square - first_square));
    }
    int count() const { return static_cast<int>(boxes.size()); }
    Hue hue(int i) const { return hue_of(step(i).tag); }
    /// The row of a box that the picture lights; −1: none.
    int lit_row(int i) const {
        const int token = lit.row_of(step(i));
        return token < 0 ? -1 : box(i).row_with(token);
    }
    /// "17 while", "… 40 more": of a folded text with their places, or the name alone.
    std::string name_of(int i, int row) const;
    /// Of a column of a square one: a token's, or of a long text, where it is one token, its place and name.
    std::string name_of_key(int i, int col) const;
    /// Before a given matrix: for the names of its keys, and where there are several heads for the heading.
    float over_given(int i) const;
    /// Before a matrix, in the direction in which they are stacked: for its name.
    float before() const { return (b.columns() ? 104.0f : 34.0f) * b.style().scale; }
    /// After one on the card: for its symbol and its legend.
    float after() const { return (b.columns() ? 176.0f : tower ? 78.0f : 66.0f) * b.style().scale; }
    /// How far a matrix is made, while it plays: 0 it waits, 1 it is there.
    double made(int i) const;
    bool is_shut(int i) const { return node(i).shut != FlowBlock::None; }
    std::string_view title(int i) const { return b.words(title_of(node(i).shut)); }
    /// Of a named box: small where there is hardly any room.
    bool cramped = false;  ///< there is no room for all names of shut boxes: they end in dots
    /// How wide a shut box is for its name at least.
    float title_room(int i) const {
        const float wide = b.in.measure(title(i), title_type());
        return cramped ? std::min(wide, kCrampedTitle * b.style().scale) : wide;
    }
    Type title_type() const { return area.w < 1100 * b.style().scale ? Type::Small : Type::BodyStrong; }
    bool waits(int i) const { return made(i) <= 0; }
    bool in_the_making(int i) const { return made(i) > 0 && made(i) < 1; }
    /// Heads side by side have the card's matrices of their own: those of the one in front go. What is not there yet is
    /// pale, and comes as soon as its values arrive.
    float strength(int i) const {
        constexpr float kWaiting = 0.24f;
        const auto there = static_cast<float>(phase(made(i), 0, kCellThereInFlow));
        return (kWaiting + (1 - kWaiting) * there) * (box(i).square ? stacked() : 1.0f);
    }
    float stacked() const { return graph().weights.empty() ? 1.0f : 1 - static_cast<float>(phase(in.fan, 0, 0.5)); }
};

/// The way from an edge to another that values take: along ribbons one after the other (of each the edges that it
/// leaves and reaches, as wide as their rectangles are high), or along a line.
struct Track {
    struct Part {
        Rect from, to;  ///< it leaves at the right of the one and arrives at the left of the other
    };
    std::vector<Part> parts{};
    std::vector<Point> line{};
    float thick = 0;  ///< of a line

    struct Place {
        Point at;
        float high = 0;  ///< the ribbon is, here
    };
    Place at(double share) const;
};
/// The numbers of a row of `from` on their way to `to`, while that is in the making. `row` of the box; the lit one goes
/// first, the others at once after it.
void travel(Layout& l, int from, int to, int row, bool lit, const Track& track);

Lit lit_of(const FlowInput& in);
/// At rest the picture lights what the headline says: a query with the key that it looks at most.
void light_what_is_said(const FlowInput& in, Lit& lit);

/// What a long text shows of itself; each box's shape must be known.
void fold(Layout& l);
/// Whether scores and weights are to stand below each other, and in which column.
void set_tower(Layout& l);
/// Below a folded row the places of its tokens; what runs on to the row below it.
void draw_places(Layout& l, int i);
void draw_down(Layout& l, const FlowEdge& e, Hue hue, float alpha);
/// The columns of a folded row of scores or weights that stand for several tokens, with their sum.
void draw_bands(Layout& l, int i);
void place_boxes(Layout& l);
/// The row that is followed, of so many.
int asked_query(const FlowInput& in, int rows);
/// The way of one word, where the place has one and it fits: true, and it is laid out. With tokens as columns, and with
/// the heads side by side, the picture is that of all matrices.
bool lay_out_word(Layout& l);
/// Right-angled, its corners rounded.
std::vector<Point> rounded(std::span<const Point> corners, float radius);
/// Names above columns are slanted: they rise by this share of their width.
inline constexpr float kSlantedRise = 0.82f;
/// Whether what an edge carries runs along the top, past what stands between.
bool goes_around(const Layout& l, const FlowEdge& e);
void draw_edges(Layout& l);
void draw_nodes(Layout& l);
/// The sheet, or the sheets, that the square ones lie on; all heads' where they are fanned out.
void draw_card(Layout& l);
/// The named box around what stands for a whole block.
void draw_block(Layout& l, int i);
/// A node with its named box, where it has one.
Rect block_rect(const Layout& l, int i);
/// Which columns of a whole are the head's.
void frame_of_head(Layout& l, int i);

}  // namespace app::flow
