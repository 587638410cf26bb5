#include "core/analysis/through_layers.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/remake/remake.h"

namespace attn {
namespace {

constexpr std::array<std::string_view, 3> kThroughIds = {"rollout", "flow", "average"};

bool is_of_one_text(const AttentionMap& map) {
    const bool same = map.queries.kind == map.keys.kind && map.queries.first == map.keys.first;
    const bool text = map.queries.kind == Axis::Kind::Tokens || map.queries.kind == Axis::Kind::SourceTokens;
    return same && text && map.rows() == map.cols && map.rows() > 0;
}

/// Missing keys count as weight 0.
Matrix finite(const Matrix& m) {
    return m.unaryExpr([](float w) { return std::isfinite(w) ? w : 0.0f; });
}

Eigen::MatrixXd residual(const Matrix& mean) {
    Eigen::MatrixXd out = 0.5 * mean.cast<double>();
    out.diagonal().array() += 0.5;
    for (Eigen::Index r = 0; r < out.rows(); ++r)
        if (const double sum = out.row(r).sum(); sum > 0) out.row(r) /= sum;
    return out;
}

/// Largest flows in a graph of layers; each edge has its residual capacity, and its reverse edge is stored next to it.
class FlowNetwork {
public:
    FlowNetwork(const std::vector<Eigen::MatrixXd>& layers, int n) : n_(n), out_((layers.size() + 1) * static_cast<std::size_t>(n)) {
        // Node (l, i) is token i after l layers; its inputs are one layer below.
        for (std::size_t l = 0; l < layers.size(); ++l)
            for (int i = 0; i < n; ++i)
                for (int j = 0; j < n; ++j)
                    if (layers[l](i, j) > 0) add(node(l + 1, i), node(l, j), layers[l](i, j));
        full_ = capacity_;
    }
    std::size_t node(std::size_t layer, int token) const { return layer * static_cast<std::size_t>(n_) + static_cast<std::size_t>(token); }

    double most(std::size_t from, std::size_t to) {
        capacity_ = full_;
        double sum = 0;
        while (find_levels(from, to)) {
            next_.assign(out_.size(), 0);
            for (double pushed = 1; pushed > 0; sum += pushed) pushed = push(from, to, std::numeric_limits<double>::infinity());
        }
        return sum;
    }

private:
    /// Smaller capacities are rounding errors.
    static constexpr double kLeast = 1e-12;

    void add(std::size_t from, std::size_t to, double capacity) {
        out_[from].push_back(to_.size());
        to_.push_back(to);
        capacity_.push_back(capacity);
        out_[to].push_back(to_.size());
        to_.push_back(from);
        capacity_.push_back(0);
    }
    /// The number of edges from the source to each node, over edges with remaining capacity; false: the sink cannot be
    /// reached.
    bool find_levels(std::size_t from, std::size_t to) {
        level_.assign(out_.size(), -1);
        level_[from] = 0;
        std::vector<std::size_t> queue = {from};
        for (std::size_t at = 0; at < queue.size(); ++at)
            for (const std::size_t edge : out_[queue[at]])
                if (capacity_[edge] > kLeast && level_[to_[edge]] < 0) {
                    level_[to_[edge]] = level_[queue[at]] + 1;
                    queue.push_back(to_[edge]);
                }
        return level_[to] >= 0;
    }
    double push(std::size_t at, std::size_t to, double room) {
        if (at == to) return room;
        for (std::size_t& i = next_[at]; i < out_[at].size(); ++i) {
            const std::size_t edge = out_[at][i];
            if (capacity_[edge] <= kLeast || level_[to_[edge]] != level_[at] + 1) continue;
            if (const double pushed = push(to_[edge], to, std::min(room, capacity_[edge])); pushed > 0) {
                capacity_[edge] -= pushed;
                capacity_[edge ^ 1U] += pushed;
                return pushed;
            }
        }
        return 0;
    }

    int n_;
    std::vector<std::vector<std::size_t>> out_;
    std::vector<std::size_t> to_, next_;
    std::vector<double> capacity_, full_;
    std::vector<int> level_;
};

}  // namespace

std::string_view through_id(Through which) { return kThroughIds[static_cast<std::size_t>(which)]; }

std::optional<Through> find_through(std::string_view id) {
    for (std::size_t i = 0; i < kThroughIds.size(); ++i)
        if (kThroughIds[i] == id) return static_cast<Through>(i);
    return std::nullopt;
}

std::vector<LayerMaps> layer_maps(const Trace& trace) {
    std::vector<LayerMaps> out;
    std::vector<Part> gaps;  // a file may lack layers in between, about which nothing is known
    const std::vector<AttentionMap> maps = attention_maps(trace);
    const auto follows = [&](const LayerMaps& stack, int layer) { return stack.means.empty() || layer == stack.last_layer + 1; };
    for (std::size_t i = 0; i < maps.size();) {
        const Tag at = maps[i].tag.of_head(kNoHead);
        AverageMap mean;
        const bool own = is_of_one_text(maps[i]);
        for (; i < maps.size() && maps[i].tag.of_head(kNoHead) == at; ++i) {
            const PinScope pins;  // holds the values of one head at a time
            if (own) mean.add(finite(weights_of(trace, maps[i])));
        }
        if (!own) continue;
        auto stack = std::find_if(out.begin(), out.end(), [&](const LayerMaps& s) { return s.part == at.part; });
        if (stack == out.end()) stack = out.insert(out.end(), {at.part, {}, kNoLayer});
        if (!follows(*stack, at.layer)) gaps.push_back(at.part);
        stack->last_layer = at.layer;
        stack->means.push_back(mean.average());
    }
    std::erase_if(out, [&](const LayerMaps& stack) { return std::find(gaps.begin(), gaps.end(), stack.part) != gaps.end(); });
    return out;
}

Matrix attention_rollout(const std::vector<Matrix>& means) {
    if (means.empty()) return {};
    Eigen::MatrixXd out = residual(means.front());
    for (std::size_t l = 1; l < means.size(); ++l) out = residual(means[l]) * out;
    return out.cast<float>();
}

Matrix attention_flow(const std::vector<Matrix>& means, const std::stop_token& stop) {
    if (means.empty()) return {};
    std::vector<Eigen::MatrixXd> layers;
    for (const Matrix& mean : means) layers.push_back(residual(mean));
    const auto n = static_cast<int>(means.front().rows());
    FlowNetwork network(layers, n);
    Matrix out(n, n);
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
            if (stop.stop_requested()) return {};
            out(i, j) = static_cast<float>(network.most(network.node(layers.size(), i), network.node(0, j)));
        }
    return out;
}

Matrix attention_average(const std::vector<Matrix>& means) {
    if (means.empty()) return {};
    Eigen::MatrixXd out = Eigen::MatrixXd::Zero(means.front().rows(), means.front().cols());
    for (const Matrix& mean : means) out += mean.cast<double>();
    return (out / static_cast<double>(means.size())).cast<float>();
}

}  // namespace attn
