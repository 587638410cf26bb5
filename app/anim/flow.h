#pragma once
// The flow: one place of the computation (the attention, a block of a stack, a time of a decoder) in one picture, from
// its tokens to its output. Made from the trace alone: what reads what decides where it stands. Pure, like the stage.

#include <optional>
#include <vector>

#include "app/anim/stage.h"

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

/// A matrix of the picture and the column, from the left, in which it stands.
struct FlowNode {
    struct Columns {
        int first = 0, count = 0;
    };
    attn::StepId step = attn::kNoStep;
    int column = 0;
    int stop = -1;                 ///< of the timeline; −1: made elsewhere, where this place begins
    std::vector<Columns> heads{};  ///< which of its columns belong to each head; empty: it is not cut
};

/// From one node to another (indices). `product`: the step that reads it; its first input are the weights of a mixture.
struct FlowEdge {
    int from = 0, to = 0;
    FlowKind kind = FlowKind::Rows;
    attn::StepId product = attn::kNoStep;
};

struct FlowGraph {
    std::vector<FlowNode> nodes;  ///< in the order of the trace
    std::vector<FlowEdge> edges;
    int columns = 0;
    std::vector<attn::StepId> weights;  ///< of each head, where heads can be fanned out; else empty
};

/// What of a place is worth a matrix of its own: stops, without those that only hand on (transposed, a head's part of a
/// whole, a product before its bias, pairs of tokens). What those read flows through them.
FlowGraph make_flow(const attn::Trace& trace, const Timeline& timeline, const FlowPlace& place);

struct FlowInput {
    StageInput stage;  ///< its pose says what is done so far, while it plays
    const FlowGraph& graph;
    bool playing = false;
    int head = 0, heads = 1;
    double fan = 0;  ///< 0: the head in front of the others, 1: all side by side
};

void lay_out_flow(const FlowInput& in, Scene& scene);

/// What the picture says in a sentence: to which token a row gives most of its attention. Nothing where there are no weights.
struct FlowMessage {
    attn::Cell cell;  ///< the weight
    std::string query, key;
    float weight = 0;
    bool masked = false;  ///< the whole row is: it gives nothing to any token
};
std::optional<FlowMessage> flow_message(const FlowInput& in);

}  // namespace app
