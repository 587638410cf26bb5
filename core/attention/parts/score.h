#pragma once
// Score functions: how a query is compared with a key. A table: a new one is one function and one row.

#include <array>

#include "core/attention/parts/attend.h"
#include "core/attention/refusal.h"
#include "core/base/catalogue.h"
#include "core/text/notation.h"

namespace attn {

struct Score {
    std::string_view id;
    std::string_view source;  ///< paper
    /// All queries with all keys: "$q$k^T". The divisor is separate, in `divisor` ($d: the letter of the width).
    Notation formula;
    std::string_view divisor = {};
    /// The same, shortened, for the list of steps and the timeline; empty: the formula.
    Notation symbol = {};
    /// The description of its last step: the entry say_… of strings.inc.
    std::string_view says = "scores";
    /// Compares by an inner product, so that rotating queries and keys can express positions.
    bool inner_product = false;
    /// Needs keys as wide as the queries.
    bool equal_widths = false;
    /// Has its own weights.
    bool weighted = false;
    /// Has one weight per position, so that the number of keys is fixed.
    bool by_place = false;
    /// The factor for keys of this width, if the score is the inner product of query and key times this factor and
    /// nothing else: such a score can be computed in tiles, and vectors of distances can be added. Null otherwise.
    float (*factor)(int width) = nullptr;
    std::array<std::string_view, 1> fields = {};  ///< the document's fields that it reads
    Refuses refuses = nullptr;
    /// n×f queries and m×f keys to n×m scores; records its steps under a.tag and returns the last one.
    StepId (*run)(Trace&, const Attend& a, StepId queries, StepId keys) = nullptr;
};

/// The divisor of the scores, as a formula: `divisor` with this letter for the width, or with the configured number in
/// its place. Empty: no divisor.
std::string divisor_formula(const Score& score, const AttentionConfig& config, const Letters& letters);

Catalogue<Score>& score_catalogue();
std::span<const Score> scores();
const Score* find_score(std::string_view id);

}  // namespace attn
