#include "core/analysis/over_texts.h"

#include <cmath>
#include <cstdint>
#include <limits>

#include "core/remake/remake.h"

namespace attn {
namespace {

void add_distances(const Trace& trace, const AttentionMap& map, std::map<int, Moments>& out) {
    const VisibleKeys visible(trace, map);
    std::vector<std::uint8_t> seen(static_cast<std::size_t>(map.cols));
    for (int query = 0; query < map.rows(); ++query) {
        if (visible.of(query, seen) < 2) continue;
        const float* const weights = visible.weights(query);
        for (int key = 0; key < visible.keys(query); ++key)
            if (seen[static_cast<std::size_t>(key)] != 0) out[query - key].add(static_cast<double>(weights[key]));
    }
}

void add_known(double value, Moments& out) {
    if (!std::isnan(value)) out.add(value);
}

}  // namespace

void Moments::add(double value) {
    const double before = value - mean_;
    mean_ += before / ++count_;
    squares_ += before * (value - mean_);
}

double Moments::mean() const { return count_ > 0 ? mean_ : std::numeric_limits<double>::quiet_NaN(); }

double Moments::deviation() const {
    return count_ > 1 ? std::sqrt(squares_ / (count_ - 1)) : std::numeric_limits<double>::quiet_NaN();
}

HeadOverTexts& HeadsOverTexts::head_of(const Tag& tag) {
    for (HeadOverTexts& head : heads_)
        if (head.tag == tag) return head;
    heads_.emplace_back().tag = tag;
    return heads_.back();
}

void HeadsOverTexts::add(const Trace& trace) {
    ++texts_;
    for (const AttentionMap& map : attention_maps(trace)) {
        if (!is_of_texts(map)) continue;
        const PinScope pins;  // evicts what was recomputed for one head before the next
        const HeadRoles roles = head_roles_of(trace, map);
        HeadOverTexts& head = head_of(map.tag);
        for (std::size_t role = 0; role < kHeadRoles; ++role) {
            add_known(roles.roles[role].share, head.shares[role]);
            add_known(roles.roles[role].chance, head.chances[role]);
        }
        add_known(roles.spread, head.spread);
        if (map.queries.kind == map.keys.kind) add_distances(trace, map, head.by_distance);
    }
}

}  // namespace attn
