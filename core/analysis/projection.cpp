#include "core/analysis/projection.h"

namespace attn {
namespace {

/// Operations between a projection and the comparison, which do not belong to the projection.
bool follows_projection(Op op) { return op == Op::Rotate || op == Op::Unit || op == Op::Transpose; }

}  // namespace

std::optional<LinearMap> linear_map_behind(const Trace& trace, StepId step) {
    while (follows_projection(trace[step].op)) step = trace[step].inputs[0];
    LinearMap out;
    out.output = step;
    const auto count = trace[step].value.cols();
    Eigen::Index first = 0;
    if (trace[step].op == Op::Slice) {
        first = trace[step].as<SliceParams>().first;
        step = trace[step].inputs[0];
    }
    if (trace[step].op == Op::AddRow) {
        out.bias = trace[trace[step].inputs[1]].value.row(0).segment(first, count);
        step = trace[step].inputs[0];
    }
    if (trace[step].op != Op::MatMul || trace[trace[step].inputs[1]].op != Op::Input) return std::nullopt;
    out.input = trace[step].inputs[0];
    out.step_of_weight = trace[step].inputs[1];
    out.weight = trace[out.step_of_weight].value.middleCols(first, count);
    return out;
}

}  // namespace attn
