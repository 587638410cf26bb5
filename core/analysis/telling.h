#pragma once
// Which number of a run to explain by default.

#include <optional>

#include "core/analysis/heads.h"

namespace attn {

/// A query, and the key with its largest weight.
struct TellingPair {
    int query = 0, key = 0;
    bool operator==(const TellingPair&) const = default;
};

/// The most informative row of a map: the one whose entropy is farthest below that of even weights, the log of the
/// number of visible keys, so that a row with one key has no information. Rows with their largest weight on themselves
/// are considered only if all are such rows. Among rows nearly as informative as the best (kNearly) it is the last one,
/// which has the most previous words. In a map of many rows, only evenly spaced ones are examined. None: the map is
/// empty, or no row differs from even weights.
inline constexpr double kNearly = 0.75;
inline constexpr int kRowsLookedAt = 64;
std::optional<TellingPair> telling_pair(const Trace& trace, const AttentionMap& map);
/// For the map of a step: that of its head, layer and part, else the first one; for a step of all heads, that of
/// `head`.
std::optional<TellingPair> telling_pair(const Trace& trace, StepId step, int head = kNoHead);

/// The query and key that a cell belongs to. For a cell along features: the token's row, with the key of its largest
/// weight (for keys and values: with the query that gives the token its largest weight). None: the cell belongs to no
/// token.
std::optional<TellingPair> pair_of(const Trace& trace, Cell cell);

/// The same query in another step: its key is the one with the largest weight in the attention of that step's layer,
/// part and head.
TellingPair pair_at(const Trace& trace, StepId step, const TellingPair& pair);

/// The cell of a step that belongs to the pair: the query's row, and the key's column or row; along features, the
/// number with the largest absolute value. If a step has only one query (decoding), the key with its largest weight.
/// The first cell if the step has neither.
Cell telling_cell(const Trace& trace, StepId step, const TellingPair& pair);

}  // namespace attn
