#pragma once
// The eigenvalues of any square matrix. In a file of its own, as symmetric_eigen.h is: Eigen's solver takes long to compile.

#include <Eigen/Core>

namespace attn {

/// In no particular order.
Eigen::VectorXcd eigenvalues(const Eigen::MatrixXd& square);

}  // namespace attn
