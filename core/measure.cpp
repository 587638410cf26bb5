#include "core/measure.h"

#include <cmath>

namespace attn {

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
        case Op::Scale:
        case Op::Add:
        case Op::AddRow:
        case Op::Softmax:
            c.multiply_adds = cells;
            break;
        case Op::Input:
        case Op::Transpose:
        case Op::Mask:
        case Op::Slice:
        case Op::Concat:
            break;
    }
    return c;
}

}  // namespace attn
