#pragma once
// Rules that fill a head's weights in place of what its scores say: one row of the table for each.

#include <array>
#include <string_view>
#include <vector>

#include "core/base/matrix.h"
#include "core/trace/trace.h"

namespace attn {

/// A row of weights, and what a rule knows of it.
struct PatternRow {
    int query = 0;                     ///< the query's place in its text, from 0 …
    int first_key = 0;                 ///< … and that of the first key
    const std::vector<bool>& allowed;  ///< keys that the mask leaves to this query
    RowVector& weights;                ///< one per key
};

struct PatternRule {
    std::string_view id;
    bool needs_one_text;  ///< it compares the places of queries and keys, so both must be of the same text
    /// The weights are zeros before.
    void (*fill)(const PatternRow& row);
};

void fill_uniform(const PatternRow& row);   ///< over the keys that the mask leaves; none: zeros, as a softmax has them
void fill_previous(const PatternRow& row);  ///< the token before; the first token: itself
void fill_first(const PatternRow& row);     ///< the first token
void fill_self(const PatternRow& row);      ///< the token itself

/// All but the first put the whole weight on one key, whatever the mask hides: it is never later than the query.
inline constexpr std::array<PatternRule, 4> kPatternRules = {{
    {"uniform", false, fill_uniform},
    {"previous", true, fill_previous},
    {"first", false, fill_first},
    {"self", true, fill_self},
}};

/// The weights that a rule puts in the place of those of a step, in its shape. `weights`: with its inputs in the trace.
Matrix pattern_by_rule(const Trace& trace, const Step& weights, const PatternRule& rule);

}  // namespace attn
