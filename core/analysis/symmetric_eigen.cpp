#include "core/analysis/symmetric_eigen.h"

#include <Eigen/Eigenvalues>

namespace attn {

SymmetricEigen symmetric_eigen(const Eigen::MatrixXd& square) {
    if (square.rows() == 0) return {};
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(square);
    return {solver.eigenvalues(), solver.eigenvectors()};
}

}  // namespace attn
