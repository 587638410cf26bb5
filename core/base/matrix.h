#pragma once
// The engine's only matrix type: row-major float32, one row per token.

#include <Eigen/Core>

namespace attn {

using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using RowVector = Eigen::Matrix<float, 1, Eigen::Dynamic>;

}  // namespace attn
