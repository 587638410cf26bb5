// The sentence about a flow, and what it highlights.

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/layout/flow/parts.h"

namespace app {

namespace flow {

void light_what_is_said(const FlowInput& in, Lit& lit) {
    const attn::StepId id = in.graph.mixing;
    if (id == attn::kNoStep || lit.key >= 0) return;
    const attn::Step& weights = in.stage.trace[id];
    if (!of_tokens(weights.rows) || !of_tokens(weights.cols)) return;
    if (lit.query < 0) lit.query = in.query >= 0 ? in.query : in.graph.query;
    if (lit.query < 0 || lit.query >= weights.value.rows()) return;
    Eigen::Index key = 0;
    if (weights.value.one_row(lit.query).maxCoeff(&key) > 0) lit.key = static_cast<int>(key);
}

}  // namespace flow

namespace {

/// A weight of a row, and the step and column of its number.
struct RowShare {
    attn::StepId step;
    int col;
    double weight;
};

/// Online softmax never stores its weights: they are the exponentials of all tiles relative to the last maximum,
/// divided by their sum, whichever tile is shown.
std::vector<RowShare> shares_of_tiles(const attn::Trace& trace, attn::Tag tile, int row) {
    std::vector<RowShare> out;
    double most = -std::numeric_limits<double>::infinity(), sum = 0;
    for (attn::StepId id = 0; id < trace.size(); ++id) {
        const attn::Step& step = trace[id];
        tile.time = step.tag.time;
        if (step.op != attn::Op::ExpShift || step.tag != tile) continue;
        const attn::Matrix& scores = trace[step.inputs[0]].value.matrix();
        for (int col = 0; col < static_cast<int>(scores.cols()); ++col) {
            out.push_back({id, col, static_cast<double>(scores(row, col))});
            most = std::max(most, out.back().weight);
        }
    }
    for (RowShare& share : out) sum += share.weight = std::isinf(most) ? 0 : std::exp(share.weight - most);
    for (RowShare& share : out) share.weight = sum > 0 ? share.weight / sum : 0;
    return out;
}

std::vector<RowShare> shares_of_row(const attn::Trace& trace, attn::StepId id, int row) {
    const attn::Step& step = trace[id];
    if (step.op == attn::Op::ExpShift) return shares_of_tiles(trace, step.tag, row);
    std::vector<RowShare> out;
    for (int col = 0; col < static_cast<int>(step.value.cols()); ++col)
        out.push_back({id, col, static_cast<double>(step.value(row, col))});
    return out;
}

/// The token of the highlighted key: the columns of a tile do not start at 0.
int lit_key(const FlowInput& in, const flow::Lit& lit) {
    if (lit.key < 0) return -1;
    const attn::Step& step = in.stage.trace[in.stage.focus->step];
    return lit.key + (of_tokens(step.cols) ? step.cols.first : step.rows.first);
}

}  // namespace

bool follows_word(const FlowInput& in) { return in.graph.word && in.fan <= 0 && in.stage.convention == attn::Convention::Rows; }

std::optional<FlowMessage> flow_message(const FlowInput& in) {
    const attn::Trace& trace = in.stage.trace;
    // The path of one word is about that word, whatever the pointer is on.
    const flow::Lit lit = follows_word(in) ? flow::Lit{} : flow::lit_of(in);
    for (const FlowEdge& e : in.graph.edges) {
        if (e.kind != FlowKind::Mixed || e.product == attn::kNoStep) continue;
        const attn::StepId id = trace[e.product].inputs[0];
        const attn::Step& weights = trace[id];
        if (!of_tokens(weights.rows) || !of_tokens(weights.cols)) continue;
        const auto rows = static_cast<int>(weights.value.rows());
        const int query = in.query >= 0 ? in.query : in.graph.query;
        const int row = std::clamp(lit.query >= 0 ? lit.query : query >= 0 ? query : rows - 1, 0, rows - 1);
        const std::vector<RowShare> shares = shares_of_row(trace, id, row);
        if (shares.empty()) continue;
        const auto largest = std::max_element(shares.begin(), shares.end(),
                                              [](const RowShare& a, const RowShare& b) { return a.weight < b.weight; });
        const int key = lit_key(in, lit);
        const RowShare& said = key >= 0 && key < std::ssize(shares) ? shares[static_cast<std::size_t>(key)] : *largest;
        // In a long text the word alone is ambiguous: "224 while".
        const bool places = shares.size() > static_cast<std::size_t>(kFlowWhole);
        const auto named = [&](attn::Axis axis, int index) {
            return (places ? std::to_string(axis.first + index + 1) + " " : "") + in.stage.labels.of(axis, index);
        };
        return FlowMessage{{said.step, row, said.col},
                           named(weights.rows, row),
                           named(trace[said.step].cols, said.col),
                           static_cast<float>(said.weight),
                           largest->weight == 0};
    }
    return std::nullopt;
}

}  // namespace app
