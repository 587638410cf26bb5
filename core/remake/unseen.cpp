// Keys that a mask hides are not computed where only the mixed values are wanted: under a causal mask that is half of
// all scores. For a block of rows, a head's weights are then only as wide as the last key that any of the rows sees,
// and only as many values are mixed.
//
// The bytes and the notes are the same. A hidden key's weight is 0; a 0 changes nothing in the sum of a row's
// exponentials, and in the chain of a mixed value fma(0, v, c) is c, unless v is not finite or c is −0 (in both cases
// all keys are computed). A hidden score may overflow float32, which needs a note; so keys are left out only where the
// norms of queries and keys rule that out [Cauchy, Schwarz].
#include <algorithm>
#include <array>
#include <cmath>
#include <mutex>

#include "core/ops/operation.h"
#include "core/remake/making.h"

namespace attn {
namespace {

using Index = Eigen::Index;

SeenKeys find_seen(const Matrix& pattern) {
    SeenKeys out;
    for (Index row = 0; row < pattern.rows(); ++row) {
        Index keys = pattern.cols();
        while (keys > 0 && pattern(row, keys - 1) == 0) --keys;
        out.past.push_back(static_cast<int>(keys));
        out.all_before &= (pattern.row(row).head(keys).array() != 0).all();
    }
    return out;
}

/// Cached by pattern: all heads and layers share one mask.
std::shared_ptr<const SeenKeys> seen_of(const FrozenMatrix& pattern) {
    struct Known {
        std::weak_ptr<const Matrix> pattern;
        std::shared_ptr<const SeenKeys> seen;
    };
    static std::mutex mutex;
    static std::vector<Known> known;
    const std::lock_guard lock(mutex);
    std::erase_if(known, [](const Known& one) { return one.pattern.expired(); });
    for (const Known& one : known)
        if (one.pattern.lock() == pattern.held()) return one.seen;
    return known.emplace_back(pattern.held(), std::make_shared<const SeenKeys>(find_seen(pattern))).seen;
}

/// Whether a bound is known for the numbers that a step makes.
bool is_bounded(const Step& step) {
    constexpr std::array<double, 2> kNothing{};
    const auto bound = operation_of(step.op).bound;
    return bound != nullptr && bound(step, kNothing) >= 0;
}

}  // namespace

/// Finds the nodes from the scores to the weights by which the last node mixes, if a mask is among them.
void Making::find_keys() {
    const Node& mixed = nodes_.back();
    if (!mixed.recipe || mixed.recipe->step.op != Op::MatMul) return;
    std::vector<StepId> found;
    if (!is_of_weights(mixed.inputs[0], found) || read_by_others(found)) return;
    for (const StepId id : found) {
        Node& node = nodes_[static_cast<std::size_t>(id)];
        node.by_keys = true;
        if (!node.recipe) continue;
        Node& other = nodes_[static_cast<std::size_t>(node.inputs.back())];
        const Op op = node.recipe->step.op;
        if (op == Op::Mask) seen_.push_back(node.seen = seen_of(other.value));
        if (op == Op::MatMul) node.length = length_of(other.value, other.columns());
        for (const StepId input : node.inputs)
            if (Node& added = nodes_[static_cast<std::size_t>(input)]; op == Op::Add && !added.recipe) added.length = length_of(added.value, added.columns());
    }
    const Node& values = nodes_[static_cast<std::size_t>(nodes_.back().inputs[1])];
    nodes_.back().length = length_of(values.value, values.columns());
    keys_ = std::move(found);
}

/// Whether the node is a softmax over masked scores; `found` gains all nodes down to the scores' product.
bool Making::is_of_weights(StepId id, std::vector<StepId>& found) const {
    found.push_back(id);
    const Node& node = nodes_[static_cast<std::size_t>(id)];
    if (!node.recipe || node.recipe->step.op != Op::Softmax) return false;
    // Masks, one on top of the other, must come right before the softmax: any other operation need not preserve −∞.
    StepId scores = node.inputs[0];
    for (const Node* mask = &nodes_[static_cast<std::size_t>(scores)]; mask->recipe && mask->recipe->step.op == Op::Mask;
         mask = &nodes_[static_cast<std::size_t>(scores)]) {
        found.push_back(scores);
        const StepId pattern = mask->inputs[1];
        if (nodes_[static_cast<std::size_t>(pattern)].recipe) return false;
        found.push_back(pattern);
        scores = mask->inputs[0];
    }
    return scores != node.inputs[0] && is_of_scores(scores, found);
}

bool Making::is_of_scores(StepId id, std::vector<StepId>& found) const {
    if (std::find(found.begin(), found.end(), id) != found.end()) return true;
    found.push_back(id);
    const Node& node = nodes_[static_cast<std::size_t>(id)];
    if (!node.recipe) return node.by_rows;
    const Step& step = node.recipe->step;
    if (step.op == Op::MatMul) return true;
    return is_bounded(step) && std::all_of(node.inputs.begin(), node.inputs.end(), [&](StepId input) { return is_of_scores(input, found); });
}

/// Whether a node that is not by keys reads one of these whole. (The last one reads the weights as they are.)
bool Making::read_by_others(const std::vector<StepId>& found) const {
    const auto among = [&](StepId id) { return std::find(found.begin(), found.end(), id) != found.end(); };
    for (StepId id = 0; id < static_cast<StepId>(nodes_.size()); ++id) {
        const Node& node = nodes_[static_cast<std::size_t>(id)];
        const bool product = node.recipe && node.recipe->step.op == Op::MatMul, last = &node == &nodes_.back();
        for (std::size_t i = 0; i < node.inputs.size(); ++i) {
            const bool as_keys = last ? i == 0 : among(id) && !product;
            if (among(node.inputs[i]) && !as_keys) return true;
        }
    }
    return false;
}

/// The number of keys that the rows see, rounded up to whole tiles of the product.
Index Making::seen_keys(Index first, Index count) const {
    constexpr int kTile = 32;
    if (seen_.empty() || count == 0) return all_keys();
    int most = 0;
    for (Index row = first; row < first + count; ++row) {
        int past = static_cast<int>(all_keys());
        for (const auto& mask : seen_) past = std::min(past, mask->past[static_cast<std::size_t>(row)]);
        most = std::max(most, past);
    }
    return std::min<Index>((std::max(most, 1) + kTile - 1) / kTile * kTile, all_keys());
}

/// A bound on the absolute value of the node's numbers, including those left out; 0 where none is left out.
double Making::most(const Trace& t, const std::vector<double>& before, const Node& node, const Block& block) const {
    // For the last node: the norm of the values, because those that are not mixed must be finite.
    if (!node.recipe || &node == &nodes_.back()) return node.length;
    if (!node.by_keys) return 0;
    const Step& step = node.recipe->step;
    if (step.op == Op::MatMul) return 1.01 * length_of(left_of(t, node, block)) * node.length;
    if (!is_bounded(step)) return 0;  // masked from here on
    std::vector<double> of;
    for (const StepId input : node.inputs) of.push_back(before[static_cast<std::size_t>(input)]);
    return operation_of(step.op).bound(step, of);
}

}  // namespace attn
