// The steps of a word's path: from its query to its output.

#include <algorithm>
#include <cmath>

#include "app/layout/flow/parts.h"
#include "app/timeline/roles.h"

namespace app {
namespace {

using attn::Op;
using attn::StepId;

/// The matrix before it was split into heads, rotated by position, or had a bias added.
StepId before_cut(const attn::Trace& trace, StepId id) {
    while (trace[id].op == Op::Slice || trace[id].op == Op::Rotate || trace[id].op == Op::AddRow)
        id = trace[id].inputs[0];
    return id;
}

bool is_projection(const attn::Trace& trace, StepId id) {
    const attn::Step& step = trace[id];
    return step.op == Op::MatMul && trace[step.inputs[1]].op == Op::Input &&
           look_of(trace[step.inputs[1]].tag.role).operand;
}

/// The vectors that a projection reads; without a projection, the vectors themselves.
StepId source_of(const attn::Trace& trace, StepId id) {
    const StepId whole = before_cut(trace, id);
    return is_projection(trace, whole) ? trace[whole].inputs[0] : id;
}

/// What is compared: by a product q·k, or by a number made from every pair, as in additive scores.
struct QueriesWithKeys {
    StepId scores, queries, keys;
    bool products = true;
};
std::optional<QueriesWithKeys> pairs_behind(const attn::Trace& trace, StepId fold) {
    StepId id = fold;
    while (!trace[id].inputs.empty()) {
        id = trace[id].inputs[0];
        const attn::Step& step = trace[id];
        if (step.op == Op::PairSum || step.op == Op::PairConcat) return QueriesWithKeys{fold, step.inputs[0], step.inputs[1], false};
    }
    return std::nullopt;
}
/// Nothing if the weights were not made from queries and keys row by row.
std::optional<QueriesWithKeys> compared_for(const attn::Trace& trace, StepId weights) {
    StepId id = weights;
    while (!trace[id].inputs.empty()) {
        const attn::Step& step = trace[id];
        if (step.op == Op::Fold) return pairs_behind(trace, id);
        if (step.op == Op::MatMul) {
            const attn::Step& right = trace[step.inputs[1]];
            if (right.op != Op::Transpose) return std::nullopt;
            return QueriesWithKeys{id, step.inputs[0], right.inputs[0]};
        }
        const attn::Step& read = trace[step.inputs[0]];
        if (read.value.rows() != step.value.rows() || read.value.cols() != step.value.cols()) return std::nullopt;
        id = step.inputs[0];
    }
    return std::nullopt;
}

/// d if the scores were divided by √d and nothing else was done; else 0.
int divisor_between(const attn::Trace& trace, StepId scores, StepId read, Eigen::Index width) {
    bool divided = false;
    for (StepId id = read; id != scores; id = trace[id].inputs[0]) {
        const attn::Step& step = trace[id];
        if (step.op == Op::Mask) continue;
        if (step.op != Op::Scale ||
            std::abs(step.as<attn::ScaleParams>().factor * std::sqrt(static_cast<float>(width)) - 1) > 1e-4f)
            return 0;
        divided = true;
    }
    return divided ? static_cast<int>(width) : 0;
}

struct Stops {
    const attn::Trace& trace;
    const Timeline& timeline;
    /// The stop of a step, or of what it was cut from; −1: computed elsewhere.
    int of(StepId id) const {
        while (true) {
            const auto found = std::find_if(timeline.stops.begin(), timeline.stops.end(),
                                            [&](const Stop& stop) { return stop.step == id; });
            if (found != timeline.stops.end()) return static_cast<int>(found - timeline.stops.begin());
            const attn::Step& step = trace[id];
            const bool cut =
                step.op == Op::Slice || step.op == Op::Rotate || step.op == Op::AddRow || step.op == Op::Scale;
            if (!cut) return -1;
            id = step.inputs[0];
        }
    }
    WordPart part(StepId id) const { return {id, of(id)}; }
};

}  // namespace

std::optional<WordFlow> word_flow(const attn::Trace& trace, const Timeline& timeline, const FlowGraph& graph) {
    const StepId weights = graph.mixing;
    if (weights == attn::kNoStep || !of_tokens(trace[weights].rows) || !of_tokens(trace[weights].cols))
        return std::nullopt;
    const auto product = std::find_if(graph.edges.begin(), graph.edges.end(), [&](const FlowEdge& e) {
        return e.kind == FlowKind::Mixed && e.product != attn::kNoStep && trace[e.product].op == Op::MatMul &&
               trace[e.product].inputs[0] == weights;
    });
    const auto compared = compared_for(trace, weights);
    if (product == graph.edges.end() || !compared) return std::nullopt;
    const auto [scores, queries, keys, products] = *compared;
    const StepId output = product->product, values = trace[output].inputs[1], read = trace[weights].inputs[0];
    const attn::Matrix& map = trace[weights].value;
    const bool fits = trace[queries].value.rows() == map.rows() && trace[keys].value.rows() == map.cols() &&
                      trace[values].value.rows() == map.cols() && trace[output].value.rows() == map.rows();
    if (!fits) return std::nullopt;
    const Stops stops{trace, timeline};
    WordFlow word{stops.part(source_of(trace, queries)),
                  stops.part(source_of(trace, keys)),
                  stops.part(queries),
                  stops.part(keys),
                  stops.part(values),
                  stops.part(scores),
                  stops.part(read),
                  stops.part(weights),
                  stops.part(output)};
    word.projected = word.source.step != queries;
    word.products = products;
    word.divisor = divisor_between(trace, scores, read, trace[queries].value.cols());
    std::vector<std::pair<StepId, int>> after;
    for (const FlowNode& node : graph.nodes)
        if (node.step > output && node.stop >= 0 && row_for(trace[weights], 0, trace[node.step]) >= 0 &&
            row_for(trace[weights], static_cast<int>(map.rows()) - 1, trace[node.step]) >= 0)
            after.emplace_back(node.step, node.stop);
    word.after = word_steps(trace, trace[weights], output, after);
    return word;
}

}  // namespace app
