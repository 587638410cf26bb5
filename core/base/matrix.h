#pragma once
// The one matrix type of the engine: row-major float32, one row a token.

#include <Eigen/Core>

namespace attn {

using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using RowVector = Eigen::Matrix<float, 1, Eigen::Dynamic>;

}  // namespace attn
