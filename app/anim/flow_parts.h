#pragma once
// What the parts of the flow's layout share. Internal to it.

#include "app/anim/flow.h"
#include "app/anim/stage_parts.h"

namespace app::flow {

/// Where a node stands. Entries with few rows are spread: each row a strip of its own, with its token beside it.
struct Box {
    stage::Rows rows;
    int cols = 0;
    bool square = false;  ///< tokens against tokens: on the card
    bool spread = false;
    Grid grid;        ///< of the whole, or of the first strip
    float pitch = 0;  ///< from a row to the next

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
    std::vector<Rect> written{};  ///< what stands where words would be over each other, the first of them stay

    const FlowGraph& graph() const { return in.graph; }
    const FlowNode& node(int i) const { return in.graph.nodes[static_cast<std::size_t>(i)]; }
    Box& box(int i) { return boxes[static_cast<std::size_t>(i)]; }
    const Box& box(int i) const { return boxes[static_cast<std::size_t>(i)]; }
    const attn::Step& step(int i) const { return b.step(node(i).step); }
    int count() const { return static_cast<int>(boxes.size()); }
    Hue hue(int i) const { return hue_of(step(i).tag.role); }
    /// Before a matrix, in the direction in which they are stacked: for its name.
    float before() const { return (b.columns() ? 104.0f : 34.0f) * b.style().scale; }
    /// After one on the card: for its symbol and its legend.
    float after() const { return (b.columns() ? 176.0f : 58.0f) * b.style().scale; }
    /// Not there yet, while it plays.
    bool waits(int i) const { return in.playing && node(i).stop > in.stage.pose.stop; }
    /// Heads side by side have the card's matrices of their own: those of the one in front go.
    float strength(int i) const { return (waits(i) ? 0.2f : 1.0f) * (box(i).square ? stacked() : 1.0f); }
    float stacked() const { return graph().weights.empty() ? 1.0f : 1 - static_cast<float>(phase(in.fan, 0, 0.5)); }
};

/// Rows and columns that have a token's name.
bool of_tokens(attn::Axis axis);
Lit lit_of(const FlowInput& in);

void place_boxes(Layout& l);
void draw_edges(Layout& l);
void draw_nodes(Layout& l);
/// The sheet, or the sheets, that the square ones lie on; all heads' where they are fanned out.
void draw_card(Layout& l);
/// Which columns of a whole are the head's.
void frame_of_head(Layout& l, int i);

}  // namespace app::flow
