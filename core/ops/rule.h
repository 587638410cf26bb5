#pragma once
// The chain rule of one operation: what the gradient of its value contributes to the gradients of its inputs, expressed
// in the same operations. The pass that applies the rules is in core/gradient; this is the interface through which a
// rule uses it.

#include <utility>

#include "core/trace/trace.h"

namespace attn {

class GradientPass {
public:
    virtual Trace& trace() = 0;
    /// Whether this input of this step needs a gradient.
    virtual bool wants(const Step& step, std::size_t slot) const = 0;

    /// The tag for an intermediate step of the gradient of `of`.
    virtual Tag on_the_way(StepId of) = 0;
    /// The tag for what one use contributes to the gradient of `of`: the gradient's own tag if it is the only use.
    virtual Tag of_use(StepId of) = 0;
    /// Adds `gradient`, the contribution of one use.
    virtual void put_in(StepId of, StepId gradient) = 0;
    /// The same where only the columns (rows) from `first` on were used.
    virtual void put_in_columns(StepId of, int first, StepId gradient) = 0;
    virtual void put_in_rows(StepId of, int first, StepId gradient) = 0;

    /// The transpose of a step, recorded once per pass; the transpose of a transpose is the original.
    virtual StepId transposed(StepId step) = 0;
    /// The step without typed-over cells: itself, or recorded again.
    virtual StepId untouched(StepId step) = 0;
    /// A constant among the intermediate steps of the gradient of `of`.
    virtual StepId constant(StepId of, Matrix value, Axis rows, Axis cols) = 0;
    /// The same for a constant that depends on the values (which numbers were kept, where the maximum was).
    virtual StepId decision(StepId of, Matrix value, Axis rows, Axis cols) = 0;

protected:
    ~GradientPass() = default;
};

/// One step of the pass: its inputs, whether they need a gradient, and where new steps go.
struct Rule {
    GradientPass& pass;
    StepId id, g;
    Step step;  ///< a copy, because recording reallocates the trace's steps

    Trace& t() const { return pass.trace(); }
    StepId in(std::size_t slot) const { return step.inputs[slot]; }
    const Matrix& value(std::size_t slot) const { return t()[in(slot)].value; }
    bool wants(std::size_t slot) const { return pass.wants(step, slot); }
    Tag use(std::size_t slot) const { return pass.of_use(in(slot)); }
    Tag way(std::size_t slot) const { return pass.on_the_way(in(slot)); }
    void put(std::size_t slot, StepId gradient) const { pass.put_in(in(slot), gradient); }
    StepId ones(std::size_t slot, Eigen::Index rows, Eigen::Index cols, Axis row_axis, Axis col_axis) const {
        return pass.constant(in(slot), Matrix::Ones(rows, cols), row_axis, col_axis);
    }
};

}  // namespace attn
