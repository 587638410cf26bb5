#include "core/analysis/head_roles.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace attn {
namespace {

constexpr std::array<HeadRoleRow, kHeadRoles> kRows = {{
    {"previous", "weight on the token before"},
    {"same", "weight on the token itself"},
    {"next", "weight on the token after"},
    {"first", "weight on the first token"},
    {"duplicate", "weight on earlier copies of the same token"},
    {"induction", "weight on what follows earlier copies of the same token"},
}};

/// A mean of what was added.
class Mean {
public:
    void add(double value) {
        sum_ += value;
        ++count_;
    }
    int count() const { return count_; }
    double value() const { return count_ > 0 ? sum_ / count_ : std::numeric_limits<double>::quiet_NaN(); }

private:
    double sum_ = 0;
    int count_ = 0;
};

const std::vector<std::string>& tokens_of(const Trace& trace, const Axis& axis) {
    return axis.kind == Axis::Kind::SourceTokens ? trace.source_tokens : trace.tokens;
}

/// The keys at which a role would look from a query, in the order of the text. Some may be masked.
std::vector<int> keys_of(HeadRole role, int query, const std::vector<std::string>& tokens) {
    const auto copies = [&](int behind) {
        std::vector<int> out;
        for (int i = 0; i < query && query < static_cast<int>(tokens.size()); ++i)
            if (tokens[static_cast<std::size_t>(i)] == tokens[static_cast<std::size_t>(query)]) out.push_back(i + behind);
        return out;
    };
    switch (role) {
        case HeadRole::Previous:
            return {query - 1};
        case HeadRole::Same:
            return {query};
        case HeadRole::Next:
            return {query + 1};
        case HeadRole::First:
            return {0};
        case HeadRole::Duplicate:
            return copies(0);
        case HeadRole::Induction:
            return copies(1);
    }
    return {};
}

bool has_keys_in(HeadRole role, bool one_text, int query) {
    return role == HeadRole::First ? !one_text || query > 0 : one_text;
}

double entropy_of(const Matrix& weights, Eigen::Index row) {
    double out = 0;
    for (const float weight : weights.row(row))
        if (weight > 0) out -= static_cast<double>(weight) * std::log(static_cast<double>(weight));
    return out;
}

}  // namespace

std::span<const HeadRoleRow, kHeadRoles> head_roles() { return kRows; }

HeadRoles head_roles_of(const Trace& trace, const AttentionMap& map) {
    const Matrix weights = weights_of(trace, map);
    const bool one_text = map.queries.kind == map.keys.kind;
    const std::vector<std::string>& tokens = tokens_of(trace, map.queries);
    std::array<Mean, kHeadRoles> shares, chances;
    Mean spread;
    for (int query = 0; query < map.rows(); ++query) {
        const std::vector<bool> visible = visible_keys(trace, map, query);
        const auto seen = std::count(visible.begin(), visible.end(), true);
        if (seen < 2) continue;
        spread.add(entropy_of(weights, query) / std::log(static_cast<double>(seen)));
        for (std::size_t role = 0; role < kHeadRoles; ++role) {
            if (!has_keys_in(static_cast<HeadRole>(role), one_text, query)) continue;
            double share = 0;
            int keys = 0;
            for (const int key : keys_of(static_cast<HeadRole>(role), query, tokens)) {
                if (key < 0 || key >= map.cols || !visible[static_cast<std::size_t>(key)]) continue;
                share += static_cast<double>(weights(query, key));
                ++keys;
            }
            if (keys == 0) continue;
            shares[role].add(share);
            chances[role].add(static_cast<double>(keys) / static_cast<double>(seen));
        }
    }
    HeadRoles out{.tag = map.tag, .spread = spread.value()};
    for (std::size_t role = 0; role < kHeadRoles; ++role)
        out.roles[role] = {shares[role].value(), chances[role].value(), shares[role].count()};
    return out;
}

}  // namespace attn
