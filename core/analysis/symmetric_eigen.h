#pragma once
// The eigenvectors of a symmetric matrix. In a file of its own: Eigen's solver takes ten seconds to compile.

#include <Eigen/Core>

namespace attn {

struct SymmetricEigen {
    Eigen::VectorXd values;   ///< in ascending order
    Eigen::MatrixXd vectors;  ///< a column each, of length 1, square to one another
};
/// `square`: its lower triangle is read. None for a matrix without rows.
SymmetricEigen symmetric_eigen(const Eigen::MatrixXd& square);

}  // namespace attn
