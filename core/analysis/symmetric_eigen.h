#pragma once
// The eigenvectors of a symmetric matrix. In its own file, because Eigen's solver takes ten seconds to compile.

#include <Eigen/Core>

namespace attn {

struct SymmetricEigen {
    Eigen::VectorXd values;   ///< in ascending order
    Eigen::MatrixXd vectors;  ///< orthonormal columns
};
/// Reads the lower triangle of `square`. Empty for a matrix without rows.
SymmetricEigen symmetric_eigen(const Eigen::MatrixXd& square);

}  // namespace attn
