// A long chain as named boxes: attention, feed-forward, add and norm. A box contains its block's result until it is
// opened.

#include <algorithm>
#include <utility>

#include "app/layout/flow/parts.h"

namespace app {
namespace {

/// Chains with fewer columns are shown in full.
constexpr int kLongChain = 9;

FlowBlock block_of(Stage stage) {
    switch (stage) {
        case Stage::FeedForward:
            return FlowBlock::FeedForward;
        case Stage::Residual:
        case Stage::Norm:
            return FlowBlock::AddNorm;
        case Stage::Vectors:
        case Stage::States:
        case Stage::Predict:
            return FlowBlock::None;
        default:
            return FlowBlock::Attention;
    }
}

/// The stage of a stop; Vectors if it is not in the timeline.
Stage timeline_stage(const Timeline& timeline, int stop) {
    const bool there = stop >= 0 && stop < std::ssize(timeline.stops);
    return there ? timeline.stops[static_cast<std::size_t>(stop)].stage : Stage::Vectors;
}

FlowBlock block_at(const Timeline& timeline, int stop) { return block_of(timeline_stage(timeline, stop)); }

struct Shutter {
    const FlowGraph& graph;
    std::vector<FlowBlock> block;  ///< of each node
    std::vector<int> into;         ///< the node that each becomes part of: itself if it stays
    std::vector<int> first_stop;

    bool read_outside(std::size_t at, std::size_t first, std::size_t last) const {
        return std::any_of(graph.edges.begin(), graph.edges.end(), [&](const FlowEdge& e) {
            const auto to = static_cast<std::size_t>(e.to);
            return static_cast<std::size_t>(e.from) == at && (to < first || to > last);
        });
    }
    /// Merges the nodes `first` to `last` into the last one, if no other nodes read the others.
    void shut(std::size_t first, std::size_t last) {
        if (first == last) return;
        for (std::size_t i = first; i < last; ++i)
            if (read_outside(i, first, last)) return;
        for (std::size_t i = first; i <= last; ++i) into[i] = static_cast<int>(last);
        first_stop[last] = graph.nodes[first].stop;
    }
};

void set_columns_again(FlowGraph& graph) {
    graph.columns = 0;
    for (FlowNode& node : graph.nodes) node.column = 0;
    for (std::size_t at = 0; at < graph.nodes.size(); ++at) {
        for (const FlowEdge& e : graph.edges)
            if (e.to == static_cast<int>(at))
                graph.nodes[at].column =
                    std::max(graph.nodes[at].column, graph.nodes[static_cast<std::size_t>(e.from)].column + 1);
        graph.columns = std::max(graph.columns, graph.nodes[at].column + 1);
    }
}

FlowGraph contracted(const FlowGraph& graph, const Shutter& shutter) {
    FlowGraph out = graph;
    out.nodes.clear();
    out.edges.clear();
    std::vector<int> at(graph.nodes.size(), -1);
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        if (shutter.into[i] != static_cast<int>(i)) continue;
        at[i] = static_cast<int>(out.nodes.size());
        out.nodes.push_back(graph.nodes[i]);
        if (shutter.first_stop[i] < 0) continue;
        out.nodes.back().shut = shutter.block[i];
        out.nodes.back().first_stop = shutter.first_stop[i];
        out.nodes.back().heads.clear();
    }
    for (FlowEdge e : graph.edges) {
        const auto from = static_cast<std::size_t>(shutter.into[static_cast<std::size_t>(e.from)]),
                   to = static_cast<std::size_t>(shutter.into[static_cast<std::size_t>(e.to)]);
        if (from == to) continue;
        // Values enter a box directly: how they are mixed is inside.
        if (shutter.first_stop[to] >= 0) e = {e.from, e.to, FlowKind::Rows, attn::kNoStep};
        e.from = at[from];
        e.to = at[to];
        const bool there = std::any_of(out.edges.begin(), out.edges.end(), [&](const FlowEdge& other) {
            return other.from == e.from && other.to == e.to && other.kind == e.kind;
        });
        if (!there) out.edges.push_back(e);
    }
    set_columns_again(out);
    return out;
}

}  // namespace

Str title_of(FlowBlock block) {
    switch (block) {
        case FlowBlock::FeedForward:
            return Str::block_feed_forward;
        case FlowBlock::AddNorm:
            return Str::block_add_norm;
        default:
            return Str::block_attention;
    }
}

FlowBlock open_block(const Timeline& timeline, int stop) {
    return block_at(timeline, stop) == FlowBlock::FeedForward ? FlowBlock::FeedForward : FlowBlock::Attention;
}

FlowGraph shut_blocks(const Timeline& timeline, FlowGraph graph, FlowBlock open) {
    const std::size_t count = graph.nodes.size();
    Shutter shutter{graph, std::vector<FlowBlock>(count), std::vector<int>(count), std::vector<int>(count, -1)};
    bool feeds = false;
    for (std::size_t i = 0; i < count; ++i) {
        shutter.block[i] = block_at(timeline, graph.nodes[i].stop);
        shutter.into[i] = static_cast<int>(i);
        // The norm at the end of a stack is its output.
        const bool ends = timeline_stage(timeline, graph.nodes[i].stop) == Stage::Output;
        if (ends && i > 0 && shutter.block[i - 1] == FlowBlock::AddNorm) shutter.block[i] = FlowBlock::AddNorm;
        feeds = feeds || shutter.block[i] == FlowBlock::FeedForward;
    }
    if (!feeds || graph.columns < kLongChain) return graph;
    for (std::size_t first = 0, last = 0; first < count; first = last + 1) {
        last = first;
        while (last + 1 < count && shutter.block[last + 1] == shutter.block[first]) ++last;
        if (shutter.block[first] != FlowBlock::None && shutter.block[first] != open) shutter.shut(first, last);
    }
    FlowGraph out = contracted(graph, shutter);
    if (open != FlowBlock::Attention) out.weights.clear();  // nothing to fan out
    return out;
}

namespace flow {

Rect block_rect(const Layout& l, int i) {
    const Box& box = l.box(i);
    const Rect inside{box.left(), box.top(), box.width(), box.height()};
    if (!l.is_shut(i)) return inside;
    const float s = l.b.style().scale;
    const float wide = std::max(inside.w, l.b.columns() ? 0.0f : l.title_room(i));
    return rect_around(inside.center(), wide + 16 * s, inside.h + 16 * s);
}

void draw_block(Layout& l, int i) {
    const StageStyle& s = l.b.style();
    const Rect around = block_rect(l, i);
    l.b.scene.bands.push_back({around, Hue::Paper, 0.9f, 8 * s.scale});
    l.b.scene.bars.push_back({around, l.hue(i), 0.55f, 8 * s.scale, true});
    const Rect seen = l.b.turned(around);
    const float alpha = std::max(0.5f, l.strength(i));
    if (l.b.columns())  // boxes are below each other: their names are next to them
        l.b.text({seen.x - 10 * s.scale, seen.center().y + s.label * 0.36f}, std::string(l.title(i)), l.title_type(),
                 l.hue(i), Align::Right, alpha);
    else
        l.b.scene.labels.push_back({{seen.center().x, seen.y - 9 * s.scale}, std::string(l.title(i)), l.title_type(), l.hue(i),
                                    Align::Center, alpha, l.cramped ? seen.w + 8 * s.scale : 0});
}

}  // namespace flow
}  // namespace app
