#include "core/analysis/draws.h"

#include <algorithm>

#include "core/kernels/kernels.h"
#include "core/ops/ops.h"

namespace attn {

DrawCourse scaling_draws(const Trace& trace, Tag head, int row, int most) {
    DrawCourse out;
    const Step* drawn = find(trace, head.as(Role::Drawn));
    const Step* soft = find(trace, head.as(Role::SoftContext));
    if (!drawn || !soft || row >= drawn->value.rows()) return out;
    const Matrix& values = trace[soft->inputs[1]].value;
    const Eigen::RowVectorXd target = soft->value.row(row).cast<double>();
    out.columns = draws_of(trace[drawn->inputs[0]].value, row, std::min(drawn->as<DrawParams>().draws, most), drawn->as<DrawParams>().seed);
    out.soft_length = target.norm();
    Eigen::RowVectorXd sum = Eigen::RowVectorXd::Zero(values.cols());
    for (std::size_t t = 0; t < out.columns.size(); ++t) {
        sum += values.row(out.columns[t]).cast<double>();
        out.distances.push_back((sum / static_cast<double>(t + 1) - target).norm());
    }
    return out;
}

}  // namespace attn
