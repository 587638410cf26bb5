#include "core/analysis/head_changes.h"

#include <algorithm>
#include <cmath>

#include "core/remake/remake.h"

namespace attn {
namespace {

/// Length of the longest common subsequence of the remaining tokens, from each pair of positions on.
using Lengths = Eigen::Matrix<int, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Lengths common_lengths(const std::vector<std::string>& one, const std::vector<std::string>& other) {
    Lengths out = Lengths::Zero(std::ssize(one) + 1, std::ssize(other) + 1);
    for (auto i = std::ssize(one); i-- > 0;)
        for (auto j = std::ssize(other); j-- > 0;)
            out(i, j) = one[static_cast<std::size_t>(i)] == other[static_cast<std::size_t>(j)] ? out(i + 1, j + 1) + 1 : std::max(out(i + 1, j), out(i, j + 1));
    return out;
}

/// Aligns the tokens between two aligned ones, if both sides have equally many.
void pair_between(std::vector<int>& out, int first, int past, int other_first, int other_past) {
    if (past - first != other_past - other_first) return;
    for (int i = first; i < past; ++i) out[static_cast<std::size_t>(i)] = other_first + i - first;
}

const std::vector<int>& places_along(const Axis& axis, const HeadChanges& changes) {
    return axis.kind == Axis::Kind::SourceTokens ? changes.source_tokens : changes.tokens;
}

/// Compares one row of each map over the keys of both.
void compare_rows(const Matrix& one, const Matrix& other, int query, int other_query, const std::vector<int>& keys, HeadChange& out) {
    const auto weight = [](const Matrix& of, int row, int col) {
        const float value = row < of.rows() && col < of.cols() ? of(row, col) : 0;
        return std::isfinite(value) ? static_cast<double>(value) : 0.0;
    };
    double sum = 0, most = -1, left = 0;
    HeadChange here;
    for (int j = 0; j < static_cast<int>(one.cols()); ++j) {
        const int there = keys[static_cast<std::size_t>(j)];
        const double before = weight(one, query, j), after = there < 0 ? 0 : weight(other, other_query, there);
        sum += std::abs(before - after);
        left += after;
        if (std::abs(before - after) <= most) continue;
        most = std::abs(before - after);
        here.key = j;
        here.before = before;
        here.after = after;
    }
    // The other row's weight on keys without a counterpart in this one.
    double all = 0;
    for (int j = 0; j < static_cast<int>(other.cols()); ++j) all += weight(other, other_query, j);
    const double alone = std::max(0.0, all - left), apart = (sum + alone) / 2;
    if (alone > most) here = HeadChange{.after = alone};
    out.distance += apart;
    ++out.queries;
    if (out.queries > 1 && apart <= out.largest) return;
    out.largest = apart;
    out.query = query;
    out.key = here.key;
    out.before = here.before;
    out.after = here.after;
}

}  // namespace

std::vector<int> aligned_tokens(const std::vector<std::string>& one, const std::vector<std::string>& other) {
    std::vector<int> out(one.size(), -1);
    const int rows = static_cast<int>(one.size()), cols = static_cast<int>(other.size());
    if (rows == cols) {
        pair_between(out, 0, rows, 0, cols);
        return out;
    }
    const Lengths common = common_lengths(one, other);
    int i = 0, j = 0, after = 0, other_after = 0;  // after the last aligned pair
    while (i < rows && j < cols) {
        if (one[static_cast<std::size_t>(i)] == other[static_cast<std::size_t>(j)]) {
            pair_between(out, after, i, other_after, j);
            out[static_cast<std::size_t>(i)] = j;
            after = ++i;
            other_after = ++j;
        } else if (common(i + 1, j) >= common(i, j + 1)) {
            ++i;
        } else {
            ++j;
        }
    }
    pair_between(out, after, rows, other_after, cols);
    return out;
}

HeadChanges head_changes(const Trace& one, const Trace& other) {
    HeadChanges out;
    out.tokens = aligned_tokens(one.tokens, other.tokens);
    out.source_tokens = aligned_tokens(one.source_tokens, other.source_tokens);
    const std::vector<AttentionMap> maps = attention_maps(one), others = attention_maps(other);
    std::size_t matched = 0;
    for (const AttentionMap& map : maps) {
        const auto there = std::find_if(others.begin(), others.end(), [&](const AttentionMap& m) { return m.tag == map.tag; });
        if (there == others.end()) {
            ++out.missing;
            continue;
        }
        ++matched;
        const PinScope pins;
        const Matrix a = weights_of(one, map), b = weights_of(other, *there);
        const std::vector<int>&queries = places_along(map.queries, out), &keys = places_along(map.keys, out);
        HeadChange change{.tag = map.tag, .queries_of = map.queries, .keys_of = map.keys};
        // For generated texts and patches there may be more or fewer rows than tokens.
        for (int row = 0; row < static_cast<int>(a.rows()); ++row) {
            const auto at = static_cast<std::size_t>(map.queries.first + row);
            const int place = at < queries.size() ? queries[at] - there->queries.first : -1;
            if (place < 0 || place >= static_cast<int>(b.rows()) || static_cast<std::size_t>(a.cols()) > keys.size()) continue;
            compare_rows(a, b, row, place, keys, change);
        }
        if (change.queries == 0) {
            ++out.missing;
            continue;
        }
        change.distance /= change.queries;
        out.heads.push_back(change);
    }
    out.missing += static_cast<int>(others.size() - matched);
    std::stable_sort(out.heads.begin(), out.heads.end(), [](const HeadChange& a, const HeadChange& b) { return a.distance > b.distance; });
    return out;
}

}  // namespace attn
