#include "core/analysis/eigenvalues.h"

#include <Eigen/Eigenvalues>
#include <limits>

namespace attn {

Eigen::VectorXcd eigenvalues(const Eigen::MatrixXd& square) {
    if (square.rows() == 0) return {};
    const Eigen::EigenSolver<Eigen::MatrixXd> solver(square, false);
    if (solver.info() == Eigen::Success) return solver.eigenvalues();
    return Eigen::VectorXcd::Constant(square.rows(), std::numeric_limits<double>::quiet_NaN());  // weights not finite
}

}  // namespace attn
