#include "core/ops/measure.h"

#include <cmath>

namespace attn {

namespace {

/// In the time of a multiply-add.
constexpr double kWorkOfAStep = 1, kWorkOfADraw = 17;

}  // namespace

double entropy(const Matrix& weights, int row) {
    double sum = 0;
    for (Eigen::Index j = 0; j < weights.cols(); ++j) {
        const double p = static_cast<double>(weights(row, j));
        if (p > 0) sum -= p * std::log(p);
    }
    return sum;
}

Cost cost(const Trace& trace, StepId id) {
    const Step& step = trace[id];
    const auto cells = static_cast<double>(step.value.size());
    Cost c;
    c.bytes = cells * sizeof(float);
    switch (step.op) {
        case Op::MatMul:
            c.multiply_adds = cells * static_cast<double>(trace[step.inputs[0]].value.cols());
            break;
        case Op::Recur:
            c.multiply_adds = cells * static_cast<double>(step.value.cols());
            break;
        case Op::RowSum:
        case Op::RowMax:
        case Op::ColumnSum:
        case Op::Collect:
        case Op::Penalty:
            c.multiply_adds = static_cast<double>(trace[step.inputs[0]].value.size());
            break;
        case Op::Rotate:
        case Op::LayerNorm:
        case Op::RmsNorm:
        case Op::Unit:
        case Op::SoftmaxGradient:
        case Op::NormGradient:
            c.multiply_adds = 2 * cells;
            break;
        case Op::Scale:
        case Op::Add:
        case Op::AddRow:
        case Op::Multiply:
        case Op::Divide:
        case Op::Activate:
        case Op::PairSum:
        case Op::Gaussian:
        case Op::Softmax:
        case Op::Sparsemax:
        case Op::ExpShift:
            c.multiply_adds = cells;
            break;
        case Op::Input:
        case Op::Transpose:
        case Op::PairConcat:
        case Op::Fold:
        case Op::Spread:
        case Op::Window:
        case Op::Mask:
        case Op::TopK:
        case Op::TopP:
        case Op::Draw:
        case Op::Slice:
        case Op::SliceRows:
        case Op::Concat:
        case Op::Stack:
            break;
    }
    c.work = kWorkOfAStep + c.multiply_adds;
    if (step.op == Op::Draw) c.work += kWorkOfADraw * static_cast<double>(step.value.rows()) * step.params.count;
    return c;
}

}  // namespace attn
