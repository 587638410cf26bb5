#include "core/analysis/eigenvalues.h"

#include <Eigen/Eigenvalues>

namespace attn {

Eigen::VectorXcd eigenvalues(const Eigen::MatrixXd& square) {
    if (square.rows() == 0) return {};
    return Eigen::EigenSolver<Eigen::MatrixXd>(square, false).eigenvalues();
}

}  // namespace attn
