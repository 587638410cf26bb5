#pragma once
// The flow: one place of the computation (an attention, a block of a stack, a time step of a decoder) in one picture,
// from its tokens to its output. Computed from the trace alone: the dependencies determine the layout. Pure, like the
// stage.

#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/layout/word_steps.h"

namespace app {

/// The sections of the timeline that belong to one place, which is one picture of the flow.
struct FlowPlace {
    int first = 0, last = 0;  ///< sections
    int main = 0;             ///< the section that it is named after
    bool has(int section) const { return section >= first && section <= last; }
};
std::vector<FlowPlace> flow_places(const attn::Trace& trace, const Timeline& timeline);
/// The place that a stop belongs to, as an index; −1 outside the timeline.
int flow_place_of(const std::vector<FlowPlace>& places, const Timeline& timeline, int stop);

/// How rows of an input reach the rows of a step.
enum class FlowKind : std::uint8_t {
    Rows,     ///< row i becomes row i: queries into scores, vectors into projections
    Columns,  ///< row j becomes column j: keys into scores
    Mixed,    ///< every row into every row, by weight: values into outputs
};

/// The parts of a block of a stack, each of which can be shown as one named box.
enum class FlowBlock : std::uint8_t { None, Attention, FeedForward, AddNorm };
Str title_of(FlowBlock block);

/// A matrix of the picture, and its column, counted from the left.
struct FlowNode {
    struct Columns {
        int first = 0, count = 0;
    };
    attn::StepId step = attn::kNoStep;
    int column = 0;
    int stop = -1;                     ///< index in the timeline; −1: computed elsewhere, the input of this place
    std::vector<Columns> heads{};      ///< which of its columns belong to each head; empty: it is not divided
    FlowBlock shut = FlowBlock::None;  ///< it represents a whole closed block, whose result it is
    int first_stop = -1;               ///< of that block
    bool made_at(int at) const { return shut == FlowBlock::None ? at == stop : at >= first_stop && at <= stop; }
};

/// Between two nodes (indices). `product`: the step that reads it; the first input of a mixture is its weights.
struct FlowEdge {
    int from = 0, to = 0;
    FlowKind kind = FlowKind::Rows;
    attn::StepId product = attn::kNoStep;
    int first_row = 0;  ///< only the rows from this one on are read
};

/// A step on a word's path, and its stop in the timeline; −1: computed elsewhere, so already there.
struct WordPart {
    attn::StepId step = attn::kNoStep;
    int stop = -1;
};
/// One word's path through an attention: its query, the keys, the row of weights, what it takes from the values.
/// Queries, keys and values are those of the shown head; where nothing projects the vectors, they are the vectors
/// themselves.
struct WordFlow {
    WordPart source, key_source, queries, keys, values;
    WordPart scores, read;  ///< q·k or its equivalent, and what the softmax reads; the same if nothing is between
    WordPart weights, output;
    bool projected = false;
    bool products = true;           ///< the scores are products q·k, not computed per pair
    int divisor = 0;                ///< d if the scores are divided by √d and nothing else is done to them; else 0
    std::vector<WordStep> after{};  ///< what the place does with the output, row by row
};

struct FlowGraph {
    std::vector<FlowNode> nodes;  ///< in the order of the trace
    std::vector<FlowEdge> edges;
    int columns = 0;
    std::vector<attn::StepId> weights;    ///< of each head, if the heads can be fanned out; else empty
    attn::StepId mixing = attn::kNoStep;  ///< the weights of the first mixture
    int query = -1;                       ///< its most telling row; −1: none
    std::optional<WordFlow> word{};       ///< if queries and keys are compared
};

/// The steps of a place that get their own matrix: its stops, without those that only pass data on (transposes, one
/// head's part of a whole, products before their bias, pairs of tokens). Edges go straight through those.
FlowGraph make_flow(const attn::Trace& trace, const Timeline& timeline, const FlowPlace& place);
/// For a graph with its nodes and edges. Nothing if its weights are not made from queries and keys, or mix no values.
std::optional<WordFlow> word_flow(const attn::Trace& trace, const Timeline& timeline, const FlowGraph& graph);
/// The same with the blocks of a long chain closed except `open`: each is one box that contains its result. A short
/// chain, or one without a feed-forward part, is unchanged.
FlowGraph shut_blocks(const Timeline& timeline, FlowGraph graph, FlowBlock open);
/// The block that is open at a stop: the feed-forward part at its own stops, else the attention.
FlowBlock open_block(const Timeline& timeline, int stop);

/// Queries, keys and values are animated as one sweep: its stops, and its progress including the pauses between them.
struct FlowSweep {
    int first = 0, last = 0;  ///< stops
    double share = 0;
    bool has(int stop) const { return stop >= first && stop <= last; }
};
/// The sweep that contains this time; nothing outside of the projections.
std::optional<FlowSweep> flow_sweep(const Timeline& timeline, double time);

struct FlowInput {
    StageInput stage;  ///< its pose says how far the computation is, while it plays
    const FlowGraph& graph;
    bool playing = false;
    int head = 0, heads = 1;
    double fan = 0;  ///< 0: the shown head in front of the others, 1: all side by side
    std::optional<FlowSweep> sweep{};
    int query = -1;  ///< the row of weights that is followed: of the selected word or the pinned cell; −1: the graph's
    int before = -1;     ///< the row followed before it; −1: none
    double swing = 1;    ///< progress of the transition from that row, 0 … 1
    std::vector<std::string> questions{};  ///< of each head, in words; empty: there are none
    std::optional<attn::Tag> unfolded{};   ///< the step after the attention whose numbers are unfolded
    int key = -1;  ///< that the reader has pinned in the row that is followed: it never folds; −1: none
};

/// For a long text the flow shows these slots: each token with the highest attention weights has its own, those between
/// them share one.
struct FlowSlot {
    int first = 0, last = 0;  ///< tokens
    double share = 0;         ///< of the query's attention; all slots add up to 1
    int rest = 0;             ///< number of tokens without their own slot that it stands for; 0: it is a range
    bool is_band() const { return rest > 0 || last > first; }
    bool has(int token) const { return rest == 0 && token >= first && token <= last; }
    int count() const { return rest > 0 ? rest : last - first + 1; }
};
/// Texts with more tokens are folded.
inline constexpr int kFlowWhole = 20;
/// How many tokens of them are shown, besides the query itself.
inline constexpr int kFlowStrongest = 6;
/// The tokens of the row in order; the strongest ones and those in `also` (−1: none) alone. Empty weights: one band.
std::vector<FlowSlot> flow_slots(std::span<const float> weights, std::initializer_list<int> also);
/// So many of the row's strongest tokens in their order, those in `also` (−1: none) among them, and one slot for all
/// others.
std::vector<FlowSlot> strongest_slots(std::span<const float> weights, int most, std::initializer_list<int> also = {});

void lay_out_flow(const FlowInput& in, Scene& scene);

/// Whether the picture is the path of one word: not with the heads side by side, nor where tokens are columns.
bool follows_word(const FlowInput& in);

/// The picture's message: to which token a row gives most of its attention. Nothing if there are no weights.
struct FlowMessage {
    attn::Cell cell;  ///< the weight
    std::string query, key;
    float weight = 0;
    bool masked = false;  ///< the whole row is masked: it attends to nothing
};
std::optional<FlowMessage> flow_message(const FlowInput& in);

}  // namespace app
