#include "core/study/telling.h"

#include <algorithm>
#include <cmath>

namespace attn {
namespace {

using Kind = Axis::Kind;

struct RowSays {
    int query = 0, key = 0;
    double below = 0;  ///< nats by which the entropy stays below that of even weights
    bool of_itself = false;
};

std::optional<RowSays> row_says(const Trace& trace, const AttentionMap& map, int query) {
    RowSays out{query};
    double entropy = 0, largest = 0;
    int seen = 0;
    for (int key = 0; key < map.cols; ++key) {
        const Cell cell = map.cell(trace, query, key);
        if (cell.step == kNoStep) continue;
        const auto weight = static_cast<double>(trace[cell.step].value(cell.row, cell.col));
        if (!(weight > 0)) continue;
        ++seen;
        entropy -= weight * std::log(weight);
        if (weight > largest) largest = weight, out.key = key;
    }
    if (seen < 2) return std::nullopt;
    out.below = std::log(seen) - entropy;
    out.of_itself = map.queries.kind == map.keys.kind && out.key == query;
    return out;
}

bool is_of_tokens(Kind kind) { return kind == Kind::Tokens || kind == Kind::SourceTokens || kind == Kind::Things; }

/// Roles whose rows are looked at, though they may stand for the same tokens as the queries.
bool has_rows_of_keys(Role role) {
    switch (role) {
        case Role::Keys:
        case Role::Values:
        case Role::RotatedKeys:
        case Role::CachedKeys:
        case Role::CachedValues:
        case Role::ScoreKeys:
        case Role::UnitKeys:
        case Role::KeyProducts:
        case Role::ValueProducts:
            return true;
        default:
            return false;
    }
}

int within(int index, Eigen::Index count) { return std::clamp(index, 0, static_cast<int>(count) - 1); }

template <class Numbers>
int largest_in_size(const Numbers& numbers) {
    int best = 0;
    for (int i = 1; i < static_cast<int>(numbers.size()); ++i)
        if (std::abs(numbers(i)) > std::abs(numbers(best))) best = i;
    return best;
}

}  // namespace

std::optional<TellingPair> telling_pair(const Trace& trace, const AttentionMap& map) {
    std::vector<RowSays> rows;
    const int count = std::min(map.rows(), kRowsLookedAt);
    for (int i = 0; i < count; ++i) {
        const int query = count < 2 ? 0 : static_cast<int>(static_cast<long long>(i) * (map.rows() - 1) / (count - 1));
        if (const auto says = row_says(trace, map, query)) rows.push_back(*says);
    }
    const bool all_of_themselves = std::all_of(rows.begin(), rows.end(), [](const RowSays& r) { return r.of_itself; });
    if (!all_of_themselves) std::erase_if(rows, [](const RowSays& r) { return r.of_itself; });
    double best = 0;
    for (const RowSays& row : rows) best = std::max(best, row.below);
    constexpr double kNothing = 1e-6;
    if (best <= kNothing) return std::nullopt;
    const auto told = std::find_if(rows.rbegin(), rows.rend(), [&](const RowSays& r) { return r.below >= kNearly * best; });
    return TellingPair{told->query, told->key};
}

std::optional<TellingPair> telling_pair(const Trace& trace, StepId step) {
    const std::vector<AttentionMap> maps = attention_maps(trace);
    if (maps.empty()) return std::nullopt;
    const Tag tag = step == kNoStep ? Tag{} : trace[step].tag;
    const auto fits = [&](const AttentionMap& m) {
        return (m.tag.head == tag.head || tag.head == kNoHead) && m.tag.layer == tag.layer && m.tag.part == tag.part;
    };
    const auto own = std::find_if(maps.begin(), maps.end(), fits);
    return telling_pair(trace, own == maps.end() ? maps.front() : *own);
}

Cell telling_cell(const Trace& trace, StepId id, const TellingPair& pair) {
    const Step& step = trace[id];
    const auto& value = step.value;
    if (value.size() == 0) return {id, 0, 0};
    const bool rows = is_of_tokens(step.rows.kind), cols = is_of_tokens(step.cols.kind);
    if (rows && cols) return {id, within(pair.query, value.rows()), within(pair.key, value.cols())};
    if (rows) {
        const int row = within(has_rows_of_keys(step.tag.role) ? pair.key : pair.query, value.rows());
        return {id, row, largest_in_size(value.row(row))};
    }
    if (cols) {
        const int col = within(pair.key, value.cols());
        return {id, largest_in_size(value.matrix().col(col)), col};
    }
    return {id, 0, 0};
}

}  // namespace attn
