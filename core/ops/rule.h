#pragma once
// The chain rule of one operation: what the gradient of its value puts into the gradients of its inputs, in the same
// operations. The pass that applies the rules (core/gradient) stands above; this is what a rule may ask of it.

#include <utility>

#include "core/trace/trace.h"

namespace attn {

class GradientPass {
public:
    virtual Trace& trace() = 0;
    /// Whether this input of this step is to get a gradient.
    virtual bool wants(const Step& step, std::size_t slot) const = 0;

    /// The tag of a step on the way to the gradient of `of`.
    virtual Tag on_the_way(StepId of) = 0;
    /// The tag of what one use puts into the gradient of `of`: the gradient's own where it is the only one.
    virtual Tag of_use(StepId of) = 0;
    /// `gradient` is what one use puts in.
    virtual void put_in(StepId of, StepId gradient) = 0;
    /// Only columns (rows) from `first` on were used.
    virtual void put_in_columns(StepId of, int first, StepId gradient) = 0;
    virtual void put_in_rows(StepId of, int first, StepId gradient) = 0;

    /// The transpose of a step, recorded once for the pass; a matrix transposed twice is what it came from.
    virtual StepId transposed(StepId step) = 0;
    /// The step without what was typed over: itself, or recorded again.
    virtual StepId untouched(StepId step) = 0;
    /// A constant on the way to the gradient of `of`.
    virtual StepId constant(StepId of, Matrix value, Axis rows, Axis cols) = 0;
    /// The same, holding what these values decided.
    virtual StepId decision(StepId of, Matrix value, Axis rows, Axis cols) = 0;

protected:
    ~GradientPass() = default;
};

/// One step of the pass: its inputs, whether they want a gradient, and where steps go.
struct Rule {
    GradientPass& pass;
    StepId id, g;
    Step step;  ///< a copy: recording moves the trace's steps

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
