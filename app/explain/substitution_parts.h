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
    /// The number in a cell, in the colour of its matrix, without its sign where `plain`.
    std::string number(attn::Cell cell, bool plain = false);
    /// `one` writes the i-th of `count` terms, `worth` says what it puts in. Of many the first and the last are
    /// written; what is left out between them stands there as one number.
    std::string sum(std::size_t count, const std::function<std::string(std::size_t, bool first)>& one,
                    const std::function<double(std::size_t)>& worth);
    /// "q_{2,3}", "(X W_Q)_{2,3}": row and column as they are seen, from 1.
    std::string indexed(attn::Cell cell) const;
};

/// A number for the formula setter: "-0.55", "2.0 \\cdot 10^{6}", "-\\infty".
std::string number_formula(double value, int decimals = 2);
/// 1/√n as a whole number n; 0: it is none.
int root_of(float factor);

/// What an operation says of a number: everything but its name and result.
struct Said {
    std::string general;               ///< in symbols; empty: no more than the formula above says
    std::string numbers;               ///< with the cell's own; empty: there is nothing to write
    std::vector<std::string> between;  ///< what is left when some of it is worked out, in order
    std::string condition{};           ///< why it is so, where a rule chose it
};
Said say(Writer& writer, const attn::Explanation& explanation);

}  // namespace app::substitution
