#include "core/analysis/telling.h"

#include <algorithm>
#include <cmath>

namespace attn {
namespace {

using Kind = Axis::Kind;

struct RowSays {
    int query = 0, key = 0;
    double below = 0;  ///< nats by which the entropy is below that of even weights
    bool of_itself = false;
};

std::optional<RowSays> row_says(const Trace& trace, const AttentionMap& map, int query) {
    RowSays out{query};
    const std::vector<bool> visible = visible_keys(trace, map, query);
    const auto seen = std::count(visible.begin(), visible.end(), true);
    double entropy = 0, largest = 0;
    const Cell place = map.places[static_cast<std::size_t>(query)];
    const RowVector weights = trace[place.step].value.one_row(place.row);
    for (int key = 0; key < std::min(map.cols, static_cast<int>(weights.size())); ++key) {
        const auto weight = static_cast<double>(weights(key));
        if (!(weight > 0)) continue;
        entropy -= weight * std::log(weight);
        if (weight > largest) largest = weight, out.key = key;
    }
    if (seen < 2) return std::nullopt;
    out.below = std::log(static_cast<double>(seen)) - entropy;
    out.of_itself = map.queries.kind == map.keys.kind && out.key == query;
    return out;
}

bool is_of_tokens(Kind kind) { return kind == Kind::Tokens || kind == Kind::SourceTokens || kind == Kind::Things; }

int within(int index, Eigen::Index count) { return std::clamp(index, 0, static_cast<int>(count) - 1); }

template <class Numbers>
int largest_in_size(const Numbers& numbers) {
    int best = 0;
    for (int i = 1; i < static_cast<int>(numbers.size()); ++i)
        if (std::abs(numbers(i)) > std::abs(numbers(best))) best = i;
    return best;
}

/// The first of the largest finite ones.
template <class Numbers>
int largest_of_row(const Numbers& numbers) {
    int best = 0;
    for (int i = 1; i < static_cast<int>(numbers.size()); ++i)
        if (std::isfinite(numbers(i)) && (!std::isfinite(numbers(best)) || numbers(i) > numbers(best))) best = i;
    return best;
}

/// The key with a row's largest weight, or the row with a key's largest weight; 0 if there is none.
int strongest(const Trace& trace, const AttentionMap& map, int at, bool at_is_key) {
    int best = 0;
    float most = -1;
    const int count = at_is_key ? map.rows() : map.cols;
    for (int other = 0; other < count; ++other) {
        const Cell cell = at_is_key ? map.cell(trace, other, at) : map.cell(trace, at, other);
        if (cell.step == kNoStep) continue;
        const float weight = trace[cell.step].value(cell.row, cell.col);
        if (weight > most) most = weight, best = other;
    }
    return best;
}

/// The map of a step: that of its head, layer and part, else the first one; for a step of all heads, that of `shown`.
const AttentionMap& map_of(const Trace& trace, const std::vector<AttentionMap>& maps, StepId step, int shown = kNoHead) {
    const Tag tag = step == kNoStep ? Tag{} : trace[step].tag;
    const int head = tag.head == kNoHead ? shown : tag.head;
    const auto of_head = [&](const AttentionMap& m) { return head == kNoHead || m.tag.head == kNoHead || m.tag.head == head; };
    const auto fits = [&](const AttentionMap& m) { return of_head(m) && m.tag.layer == tag.layer && m.tag.part == tag.part; };
    if (const auto own = std::find_if(maps.begin(), maps.end(), fits); own != maps.end()) return *own;
    const auto first = std::find_if(maps.begin(), maps.end(), of_head);
    return first == maps.end() ? maps.front() : *first;
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
    constexpr double kNoDifference = 1e-6;
    if (best <= kNoDifference) return std::nullopt;
    const auto chosen = std::find_if(rows.rbegin(), rows.rend(), [&](const RowSays& r) { return r.below >= kNearly * best; });
    return TellingPair{chosen->query, chosen->key};
}

std::optional<TellingPair> telling_pair(const Trace& trace, StepId step, int head) {
    const std::vector<AttentionMap> maps = attention_maps(trace);
    if (maps.empty()) return std::nullopt;
    return telling_pair(trace, map_of(trace, maps, step, head));
}

std::optional<TellingPair> pair_of(const Trace& trace, Cell cell) {
    const Step& step = trace[cell.step];
    const bool rows = is_of_tokens(step.rows.kind), cols = is_of_tokens(step.cols.kind);
    if (rows && cols) return TellingPair{step.rows.first + cell.row, step.cols.first + cell.col};
    if (!rows && !cols) return std::nullopt;
    const bool key = !rows || has_trait(step.tag.role, kKeyRows);
    const int at = rows ? step.rows.first + cell.row : step.cols.first + cell.col;
    const std::vector<AttentionMap> maps = attention_maps(trace);
    if (maps.empty()) return TellingPair{at, at};
    const AttentionMap& map = map_of(trace, maps, cell.step);
    if (at >= (key ? map.cols : map.rows())) return TellingPair{at, at};
    const int other = strongest(trace, map, at, key);
    return key ? TellingPair{other, at} : TellingPair{at, other};
}

TellingPair pair_at(const Trace& trace, StepId step, const TellingPair& pair) {
    const std::vector<AttentionMap> maps = attention_maps(trace);
    if (maps.empty()) return pair;
    const AttentionMap& map = map_of(trace, maps, step);
    return pair.query < map.rows() ? TellingPair{pair.query, strongest(trace, map, pair.query, false)} : pair;
}

Cell telling_cell(const Trace& trace, StepId id, const TellingPair& pair) {
    const Step& step = trace[id];
    const auto& value = step.value;
    if (value.size() == 0) return {id, 0, 0};
    const bool rows = is_of_tokens(step.rows.kind), cols = is_of_tokens(step.cols.kind);
    if (step.rows.kind == Kind::Pairs && step.rows.span > 0) {
        const bool one = value.rows() <= step.rows.span;
        const int row = within((one ? 0 : pair.query * step.rows.span) + pair.key, value.rows());
        return {id, row, largest_in_size(value.one_row(row))};
    }
    if (rows && cols && value.rows() == 1 && step.tag.time != kNoTime) return {id, 0, largest_of_row(value.row(0))};
    if (rows && cols) return {id, within(pair.query, value.rows()), within(pair.key, value.cols())};
    if (rows) {
        const int row = within(has_trait(step.tag.role, kKeyRows) ? pair.key : pair.query, value.rows());
        // Of a vocabulary the likeliest word, however far below 0 the number of the unlikeliest is; of its gradient the largest.
        return {id, row, step.cols.kind == Kind::Words && step.tag.pass == 0 ? largest_of_row(value.one_row(row)) : largest_in_size(value.one_row(row))};
    }
    if (cols) {
        const int col = within(pair.key, value.cols());
        return {id, largest_in_size(value.matrix().col(col)), col};
    }
    return {id, 0, 0};
}

}  // namespace attn
