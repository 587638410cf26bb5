#include "core/ops/measure.h"

#include <cmath>

namespace attn {

double entropy(const Matrix& weights, int row) {
    double sum = 0;
    for (Eigen::Index j = 0; j < weights.cols(); ++j) {
        const double p = static_cast<double>(weights(row, j));
        if (p > 0) sum -= p * std::log(p);
    }
    return sum;
}

}  // namespace attn
