#pragma once
// The terms behind any number of any step: what the stage animates, the inspector writes out and the tests check.

#include <optional>
#include <string>
#include <vector>

#include "core/text/notation.h"
#include "core/trace/trace.h"

namespace attn {

/// left · right, or left alone; `value` is what it puts in.
struct Term {
    Cell left;
    std::optional<Cell> right;
    float value = 0;
    bool masked = false;  ///< softmax: this position is −∞ and weighs nothing
};

/// What the terms are, by operation:
/// matmul: products · softmax: every exponential of the row · sparsemax: every share of the row · unit, layer norm and
/// RMS norm: every number of the row · top-k, top-p: the number itself, masked where it is dropped · draw: one term for
/// each draw that fell here · row maximum: the whole row, and the maximum before · recur: the input, then h_{t−1} U ·
/// softmax gradient: every g·p of the row · norm gradient: every g·γ of the row ·
/// others: what is added up or carried over.
struct Explanation {
    Op op = Op::Input;
    Cell cell;
    std::vector<Term> terms;
    float result = 0;    ///< the number in the trace
    float computed = 0;  ///< the number before it was typed over; equals `result` otherwise
    bool edited = false;
    float factor = 1;       ///< scale; Gaussian: σ; window: D; top-p: p; penalty: λ; norms and their gradient: ε; rotate: the base; softmax gradient: the own weight
    float temperature = 1;  ///< softmax, sparsemax
    float maximum = 0;      ///< softmax, sparsemax: the row's largest allowed score
    /// matmul: the products summed as the engine does, one fused multiply-add after the other: the number to its last bit;
    /// softmax: Σ exp; unit: the row's length; recur: the sum that tanh bends; softmax gradient: Σ g·p; norm gradient:
    /// the spread s
    float sum = 0;
    double threshold = 0;   ///< sparsemax: τ; top-k, top-p: the smallest that is kept; norm gradient: x̂
    double mean = 0;        ///< layer norm: of the row; RMS norm: of the squares; norm gradient: mean(u)
    double variance = 0;    ///< layer norm: biased; norm gradient: mean(u ⊙ x̂)
    float gain = 1;         ///< both norms: γ
    float bias = 0;         ///< layer norm: β
    double angle = 0;       ///< rotate: in radians
    float position = 0;     ///< rotate: the row's place; window, Gaussian: the column's
    int draws = 0;          ///< draw: how many there were
    Activation activation = Activation::Tanh;
    std::optional<RowState> state;
    Source source = Source::Given;  ///< input
};

/// Everything needed to write the whole chain of one number. `cell` must lie inside its step (asserted).
Explanation explain(const Trace& trace, Cell cell);

/// The number that the terms give, in float64: equals `computed` to within FP32 rounding for every op.
double recompute(const Explanation& explanation);

/// The explanation as lines that a person reads, in ASCII mathematics:
/// "scores[cat, tired] = 1.12*0.4 + -0.35*-0.6 + ... = 1.92". `shown` as columns names the column first that a row of
/// the value stands as, and puts the factors of a product of matrices in that order; the numbers are the same.
std::string explain_text(const Trace& trace, const Explanation& explanation, Convention shown = Convention::Rows);

}  // namespace attn
