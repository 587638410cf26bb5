// Selects the lines between queries and keys that are drawn (strongest_lines of heads.h).

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

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

}  // namespace

LineCollector::LineCollector(LineChoice choice, std::size_t maps) : choice_(std::move(choice)) { out_.least.resize(maps); }

std::size_t LineCollector::most() const { return static_cast<std::size_t>(std::max(choice_.most, 0)); }

bool LineCollector::wanted(int query, int key) const {
    if (choice_.queries.empty() && choice_.keys.empty()) return true;
    const auto has = [](const std::vector<int>& all, int one) { return std::find(all.begin(), all.end(), one) != all.end(); };
    return has(choice_.queries, query) || has(choice_.keys, key);
}

/// Drops all but the largest, so that never many more than requested are held.
void LineCollector::trim(std::size_t above) {
    if (out_.lines.size() <= above) return;
    const auto first_remaining = out_.lines.end() - static_cast<std::ptrdiff_t>(most());
    std::nth_element(out_.lines.begin(), first_remaining, out_.lines.end(), thinner);
    out_.lines.erase(out_.lines.begin(), first_remaining);
    if (!out_.lines.empty()) floor_ = out_.lines.front().weight;
}

void LineCollector::add_row(std::size_t map, const Matrix& weights, int query) {
    keys_.clear();
    double sum = 0;
    for (int c = 0; c < static_cast<int>(weights.cols()); ++c) {
        const float w = weights(query, c);
        if (!std::isfinite(w) || w <= 0) continue;
        keys_.push_back(c);
        sum += static_cast<double>(w);
    }
    out_.all += static_cast<long long>(keys_.size());
    const auto larger = [&](int a, int b) {
        return weights(query, a) != weights(query, b) ? weights(query, a) > weights(query, b) : a < b;
    };
    const double goal = std::clamp(choice_.keep, 0.0, 1.0) * sum * (1 - kSlack);
    double reached = 0;
    float& least = out_.least[map].emplace_back(std::numeric_limits<float>::infinity());
    std::size_t sorted = choice_.keep >= 1 ? keys_.size() : 0;
    for (std::size_t i = 0; i < keys_.size(); ++i) {
        if (i > 0 && choice_.keep < 1 && reached >= goal) break;
        if (i >= sorted) {
            sorted = std::min(keys_.size(), std::max(kSortedAtFirst, 2 * sorted));
            std::partial_sort(keys_.begin() + static_cast<std::ptrdiff_t>(i), keys_.begin() + static_cast<std::ptrdiff_t>(sorted), keys_.end(),
                              larger);
        }
        reached += static_cast<double>(weights(query, keys_[i]));
        least = std::min(least, weights(query, keys_[i]));
        if (!wanted(query, keys_[i])) continue;
        ++out_.remaining;
        if (weights(query, keys_[i]) >= floor_) out_.lines.push_back({static_cast<int>(map), query, keys_[i], weights(query, keys_[i])});
    }
    trim(4 * most() + 64);
}

void LineCollector::add(std::size_t map, const Matrix& weights, const std::stop_token& stop) {
    for (int r = 0; r < static_cast<int>(weights.rows()) && !stop.stop_requested(); ++r) add_row(map, weights, r);
}

AttentionLines LineCollector::collected() {
    trim(most());
    std::sort(out_.lines.begin(), out_.lines.end(), thinner);
    return std::move(out_);
}

AttentionLines strongest_lines(MapRefs maps, const LineChoice& choice, const std::stop_token& stop) {
    LineCollector collector(choice, maps.size());
    for (std::size_t i = 0; i < maps.size(); ++i) collector.add(i, *maps[i], stop);
    return collector.collected();
}

}  // namespace attn
