#pragma once
// The formula of one number with its own numbers in it: "s_{2,3} = q_2 · k_3 = 0.31 · 1.20 − 0.55 · 0.08 = 0.33", for
// the formula setter. Every number of it that stands in a matrix is a part of its own and knows its cell, so that both
// light each other.

#include <string>
#include <string_view>
#include <vector>

#include "app/explain/inspection.h"

namespace app {

/// A number of a formula, by the name of its part, and where it stands.
struct FormulaSource {
    std::string part;
    attn::Cell cell;
};

/// One formula in several lengths, the longest first; all say the same. Sums that are cut say how many terms are left
/// out and what these come to.
struct Substitution {
    struct Line {
        std::string text;
        std::string numbers;  ///< of it: what the numbers are put into, for tests
        std::vector<FormulaSource> sources;

        const attn::Cell* cell_of(std::string_view part) const;
        /// The part that shows a cell; empty: none does.
        std::string_view part_of(attn::Cell cell) const;
    };
    std::optional<attn::Cell> cell;  ///< whose formula it is; none: there is none to write
    std::vector<Line> lines;

    bool has_source(attn::Cell cell) const;
};

/// Empty where there is nothing to write: a number that was given, a row that overflowed.
Substitution substitute(const attn::Trace& trace, attn::Cell cell, Language language, attn::Convention convention);

}  // namespace app
