#pragma once
// Which number of a run is worth explaining where nobody has chosen one.

#include <optional>

#include "core/analysis/heads.h"

namespace attn {

/// A query, and the key that it looks at most.
struct TellingPair {
    int query = 0, key = 0;
    bool operator==(const TellingPair&) const = default;
};

/// The row of a map that says most: by how much its entropy stays below that of even weights, log of the keys that it
/// may look at, so a row with one key says nothing. Rows that look at themselves most come after all others; of rows
/// that say nearly as much as the best (kNearly) it is the last, which has most words before it. Of a map of many rows
/// some are looked at, evenly apart. None: the map is empty, or no row differs from even weights.
inline constexpr double kNearly = 0.75;
inline constexpr int kRowsLookedAt = 64;
std::optional<TellingPair> telling_pair(const Trace& trace, const AttentionMap& map);
/// Of the map that belongs to a step: its head's, layer's and part's, else the first; to one of all heads `head`'s.
std::optional<TellingPair> telling_pair(const Trace& trace, StepId step, int head = kNoHead);

/// The pair that a cell speaks of: its query and its key; of a cell along features the token's own row, with the key that
/// it looks at most (of keys and values: the query that looks at them most). None: it knows no token.
std::optional<TellingPair> pair_of(const Trace& trace, Cell cell);

/// The same query where another step stands: in the attention of that step's layer, part and head it looks at a key of its own.
TellingPair pair_at(const Trace& trace, StepId step, const TellingPair& pair);

/// The cell of a step that has to do with the pair: its query's row, its key's column or row; along features the number
/// that is largest in size. Where a step has one query only (decoding) it is that one's largest key. The first cell where a step knows neither.
Cell telling_cell(const Trace& trace, StepId step, const TellingPair& pair);

}  // namespace attn
