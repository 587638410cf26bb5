#pragma once
// The flow: one place of the computation (the attention, a block of a stack, a time of a decoder) in one picture, from
// its tokens to its output. Made from the trace alone: what reads what decides where it stands. Pure, like the stage.

#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/layout/word_steps.h"

namespace app {

/// Sections of the timeline that belong to one place, the picture of one flow.
struct FlowPlace {
    int first = 0, last = 0;  ///< sections
    int main = 0;             ///< the one that it is named after
    bool has(int section) const { return section >= first && section <= last; }
};
std::vector<FlowPlace> flow_places(const attn::Trace& trace, const Timeline& timeline);
/// The place that a stop belongs to, as an index; −1 outside the timeline.
int flow_place_of(const std::vector<FlowPlace>& places, const Timeline& timeline, int stop);

/// How what is read reaches what reads it.
enum class FlowKind : std::uint8_t {
    Rows,     ///< row i becomes row i: queries into scores, vectors into projections
    Columns,  ///< row j becomes column j: keys into scores
    Mixed,    ///< every row into every row, by weight: values into outputs
};

/// The parts of a block of a stack, each of which can stand as one named box.
enum class FlowBlock : std::uint8_t { None, Attention, FeedForward, AddNorm };
Str title_of(FlowBlock block);

/// A matrix of the picture and the column, from the left, in which it stands.
struct FlowNode {
    struct Columns {
        int first = 0, count = 0;
    };
    attn::StepId step = attn::kNoStep;
    int column = 0;
    int stop = -1;                     ///< of the timeline; −1: made elsewhere, where this place begins
    std::vector<Columns> heads{};      ///< which of its columns belong to each head; empty: it is not cut
    FlowBlock shut = FlowBlock::None;  ///< it stands for a whole block, of which it is the result
    int first_stop = -1;               ///< of that block
    bool made_at(int at) const { return shut == FlowBlock::None ? at == stop : at >= first_stop && at <= stop; }
};

/// From one node to another (indices). `product`: the step that reads it; its first input are the weights of a mixture.
struct FlowEdge {
    int from = 0, to = 0;
    FlowKind kind = FlowKind::Rows;
    attn::StepId product = attn::kNoStep;
    int first_row = 0;  ///< of what is read: only the rows from this one on are
};

/// A step that a word is followed through, and its stop of the timeline; −1: made elsewhere, it is there.
struct WordPart {
    attn::StepId step = attn::kNoStep;
    int stop = -1;
};
/// One word's way through an attention: what asks, what answers, the row of the weights, what it takes home. Queries,
/// keys and values are those of the shown head; where nothing projects the vectors they are the vectors.
struct WordFlow {
    WordPart source, key_source, queries, keys, values;
    WordPart scores, read;  ///< q·k or what stands for it, and what the softmax reads: scaled, masked; the same where nothing lies between
    WordPart weights, output;
    bool projected = false;
    bool products = true;           ///< the scores are products q·k, not numbers made of pairs
    int divisor = 0;                ///< d, where the scores are divided by √d and by nothing else
    std::vector<WordStep> after{};  ///< what the place makes of the output, row by row
};

struct FlowGraph {
    std::vector<FlowNode> nodes;  ///< in the order of the trace
    std::vector<FlowEdge> edges;
    int columns = 0;
    std::vector<attn::StepId> weights;    ///< of each head, where heads can be fanned out; else empty
    attn::StepId mixing = attn::kNoStep;  ///< the weights by which the first mixture mixes its values
    int query = -1;                       ///< their row that says most; −1: none says anything
    std::optional<WordFlow> word{};       ///< where queries and keys were compared
};

/// What of a place is worth a matrix of its own: stops, without those that only hand on (transposed, a head's part of a
/// whole, a product before its bias, pairs of tokens). What those read flows through them.
FlowGraph make_flow(const attn::Trace& trace, const Timeline& timeline, const FlowPlace& place);
/// Of a graph that has its nodes and edges. Nothing: its weights were not made of queries and keys, or mix no values.
std::optional<WordFlow> word_flow(const attn::Trace& trace, const Timeline& timeline, const FlowGraph& graph);
/// The same with the blocks of a long chain shut, but for `open`: each is one box with its result in it. A short chain,
/// or one without a feed-forward part, stays as it is.
FlowGraph shut_blocks(const Timeline& timeline, FlowGraph graph, FlowBlock open);
/// What is open while a stop is looked at: the feed-forward part at its own stops, else the attention.
FlowBlock open_block(const Timeline& timeline, int stop);

/// Queries, keys and values are one sweep: the stops of it and how far it is, pauses between them included.
struct FlowSweep {
    int first = 0, last = 0;  ///< stops
    double share = 0;
    bool has(int stop) const { return stop >= first && stop <= last; }
};
/// Of the projections that the time lies in; nothing elsewhere.
std::optional<FlowSweep> flow_sweep(const Timeline& timeline, double time);

struct FlowInput {
    StageInput stage;  ///< its pose says what is done so far, while it plays
    const FlowGraph& graph;
    bool playing = false;
    int head = 0, heads = 1;
    double fan = 0;  ///< 0: the head in front of the others, 1: all side by side
    std::optional<FlowSweep> sweep{};
    int query = -1;  ///< whose row of weights is followed: the word that was asked with, the pinned cell's; −1: the graph's
    int before = -1;     ///< whose row was followed before it; −1: none
    double swing = 1;    ///< how far the picture is on its way from that one, 0 … 1
    std::vector<std::string> questions{};  ///< of each head, in words; empty: they have none
    std::optional<attn::Tag> unfolded{};   ///< the step behind the attention that shows its numbers
    int key = -1;  ///< that the reader has pinned in the row that is followed: it never folds; −1: none
};

/// Of a long text a flow shows these: each token that the query looks at most in a slot of its own, those between them
/// together in one.
struct FlowSlot {
    int first = 0, last = 0;  ///< tokens
    double share = 0;         ///< of the query's attention: all slots' add up to 1
    int rest = 0;             ///< it stands for so many tokens that have no slot of their own, wherever they are
    bool is_band() const { return rest > 0 || last > first; }
    bool has(int token) const { return rest == 0 && token >= first && token <= last; }
    int count() const { return rest > 0 ? rest : last - first + 1; }
};
/// Texts of more tokens are folded.
inline constexpr int kFlowWhole = 20;
/// So many are shown of them, the query itself besides.
inline constexpr int kFlowStrongest = 6;
/// The row's tokens in their order; each strongest one and `also` (−1: none) alone. Empty weights: one band.
std::vector<FlowSlot> flow_slots(std::span<const float> weights, std::initializer_list<int> also);
/// So many of the row's strongest tokens in their order, `also` (−1: none) among them, and one slot for all others.
std::vector<FlowSlot> strongest_slots(std::span<const float> weights, int most, int also = -1);

void lay_out_flow(const FlowInput& in, Scene& scene);

/// Whether the picture is the way of one word: not with the heads side by side, nor with tokens as columns.
bool follows_word(const FlowInput& in);

/// What the picture says in a sentence: to which token a row gives most of its attention. Nothing where there are no
/// weights.
struct FlowMessage {
    attn::Cell cell;  ///< the weight
    std::string query, key;
    float weight = 0;
    bool masked = false;  ///< the whole row is: it gives nothing to any token
};
std::optional<FlowMessage> flow_message(const FlowInput& in);

}  // namespace app
