// The table of operations, and the functions of ops.h, explain.h and measure.h that read it.
#include "core/ops/operation.h"

#include <cassert>

#include "core/ops/measure.h"

namespace attn {

const Operation& operation_of(Op op) {
    static constexpr const Operation* kOperations[] = {
#define OP(name, id, rows) &operations::k##name,
#include "core/trace/ops.inc"
#undef OP
    };
    return *kOperations[static_cast<std::size_t>(op)];
}

Shape shape_of(const Trace& t, const Step& step) { return operation_of(step.op).shape(t, step); }

Matrix compute(const Trace& t, const Step& step) { return compute(t, step, t.notes); }

Matrix compute(const Trace& t, const Step& step, const std::vector<Note>& notes) { return operation_of(step.op).value({t, step, notes}); }

bool works_in_place(const Step& step) {
    const auto by_number = operation_of(step.op).number_by_number;
    return by_number != nullptr && by_number(step) != nullptr;
}

void compute_rows(const Trace& t, const Step& step, Eigen::Index first, Eigen::Index past, Columns of, float* out) {
    operation_of(step.op).number_by_number(step)(t, step, first, past, of, out);
}

bool makes_shares(Op op) { return operation_of(op).noted->makes == Makes::Shares; }

bool makes_numbers(Op op) { return operation_of(op).noted->makes == Makes::Numbers; }

bool can_overflow(Op op) { return operation_of(op).noted->makes != Makes::Nothing; }

bool stays_finite(const Trace& t, const Step& step) {
    const Noted& noted = operation_of(step.op).noted;
    return noted.surely_finite != nullptr && noted.surely_finite(t, step, true);
}

Cost cost(const Trace& trace, StepId id) {
    constexpr double kWorkOfAStep = 1;  // in multiply-adds
    const Step& step = trace[id];
    const Work work = operation_of(step.op).work(trace, step);
    Cost c;
    c.bytes = static_cast<double>(step.value.size()) * sizeof(float);
    c.multiply_adds = work.multiply_adds;
    c.work = kWorkOfAStep + work.multiply_adds + work.other;
    return c;
}

Shape same_shape(const Trace& t, const Step& step) { return {t[step.inputs[0]].value.rows(), t[step.inputs[0]].value.cols()}; }

Work one_a_cell(const Trace&, const Step& step) { return {static_cast<double>(step.value.size())}; }

Work two_a_cell(const Trace&, const Step& step) { return {2 * static_cast<double>(step.value.size())}; }

Work one_a_cell_read(const Trace& t, const Step& step) { return {static_cast<double>(t[step.inputs[0]].value.size())}; }

void no_second_gradient(const Rule&) { assert(false && "the reverse pass of a reverse pass is not recorded"); }

}  // namespace attn
