#pragma once
// Which heads look elsewhere in another run: of another text, of another model, or of the same with something changed.

#include <string>
#include <vector>

#include "core/analysis/heads.h"

namespace attn {

/// For each token of one text the one of another that stands for it, in order; −1: none does. Texts of as many tokens stand side by
/// side. Else the longest common subsequence is aligned; between two aligned tokens as many on both sides are, too, as words that
/// were exchanged.
std::vector<int> aligned_tokens(const std::vector<std::string>& one, const std::vector<std::string>& other);

/// How far two maps of one head lie apart.
struct HeadChange {
    Tag tag = {};  ///< of the weights
    Axis queries_of = {}, keys_of = {};  ///< of the first run's map
    /// The mean over aligned queries of the total variation distance of their rows, ½ Σ_j |α_ij − α'_ij| over the keys of both, those
    /// that stand for each other taken as one: 0 where they look alike, 1 where at nothing in common.
    double distance = 0;
    double largest = 0;  ///< of these rows
    int query = 0;       ///< in the first run, which has it …
    int key = -1;        ///< … and the key there whose weight changes most; −1: one that the other text alone has
    double before = 0, after = 0;  ///< weights of that key
    int queries = 0;     ///< that were compared
};

struct HeadChanges {
    std::vector<HeadChange> heads;           ///< that differ most first; equal ones in the order of the computation
    std::vector<int> tokens, source_tokens;  ///< aligned_tokens() of both texts
    int missing = 0;                         ///< maps that one of the runs alone has, or whose queries have no counterpart
};
/// Maps are matched by part, layer and head. Empty: neither run holds weights, or none of the same place.
HeadChanges head_changes(const Trace& one, const Trace& other);

}  // namespace attn
