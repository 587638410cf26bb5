#include "core/analysis/head_roles.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <unordered_map>

#include "core/base/parallel.h"
#include "core/remake/remake.h"
#include "core/text/unicode.h"

namespace attn {
namespace {

constexpr std::array<HeadRoleRow, kHeadRoles> kRows = {{
    {"previous", "weight on the token before"},
    {"same", "weight on the token itself"},
    {"next", "weight on the token after"},
    {"first", "weight on the first token"},
    {"duplicate", "weight on earlier copies of the same token"},
    {"induction", "weight on what follows earlier copies of the same token"},
    {"delimiter", "weight on punctuation and separators"},
}};

/// A running mean.
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

/// For each token the positions of its earlier copies, ascending. It is the same for all heads of a run.
std::vector<std::vector<int>> earlier_copies(const std::vector<std::string>& tokens) {
    std::unordered_map<std::string_view, std::vector<int>> seen;
    std::vector<std::vector<int>> out;
    for (const std::string& token : tokens) {
        std::vector<int>& places = seen[token];
        out.push_back(places);
        places.push_back(static_cast<int>(out.size()) - 1);
    }
    return out;
}

/// The positions that each role reads the tokens for.
struct TokenPlaces {
    std::vector<std::vector<int>> copies;
    std::vector<int> delimiters;
};

/// Calls visit(key) for the keys of a role at a query, ascending. Some may be masked.
template <class Visit>
void each_key(HeadRole role, int query, const TokenPlaces& places, Visit visit) {
    const auto copied = [&](int behind) {
        if (query < static_cast<int>(places.copies.size()))
            for (const int place : places.copies[static_cast<std::size_t>(query)]) visit(place + behind);
    };
    switch (role) {
        case HeadRole::Previous:
            return visit(query - 1);
        case HeadRole::Same:
            return visit(query);
        case HeadRole::Next:
            return visit(query + 1);
        case HeadRole::First:
            return visit(0);
        case HeadRole::Duplicate:
            return copied(0);
        case HeadRole::Induction:
            return copied(1);
        case HeadRole::Delimiter:
            for (const int place : places.delimiters) visit(place);
            return;
    }
}

bool has_keys_in(HeadRole role, bool one_text, int query) {
    return role == HeadRole::First ? !one_text || query > 0 : one_text;
}

double entropy_of(const float* weights, int count) {
    double out = 0;
    for (int i = 0; i < count; ++i)
        if (weights[i] > 0) out -= static_cast<double>(weights[i]) * std::log(static_cast<double>(weights[i]));
    return out;
}

/// The measures of one row; `keys` counts the visible keys of each role.
struct RowRoles {
    int seen = 0;
    double entropy = 0;
    std::array<double, kHeadRoles> share{};
    std::array<int, kHeadRoles> keys{};
};

}  // namespace

std::span<const HeadRoleRow, kHeadRoles> head_roles() { return kRows; }

HeadRoles head_roles_of(const Trace& trace, const AttentionMap& map) {
    const bool one_text = map.queries.kind == map.keys.kind;
    TokenPlaces places;
    if (one_text) {
        const std::vector<std::string>& tokens = tokens_of(trace, map.queries);
        places.copies = earlier_copies(tokens);
        for (int i = 1; i < static_cast<int>(tokens.size()); ++i)
            if (is_delimiter(tokens[static_cast<std::size_t>(i)])) places.delimiters.push_back(i);
    }
    std::vector<RowRoles> rows(map.places.size());
    const VisibleKeys visible(trace, map);
    // Rows are independent of the thread that reads them, and are summed in order.
    share_rows(map.rows(), 8.0 * map.cols, [&](std::ptrdiff_t first, std::ptrdiff_t past) {
        std::vector<std::uint8_t> seen(static_cast<std::size_t>(map.cols));
        for (auto query = static_cast<int>(first); query < static_cast<int>(past); ++query) {
            RowRoles& row = rows[static_cast<std::size_t>(query)];
            row.seen = visible.of(query, seen);
            if (row.seen < 2) continue;
            const float* const weights = visible.weights(query);
            row.entropy = entropy_of(weights, visible.keys(query));
            for (std::size_t role = 0; role < kHeadRoles; ++role) {
                if (!has_keys_in(static_cast<HeadRole>(role), one_text, query)) continue;
                each_key(static_cast<HeadRole>(role), query, places, [&](int key) {
                    if (key < 0 || key >= map.cols || seen[static_cast<std::size_t>(key)] == 0) return;
                    row.share[role] += static_cast<double>(weights[key]);
                    ++row.keys[role];
                });
            }
        }
    });
    std::array<Mean, kHeadRoles> shares, chances;
    Mean spread;
    for (const RowRoles& row : rows) {
        if (row.seen < 2) continue;
        spread.add(row.entropy / std::log(static_cast<double>(row.seen)));
        for (std::size_t role = 0; role < kHeadRoles; ++role) {
            if (row.keys[role] == 0) continue;
            shares[role].add(row.share[role]);
            chances[role].add(static_cast<double>(row.keys[role]) / static_cast<double>(row.seen));
        }
    }
    HeadRoles out{.tag = map.tag, .spread = spread.value()};
    for (std::size_t role = 0; role < kHeadRoles; ++role)
        out.roles[role] = {shares[role].value(), chances[role].value(), shares[role].count()};
    return out;
}

bool is_delimiter(std::string_view token) {
    if (is_special_token(token)) return true;
    bool any = false;
    for (const char32_t c : to_code_points(token)) {
        const CharKind kind = kind_of(c);
        if (kind == CharKind::Space || c == U'\u0120' || c == U'\u2581') continue;  // Ġ and ▁ are spaces before a word
        if (kind != CharKind::Punctuation) return false;
        any = true;
    }
    return any;
}

bool is_of_texts(const AttentionMap& map) {
    const auto of_text = [](const Axis& axis) { return axis.kind == Axis::Kind::Tokens || axis.kind == Axis::Kind::SourceTokens; };
    return of_text(map.queries) && of_text(map.keys);
}

std::vector<HeadRoles> measured_heads(const Trace& trace) {
    std::vector<HeadRoles> out;
    for (const AttentionMap& map : attention_maps(trace)) {
        if (!is_of_texts(map)) continue;
        const PinScope pins;  // evicts what was recomputed for one head before the next
        out.push_back(head_roles_of(trace, map));
    }
    return out;
}

}  // namespace attn
