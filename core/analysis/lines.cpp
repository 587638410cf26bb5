// Selects the lines between queries and keys that are drawn (strongest_lines of heads.h).

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/analysis/heads.h"

namespace attn {
namespace {

/// How many weights of a row are sorted at first; most rows need no more.
constexpr std::size_t kSortedAtFirst = 32;
/// Rounding error of a row's sum that a share of 1 must tolerate.
constexpr double kSlack = 1e-6;

bool thinner(const AttentionLine& a, const AttentionLine& b) {
    if (a.weight != b.weight) return a.weight < b.weight;
    if (a.map != b.map) return a.map > b.map;
    return a.query != b.query ? a.query > b.query : a.key > b.key;
}

struct Collector {
    const LineChoice& choice;
    AttentionLines out;
    std::vector<int> keys{};  ///< of the current row
    float floor = 0;          ///< smaller weights can no longer be among the largest

    std::size_t most() const { return static_cast<std::size_t>(std::max(choice.most, 0)); }

    bool wanted(int query, int key) const {
        if (choice.queries.empty() && choice.keys.empty()) return true;
        const auto has = [](const std::vector<int>& all, int one) {
            return std::find(all.begin(), all.end(), one) != all.end();
        };
        return has(choice.queries, query) || has(choice.keys, key);
    }

    /// Drops all but the largest, so that never many more than requested are held.
    void trim(std::size_t above) {
        if (out.lines.size() <= above) return;
        const auto first_remaining = out.lines.end() - static_cast<std::ptrdiff_t>(most());
        std::nth_element(out.lines.begin(), first_remaining, out.lines.end(), thinner);
        out.lines.erase(out.lines.begin(), first_remaining);
        if (!out.lines.empty()) floor = out.lines.front().weight;
    }

    void row(int map, const Matrix& weights, int query) {
        keys.clear();
        double sum = 0;
        for (int c = 0; c < static_cast<int>(weights.cols()); ++c) {
            const float w = weights(query, c);
            if (!std::isfinite(w) || w <= 0) continue;
            keys.push_back(c);
            sum += static_cast<double>(w);
        }
        out.all += static_cast<long long>(keys.size());
        const auto larger = [&](int a, int b) {
            return weights(query, a) != weights(query, b) ? weights(query, a) > weights(query, b) : a < b;
        };
        const double goal = std::clamp(choice.keep, 0.0, 1.0) * sum * (1 - kSlack);
        double reached = 0;
        float& least = out.least[static_cast<std::size_t>(map)].emplace_back(std::numeric_limits<float>::infinity());
        std::size_t sorted = choice.keep >= 1 ? keys.size() : 0;
        for (std::size_t i = 0; i < keys.size(); ++i) {
            if (i > 0 && choice.keep < 1 && reached >= goal) break;
            if (i >= sorted) {
                sorted = std::min(keys.size(), std::max(kSortedAtFirst, 2 * sorted));
                std::partial_sort(keys.begin() + static_cast<std::ptrdiff_t>(i),
                                  keys.begin() + static_cast<std::ptrdiff_t>(sorted), keys.end(), larger);
            }
            reached += static_cast<double>(weights(query, keys[i]));
            least = std::min(least, weights(query, keys[i]));
            if (!wanted(query, keys[i])) continue;
            ++out.remaining;
            if (weights(query, keys[i]) >= floor) out.lines.push_back({map, query, keys[i], weights(query, keys[i])});
        }
        trim(4 * most() + 64);
    }
};

}  // namespace

AttentionLines strongest_lines(MapRefs maps, const LineChoice& choice, const std::stop_token& stop) {
    Collector collector{choice, {}};
    collector.out.least.resize(maps.size());
    for (std::size_t i = 0; i < maps.size(); ++i)
        for (int r = 0; r < static_cast<int>(maps[i]->rows()) && !stop.stop_requested(); ++r)
            collector.row(static_cast<int>(i), *maps[i], r);
    collector.trim(collector.most());
    std::sort(collector.out.lines.begin(), collector.out.lines.end(), thinner);
    return std::move(collector.out);
}

}  // namespace attn
