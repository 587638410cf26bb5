#pragma once
// Score functions: how a query is compared with a key. A table: one function and one row to add one.

#include <array>

#include "core/attention/parts/attend.h"
#include "core/attention/refusal.h"
#include "core/base/catalogue.h"
#include "core/text/notation.h"

namespace attn {

struct Score {
    std::string_view id;
    std::string_view source;  ///< paper
    /// All queries with all keys: "$q$k^T". What divides it stands apart, in `divisor` ($d: the letter of the width).
    Notation formula;
    std::string_view divisor = {};
    /// The same in a few letters, for the list of steps and the timeline; empty: the formula.
    Notation symbol = {};
    /// What is said of the step that ends it: strings.inc has it under say_…
    std::string_view says = "scores";
    /// Compares by an inner product, so that positions can be told by turning queries and keys.
    bool inner_product = false;
    /// Wants keys as wide as the queries.
    bool equal_widths = false;
    /// Has weights of its own.
    bool weighted = false;
    /// Has a weight for each place, so that the number of keys is fixed.
    bool by_place = false;
    /// Of keys of this width: the score is the product of query and key times this and nothing else, so that it can be
    /// computed in tiles and vectors of distances can be added. Null: it is not.
    float (*factor)(int width) = nullptr;
    std::array<std::string_view, 1> fields = {};  ///< of the document, that it reads
    Refuses refuses = nullptr;
    /// n×f queries and m×f keys to n×m scores; records its steps under a.tag and returns the last.
    StepId (*run)(Trace&, const Attend& a, StepId queries, StepId keys) = nullptr;
};

/// What divides the scores, as a formula: `divisor` with this letter for the width, or with the number that the configuration
/// has in its place. Empty: nothing does.
std::string divisor_formula(const Score& score, const AttentionConfig& config, const Letters& letters);

Catalogue<Score>& score_catalogue();
std::span<const Score> scores();
const Score* find_score(std::string_view id);

}  // namespace attn
