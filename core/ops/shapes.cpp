// The shape of every operation's value from the shapes of its inputs.
#include "core/ops/ops.h"

namespace attn {

Shape shape_of(const Trace& t, const Step& step) {
    const auto rows = [&](std::size_t i) { return t[step.inputs[i]].value.rows(); };
    const auto cols = [&](std::size_t i) { return t[step.inputs[i]].value.cols(); };
    const Eigen::Index extent = step.params.extent;
    switch (step.op) {
        case Op::Input:
            return {step.value.rows(), step.value.cols()};
        case Op::MatMul:
            return {rows(0), cols(1)};
        case Op::Transpose:
            return {cols(0), rows(0)};
        case Op::Scale:
        case Op::Add:
        case Op::AddRow:
        case Op::Multiply:
        case Op::Divide:
        case Op::Activate:
        case Op::Unit:
        case Op::LayerNorm:
        case Op::RmsNorm:
        case Op::Rotate:
        case Op::Mask:
        case Op::TopK:
        case Op::TopP:
        case Op::Softmax:
        case Op::Sparsemax:
        case Op::Draw:
        case Op::ExpShift:
        case Op::Recur:
        case Op::SoftmaxGradient:
        case Op::NormGradient:
            return {rows(0), cols(0)};
        case Op::PairSum:
            return {rows(0) * rows(1), cols(0)};
        case Op::PairConcat:
            return {rows(0) * rows(1), cols(0) + cols(1)};
        case Op::Fold:
            return {rows(0) * cols(0) / extent, extent};
        case Op::Spread:
        case Op::Window:
        case Op::Gaussian:
        case Op::Slice:
            return {rows(0), extent};
        case Op::SliceRows:
            return {extent, cols(0)};
        case Op::Collect:
            return {rows(0), 2 * step.params.count + 1};
        case Op::RowSum:
        case Op::RowMax:
            return {rows(0), 1};
        case Op::ColumnSum:
            return {1, cols(0)};
        case Op::Penalty:
            return {1, 1};
        case Op::Concat: {
            Shape all{rows(0), 0};
            for (std::size_t i = 0; i < step.inputs.size(); ++i) all.cols += cols(i);
            return all;
        }
        case Op::Stack: {
            Shape all{0, cols(0)};
            for (std::size_t i = 0; i < step.inputs.size(); ++i) all.rows += rows(i);
            return all;
        }
    }
    return {};
}

}  // namespace attn
