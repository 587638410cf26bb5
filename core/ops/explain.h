#pragma once
// The terms behind any number of any step: what the stage animates, the inspector writes out and the tests check.

#include <optional>
#include <string>
#include <variant>
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

// What is measured beside the terms, of the operations of which something is.

struct InputMeasures {
    Source source = Source::Given;
};
/// MatMul: the products summed as the engine does, one fused multiply-add after the other: the number to its last bit. Recur:
/// the sum that tanh bends.
struct SumMeasures {
    float sum = 0;
};
struct UnitMeasures {
    float length = 0;  ///< of the row
};
struct LayerNormMeasures {
    double mean = 0, variance = 0;  ///< of the row; biased
    float gain = 1, bias = 0;       ///< γ, β
};
struct RmsNormMeasures {
    double mean_square = 0;
    float gain = 1;  ///< γ
};
struct NormGradientMeasures {
    double mean = 0;    ///< mean(u), u = g ⊙ γ
    double normed = 0;  ///< x̂
    double along = 0;   ///< mean(u ⊙ x̂)
    float spread = 0;   ///< s
};
struct SoftmaxMeasures {
    float maximum = 0;  ///< the row's largest allowed score
    float sum = 0;      ///< of the exponentials
};
struct SparsemaxMeasures {
    float maximum = 0;  ///< the row's largest allowed score
    double threshold = 0;
};
struct SoftmaxGradientMeasures {
    float sum = 0;     ///< Σ g·p
    float weight = 0;  ///< the own p
};
struct KeptMeasures {  ///< TopK, TopP
    double least = 0;  ///< the smallest number that is kept
};
struct RotateMeasures {
    double angle = 0;    ///< in radians
    float position = 0;  ///< the row's place
};
struct ColumnMeasures {  ///< Window, Gaussian
    float position = 0;  ///< the column's
};

using Measures = std::variant<std::monostate, InputMeasures, SumMeasures, UnitMeasures, LayerNormMeasures, RmsNormMeasures, NormGradientMeasures,
                              SoftmaxMeasures, SparsemaxMeasures, SoftmaxGradientMeasures, KeptMeasures, RotateMeasures, ColumnMeasures>;

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
    Params params;  ///< of the step
    Measures measures;
    std::optional<RowState> state;

    /// The parameters of its operation.
    template <class Own>
    const Own& as() const {
        return std::get<Own>(params);
    }
    /// What was measured for its operation.
    template <class Own>
    const Own& measured() const {
        return std::get<Own>(measures);
    }
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
