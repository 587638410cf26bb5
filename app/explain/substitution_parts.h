#pragma once
// How numbers and sums are written into a formula. Internal to the substitution.

#include <functional>
#include <string>
#include <vector>

#include "app/explain/substitution.h"

namespace app::substitution {

/// Writes numbers and remembers which cell each of them is.
struct Writer {
    const attn::Trace& trace;
    Language language;
    attn::Convention convention;
    std::vector<FormulaSource>& sources;
    std::size_t listed = 1;  ///< terms of a sum that are written out

    bool columns() const { return convention == attn::Convention::Columns; }
    float value(attn::Cell cell) const { return trace[cell.step].value(cell.row, cell.col); }
    /// The number in a cell, in the colour of its matrix; `plain`: without its sign.
    std::string number(attn::Cell cell, bool plain = false);
    /// `one` writes the i-th of `count` terms, `worth` gives its value. A sum with too many terms is written with its
    /// first and its last ones; those between are replaced by their sum.
    std::string sum(std::size_t count, const std::function<std::string(std::size_t, bool first)>& one,
                    const std::function<double(std::size_t)>& worth);
    /// "q_{2,3}", "(X W_Q)_{2,3}": row and column as drawn, from 1.
    std::string indexed(attn::Cell cell) const;
};

/// A number for the formula setter: "-0.55", "2.0 \\cdot 10^{6}", "-\\infty".
std::string number_formula(double value, int decimals = 2);
/// The n for which `factor` is 1/√n, if it is a whole number; else 0.
int root_of(float factor);

/// What an operation writes about a number: everything but its name and result.
struct Said {
    std::string general;               ///< in symbols; empty if it adds nothing to the formula above
    std::string numbers;               ///< with the cell's own values; empty if there is nothing to write
    std::vector<std::string> between;  ///< intermediate results, in order
    std::string condition{};           ///< why a rule chose this case
};
Said say(Writer& writer, const attn::Explanation& explanation);

}  // namespace app::substitution
