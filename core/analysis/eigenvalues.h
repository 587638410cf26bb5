#pragma once
// The eigenvalues of any square matrix. In its own file, like symmetric_eigen.h, because Eigen's solver takes long to
// compile.

#include <Eigen/Core>

namespace attn {

/// In no particular order.
Eigen::VectorXcd eigenvalues(const Eigen::MatrixXd& square);

}  // namespace attn
