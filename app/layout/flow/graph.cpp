// Which matrices a flow shows, and the edges between them.

#include <algorithm>
#include <utility>

#include "app/layout/flow/flow.h"
#include "app/timeline/reverse.h"
#include "app/timeline/roles.h"
#include "core/analysis/telling.h"

namespace app {
namespace {

using attn::Op;
using attn::Role;
using attn::StepId;

/// Intermediate results that are only shown on the stage.
constexpr Role kDetails[] = {Role::CenterProducts,
                             Role::CenterTanh,
                             Role::CenterLogits,
                             Role::CenterShares,
                             Role::StateProducts,
                             Role::StateSum,
                             Role::RecurrentProducts,
                             Role::ContextProducts,
                             Role::StateInput,
                             Role::UpdateProducts,
                             Role::UpdateRecurrentProducts,
                             Role::UpdateContextProducts,
                             Role::UpdateSum,
                             Role::UpdateInput,
                             Role::ResetProducts,
                             Role::ResetRecurrentProducts,
                             Role::ResetContextProducts,
                             Role::ResetSum,
                             Role::ResetInput,
                             Role::MinusState,
                             Role::StateChange,
                             Role::GatedChange,
                             Role::InitialProducts,
                             Role::BackwardProducts,
                             Role::RelativeProducts,
                             Role::RelativeKeysTransposed,
                             Role::ScopePattern,
                             Role::GateLogits,
                             Role::CombineProducts,
                             Role::DecayedSum,
                             Role::TileSum,
                             Role::DecayedOutput,
                             Role::KeyRow,
                             Role::ValueRow,
                             Role::QueryRow,
                             Role::RelativeWeights};

bool has_pairs(const attn::Step& step) { return step.rows.kind == attn::Axis::Kind::Pairs; }

/// Whether a step only passes on what it reads: it has no node, and edges go through it.
bool passes_on(const attn::Trace& trace, StepId id) {
    const attn::Step& step = trace[id];
    if (look_of(step.tag.role).operand || has_pairs(step)) return true;
    if (std::find(std::begin(kDetails), std::end(kDetails), step.tag.role) != std::end(kDetails)) return true;
    if (step.op == Op::Transpose || step.op == Op::SliceRows) return true;
    return step.op == Op::Slice && step.tag.role != Role::InputSlice;
}

/// Whether a step is read only by the one that completes it: a product by its bias, a head by the joined heads.
bool goes_on_alone(const attn::Trace& trace, StepId id, StepId reader) {
    const attn::Step& next = trace[reader];
    const bool first = !next.inputs.empty() && next.inputs[0] == id;
    if (next.op == Op::AddRow) return first;
    return next.op == Op::Concat && trace[id].tag.role == Role::HeadOutput;
}

struct Readers {
    std::vector<int> count;
    std::vector<StepId> last;
    explicit Readers(const attn::Trace& trace)
        : count(static_cast<std::size_t>(trace.size()), 0), last(count.size(), attn::kNoStep) {
        for (StepId id = 0; id < trace.size(); ++id)
            for (const StepId input : is_reverse(trace[id].tag) ? attn::StepIds{} : trace[id].inputs) {
                ++count[static_cast<std::size_t>(input)];
                last[static_cast<std::size_t>(input)] = id;
            }
    }
};

/// How the `i`-th input reaches a step.
FlowKind kind_of(const attn::Trace& trace, const attn::Step& step, std::size_t i) {
    if (step.op == Op::PairSum || step.op == Op::PairConcat) return i == 0 ? FlowKind::Rows : FlowKind::Columns;
    if (step.op != Op::MatMul || i == 0) return FlowKind::Rows;
    const attn::Step& right = trace[step.inputs[1]];
    if (right.op == Op::Transpose) return FlowKind::Columns;
    return FlowKind::Mixed;
}

struct Maker {
    const attn::Trace& trace;
    std::vector<bool> is_stop;  ///< stops of the timeline
    int time = attn::kNoTime;  ///< of the place
    Readers readers{trace};
    FlowGraph graph{};
    std::vector<int> node = std::vector<int>(is_stop.size(), -1);  ///< of each step; −1: none

    bool hidden(StepId id) const {
        const auto i = static_cast<std::size_t>(id);
        return passes_on(trace, id) || (readers.count[i] == 1 && goes_on_alone(trace, id, readers.last[i]));
    }
    /// Edges do not follow parameters, patterns or other heads, nor, where the steps of a recurrence are gathered, the
    /// other steps.
    bool followed(StepId id, StepId reader) const {
        const attn::Step &step = trace[id], &next = trace[reader];
        if (look_of(step.tag.role).operand && step.op == Op::Input) return false;
        const bool gathers = next.op == Op::Stack && next.tag.time == attn::kNoTime && time != attn::kNoTime;
        if (gathers && step.tag.time != time) return false;
        return step.tag.head == attn::kNoHead || is_stop[static_cast<std::size_t>(id)];
    }

    /// Whether the previous time step passes this value on although it is only an intermediate result within its own:
    /// the first sum of a recurrence, to which nothing was added.
    bool handed_over(StepId id) const {
        const attn::Tag& tag = trace[id].tag;
        return tag.role == Role::TileSum && time != attn::kNoTime && tag.time != attn::kNoTime && tag.time < time;
    }

    int add(StepId id, int stop) {
        node[static_cast<std::size_t>(id)] = static_cast<int>(graph.nodes.size());
        graph.nodes.push_back({id, 0, stop});
        return node[static_cast<std::size_t>(id)];
    }

    /// From node `to` back through steps that only pass data on, to the nodes from which it is made.
    void trace_back(StepId at, int to, FlowKind kind, StepId product, int first_row = 0) {
        const attn::Step& step = trace[at];
        if (step.op == Op::SliceRows) first_row += step.as<attn::SliceParams>().first;
        for (std::size_t i = 0; i < step.inputs.size(); ++i) {
            const StepId input = step.inputs[i];
            if (!followed(input, at)) continue;
            const FlowKind here = kind_of(trace, step, i);
            const bool plain = here == FlowKind::Rows;
            const FlowKind reached = plain ? kind : here;
            const StepId reader = plain ? product : at;
            if (const int from = node[static_cast<std::size_t>(input)]; from >= 0)
                connect({from, to, reached, reader, plain ? first_row : 0});
            else
                trace_back(input, to, reached, reader, plain ? first_row : 0);
        }
    }

    void connect(const FlowEdge& edge) {
        const bool there = std::any_of(graph.edges.begin(), graph.edges.end(), [&](const FlowEdge& e) {
            return e.from == edge.from && e.to == edge.to && e.kind == edge.kind;
        });
        if (!there) graph.edges.push_back(edge);
    }

    /// Steps of other places that this one starts from.
    void add_entries(StepId at, std::vector<StepId>& entries, std::vector<bool>& seen) {
        for (const StepId input : trace[at].inputs) {
            const auto i = static_cast<std::size_t>(input);
            if (seen[i] || node[i] >= 0 || !followed(input, at)) continue;
            seen[i] = true;
            if (hidden(input) && !handed_over(input))
                add_entries(input, entries, seen);
            else
                entries.push_back(input);
        }
    }
};

/// Removes nodes that nothing in this place reads, such as the words' vectors before the first word is written.
void drop_untied(FlowGraph& graph) {
    std::vector<int> new_index(graph.nodes.size(), -1);
    for (const FlowEdge& e : graph.edges)
        for (const int at : {e.from, e.to}) new_index[static_cast<std::size_t>(at)] = 0;
    if (graph.edges.empty()) return;
    std::vector<FlowNode> nodes;
    for (std::size_t i = 0; i < new_index.size(); ++i) {
        if (new_index[i] < 0) continue;
        new_index[i] = static_cast<int>(nodes.size());
        nodes.push_back(std::move(graph.nodes[i]));
    }
    graph.nodes = std::move(nodes);
    for (FlowEdge& e : graph.edges) {
        e.from = new_index[static_cast<std::size_t>(e.from)];
        e.to = new_index[static_cast<std::size_t>(e.to)];
    }
}

/// If a picture starts with more nodes than this, those from the previous time step are placed where they are read.
constexpr int kBeginTogether = 4;

void hand_over_late(const attn::Trace& trace, FlowGraph& graph) {
    const auto begins = std::count_if(graph.nodes.begin(), graph.nodes.end(), [](const FlowNode& n) { return n.column == 0; });
    if (begins <= kBeginTogether) return;
    for (std::size_t at = 0; at < graph.nodes.size(); ++at) {
        FlowNode& node = graph.nodes[at];
        if (node.stop >= 0 || trace[node.step].tag.time == attn::kNoTime) continue;
        int first = graph.columns;
        for (const FlowEdge& e : graph.edges)
            if (e.from == static_cast<int>(at)) first = std::min(first, graph.nodes[static_cast<std::size_t>(e.to)].column);
        node.column = std::max(0, first - 1);
    }
}

void set_columns(FlowGraph& graph) {
    // Nodes are in the order of the trace: what is read always comes before what reads it.
    for (FlowNode& node : graph.nodes) node.column = 0;
    for (std::size_t at = 0; at < graph.nodes.size(); ++at)
        for (const FlowEdge& e : graph.edges)
            if (e.to == static_cast<int>(at))
                graph.nodes[at].column =
                    std::max(graph.nodes[at].column, graph.nodes[static_cast<std::size_t>(e.from)].column + 1);
    for (const FlowNode& node : graph.nodes) graph.columns = std::max(graph.columns, node.column + 1);
}

}  // namespace

namespace {

/// The section that attends or is repeated, not one that only begins or ends a stack; −1 if there is none.
int main_section(const attn::Trace& trace, const Timeline& timeline, const FlowPlace& place) {
    for (int section = place.first; section <= place.last; ++section) {
        const Section& s = timeline.sections[static_cast<std::size_t>(section)];
        for (int stop = s.first; stop <= s.last; ++stop) {
            const attn::Step& step = trace[timeline.stops[static_cast<std::size_t>(stop)].step];
            const Op op = step.op;
            const bool given = op == Op::Input && step.tag.role == Role::Weights;  // by another program: the only step
            const bool attends = s.stage == Stage::Softmax && (op == Op::Softmax || op == Op::Sparsemax || given);
            if (attends || op == Op::ExpShift) return section;
        }
    }
    return -1;
}

/// The number of sections of the forward run: gradients have no flow.
int forward_sections(const Timeline& timeline) {
    const auto past = std::find_if(timeline.sections.begin(), timeline.sections.end(), [](const Section& s) { return s.reverse; });
    return static_cast<int>(past - timeline.sections.begin());
}

std::vector<FlowPlace> runs_of_places(const Timeline& timeline) {
    std::vector<FlowPlace> all;
    for (std::size_t i = 0; i < static_cast<std::size_t>(forward_sections(timeline)); ++i) {
        const auto at = static_cast<int>(i);
        if (!all.empty() && timeline.sections[i].same_place(timeline.sections[i - 1]))
            all.back().last = at;
        else
            all.push_back({at, at, at});
    }
    return all;
}

}  // namespace

std::vector<FlowPlace> flow_places(const attn::Trace& trace, const Timeline& timeline) {
    std::vector<FlowPlace> places;
    int first = 0;
    for (const FlowPlace& run : runs_of_places(timeline)) {
        if (const int main = main_section(trace, timeline, run); main >= 0) {
            places.push_back({first, run.last, main});
            first = run.last + 1;
            continue;
        }
        // What follows a block at the same time belongs to it; what leads to the next time belongs to that.
        const auto time = [&](int section) { return timeline.sections[static_cast<std::size_t>(section)].time; };
        if (places.empty() || time(places.back().main) != time(run.first) || time(run.first) == attn::kNoTime) continue;
        places.back().last = run.last;
        first = run.last + 1;
    }
    const int end = forward_sections(timeline);
    if (places.empty() && end > 0) places.push_back({0, end - 1, 0});
    if (!places.empty()) places.back().last = end - 1;
    return places;
}

int flow_place_of(const std::vector<FlowPlace>& places, const Timeline& timeline, int stop) {
    const int section = section_of(timeline, stop);
    for (std::size_t i = 0; i < places.size(); ++i)
        if (places[i].has(section)) return static_cast<int>(i);
    return -1;
}

namespace {

/// The columns of a node that each head extracts from it or contributes to it.
void set_head_columns(const attn::Trace& trace, FlowGraph& graph) {
    const auto put = [](FlowNode& node, int head, FlowNode::Columns columns) {
        if (head < 0) return;
        const auto at = static_cast<std::size_t>(head);
        if (node.heads.size() <= at) node.heads.resize(at + 1);
        node.heads[at] = columns;
    };
    std::vector<FlowNode*> of(static_cast<std::size_t>(trace.size()), nullptr);
    for (FlowNode& node : graph.nodes) of[static_cast<std::size_t>(node.step)] = &node;
    for (const attn::Step& step : trace.steps)
        if (step.op == Op::Slice && !is_reverse(step.tag) && of[static_cast<std::size_t>(step.inputs[0])])
            put(*of[static_cast<std::size_t>(step.inputs[0])], step.tag.head,
                {step.as<attn::SliceParams>().first, static_cast<int>(step.value.cols())});
    for (FlowNode& node : graph.nodes) {
        const attn::Step& step = trace[node.step];
        if (step.op != Op::Concat) continue;
        int first = 0;
        for (const StepId part : step.inputs) {
            const auto count = static_cast<int>(trace[part].value.cols());
            put(node, trace[part].tag.head, {first, count});
            first += count;
        }
    }
}

/// The corresponding weights of all heads, if the picture mixes values by those of one.
std::vector<StepId> weights_of_heads(const attn::Trace& trace, const FlowGraph& graph) {
    std::vector<StepId> out;
    for (const FlowEdge& e : graph.edges) {
        if (e.kind != FlowKind::Mixed || e.product == attn::kNoStep) continue;
        const attn::Tag tag = trace[trace[e.product].inputs[0]].tag;
        if (tag.head == attn::kNoHead) continue;
        for (int head = 0;; ++head) {
            const StepId id = attn::find_id(trace, tag.of_head(head));
            if (id == attn::kNoStep) break;
            out.push_back(id);
        }
        break;
    }
    return out.size() > 1 ? out : std::vector<StepId>{};
}

}  // namespace

namespace {

void set_mixing(const attn::Trace& trace, FlowGraph& graph) {
    for (const FlowEdge& e : graph.edges) {
        if (e.kind != FlowKind::Mixed || e.product == attn::kNoStep || !mixes_values(trace, e.product)) continue;
        graph.mixing = trace[e.product].inputs[0];
        if (const auto pair = attn::telling_pair(trace, graph.mixing)) graph.query = pair->query;
        return;
    }
}

}  // namespace

FlowGraph make_flow(const attn::Trace& trace, const Timeline& timeline, const FlowPlace& place) {
    if (timeline.sections.empty()) return {};
    std::vector<bool> is_stop(static_cast<std::size_t>(trace.size()), false);
    for (const Stop& stop : timeline.stops) is_stop[static_cast<std::size_t>(stop.step)] = true;
    Maker maker{trace, std::move(is_stop), timeline.sections[static_cast<std::size_t>(place.main)].time};
    std::vector<std::pair<StepId, int>> shown;
    const int last = timeline.sections[static_cast<std::size_t>(place.last)].last;
    for (int stop = timeline.sections[static_cast<std::size_t>(place.first)].first; stop <= last; ++stop) {
        const StepId id = timeline.stops[static_cast<std::size_t>(stop)].step;
        if (!maker.hidden(id)) shown.emplace_back(id, stop);
    }
    const std::size_t own = shown.size();
    for (std::size_t i = 0; i < own; ++i) maker.node[static_cast<std::size_t>(shown[i].first)] = 0;
    std::vector<StepId> entries;
    std::vector<bool> seen(static_cast<std::size_t>(trace.size()), false);
    for (std::size_t i = 0; i < own; ++i) maker.add_entries(shown[i].first, entries, seen);
    for (const StepId id : entries) shown.emplace_back(id, -1);
    std::sort(shown.begin(), shown.end());
    for (const auto& [id, stop] : shown) maker.add(id, stop);
    for (const auto& [id, stop] : shown)
        if (stop >= 0) maker.trace_back(id, maker.node[static_cast<std::size_t>(id)], FlowKind::Rows, id);
    drop_untied(maker.graph);
    set_columns(maker.graph);
    hand_over_late(trace, maker.graph);
    set_head_columns(trace, maker.graph);
    maker.graph.weights = weights_of_heads(trace, maker.graph);
    set_mixing(trace, maker.graph);
    maker.graph.word = word_flow(trace, timeline, maker.graph);
    return std::move(maker.graph);
}

}  // namespace app
