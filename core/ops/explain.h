#pragma once
// How any number of any step was computed: the terms that the stage animates, and the tree over them, which the
// inspector prints and the tests evaluate again.

#include <optional>
#include <string>
#include <vector>

#include "core/ops/derivation.h"
#include "core/text/notation.h"
#include "core/trace/trace.h"

namespace attn {

/// What the terms are, by operation:
/// matmul: products · softmax: every exponential of the row · sparsemax: every share of the row · unit, layer norm and
/// RMS norm: every number of the row · top-k, top-p: the number itself, masked where it is dropped · draw: one term for
/// each draw that fell here · row maximum: the whole row, and the maximum before · recur: the input, then h_{t−1} U ·
/// softmax gradient: every g·p of the row · norm gradient: every g·γ of the row ·
/// others: what is summed or moved.
struct Explanation {
    Op op = Op::Input;
    Cell cell;
    std::vector<Term> terms;
    float result = 0;    ///< the number in the trace
    float computed = 0;  ///< the number before it was typed over; equals `result` otherwise
    bool edited = false;
    Params params;  ///< of the step
    Node tree;      ///< how the number is made from the terms
    Source source = Source::Given;  ///< for an input
    std::optional<RowState> state;

    /// The parameters of its operation.
    template <class Own>
    const Own& as() const {
        return std::get<Own>(params);
    }
    /// A value that the tree names; 0 if there is none of this name.
    double named(Name name) const {
        const Node* found = tree.find(name);
        return found ? found->value.value_or(0) : 0;
    }
};

/// Everything needed to print how one number was computed. `cell` must lie inside its step (asserted).
Explanation explain(const Trace& trace, Cell cell);

/// Whether the cell was typed over by hand, rather than replaced by an intervention.
bool is_typed_over(const Trace& trace, const Cell& cell);

/// Evaluates the tree from its leaves in float64: equals `computed` to within float32 rounding for every operation.
double recompute(const Trace& trace, const Explanation& explanation);

/// The explanation as readable ASCII mathematics:
/// "scores[cat, tired] = 1.12*0.4 + -0.35*-0.6 + ... = 1.92". With `shown` as columns, each token is a column: the two
/// labels of a cell swap places, and so do the factors of a matrix product; the numbers are the same.
std::string explain_text(const Trace& trace, const Explanation& explanation, Convention shown = Convention::Rows);

}  // namespace attn
