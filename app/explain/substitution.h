#pragma once
// The formula of one number with its values substituted: "s_{2,3} = q_2 · k_3 = 0.31 · 1.20 − 0.55 · 0.08 = 0.33", for
// the formula setter. Every number that is a cell of a matrix is its own part and knows its cell, so that pointing at
// one highlights the other.

#include <string>
#include <string_view>
#include <vector>

#include "app/explain/inspection.h"

namespace app {

/// A number in a formula: the name of its part, and its cell.
struct FormulaSource {
    std::string part;
    attn::Cell cell;
};

/// One formula in several lengths, the longest first; all mean the same. Sums that are cut state how many terms are
/// left out and what these add up to.
struct Substitution {
    struct Line {
        std::string text;
        std::string numbers;  ///< the part of `text` that has the values substituted, for tests
        std::vector<FormulaSource> sources;

        const attn::Cell* cell_of(std::string_view part) const;
        /// The part that shows a cell; empty: none does.
        std::string_view part_of(attn::Cell cell) const;
    };
    std::optional<attn::Cell> cell;  ///< the cell whose formula it is; none if there is nothing to write
    std::vector<Line> lines;

    bool has_source(attn::Cell cell) const;
};

/// Empty if there is nothing to write: for an input, or a row that overflowed.
Substitution substitute(const attn::Trace& trace, attn::Cell cell, Language language, attn::Convention convention);

}  // namespace app
