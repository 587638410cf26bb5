#pragma once
// The terms behind any number of any step: what the stage animates, the inspector writes out and the tests check.

#include <optional>
#include <string>
#include <vector>

#include "core/trace.h"

namespace attn {

/// left · right, or left alone; `value` is what it puts in.
struct Term {
    Cell left;
    std::optional<Cell> right;
    float value = 0;
    bool masked = false;  ///< softmax: this position is −∞ and weighs nothing
};

struct Explanation {
    Op op = Op::Input;
    Cell cell;
    std::vector<Term> terms;  ///< matmul: products; softmax: every exponential of the row; others: what is carried over
    float result = 0;         ///< the number in the trace
    float computed = 0;       ///< the number before it was typed over; equals `result` otherwise
    bool edited = false;
    float factor = 1;       ///< scale
    float temperature = 1;  ///< softmax
    float maximum = 0;      ///< softmax: the row's largest allowed score
    float sum = 0;          ///< softmax: Σ exp
    std::optional<RowState> state;
    Source source = Source::Given;  ///< input
};

/// Everything needed to write the whole chain of one number. `cell` must lie inside its step (asserted).
Explanation explain(const Trace& trace, Cell cell);

/// The number that the terms give, in float64: equals `computed` to within FP32 rounding for every op.
double recompute(const Explanation& explanation);

/// The explanation as lines that a person reads, in ASCII mathematics:
/// "scores[cat, tired] = 1.12*0.4 + -0.35*-0.6 + ... = 1.92".
std::string explain_text(const Trace& trace, const Explanation& explanation);

}  // namespace attn
