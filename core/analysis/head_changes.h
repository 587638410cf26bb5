#pragma once
// Which heads attend differently in another run: of another text, of another model, or of the same with a change.

#include <string>
#include <vector>

#include "core/analysis/heads.h"

namespace attn {

/// For each token of one text its counterpart in the other, in order; −1: none. Texts of equal length are aligned token
/// by token. Otherwise the longest common subsequence is aligned; between two aligned tokens, equally many tokens on
/// both sides are aligned as well, as exchanged words.
std::vector<int> aligned_tokens(const std::vector<std::string>& one, const std::vector<std::string>& other);

/// The distance between two maps of one head.
struct HeadChange {
    Tag tag = {};  ///< of the weights
    Axis queries_of = {}, keys_of = {};  ///< of the first run's map
    /// The mean over aligned queries of the total variation distance of their rows, ½ Σ_j |α_ij − α'_ij| over the keys
    /// of both texts, with aligned keys as one: 0 if the rows are equal, 1 if they have no key in common.
    double distance = 0;
    double largest = 0;  ///< the largest of these rows' distances
    int query = 0;       ///< that row's query in the first run …
    int key = -1;        ///< … and its key whose weight changes most; −1: a key that only the other text has
    double before = 0, after = 0;  ///< weights on that key
    int queries = 0;     ///< number of compared queries
};

struct HeadChanges {
    std::vector<HeadChange> heads;           ///< sorted by falling distance; ties in order of computation
    std::vector<int> tokens, source_tokens;  ///< aligned_tokens() of both texts
    int missing = 0;                         ///< maps that only one run has, or without aligned queries
};
/// Maps are matched by part, layer and head. Empty: a run has no weights, or no maps match.
HeadChanges head_changes(const Trace& one, const Trace& other);

}  // namespace attn
