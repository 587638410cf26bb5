#pragma once
// The softmax of a row, with its limits: all exactness guarantees of the weights are implemented here.

#include <optional>
#include <vector>

#include "core/base/matrix.h"
#include "core/kernels/parameters.h"

namespace attn {

/// exp((x[j] − max x) / temperature) over the sum of these, for one row [Vaswani et al. 2017, eq. 1]. Equal scores get
/// bit-identical weights, in whatever column; −∞ (masked) weighs exactly 0. Temperature 0 is the limit: the largest
/// share equally; +∞ is uniform. A row that is −∞ throughout becomes 0 (AllMasked); one that holds +∞ or NaN becomes
/// NaN (Overflow). `out` may be `row`.
std::optional<RowState> softmax_row(const float* row, int count, float temperature, float* out);

/// Row by row. Rows for which `overflowed` is true (empty: none) become NaN whatever they hold, because a score that
/// overflowed to −∞ is not a masked one.
Matrix softmax_rows(const Matrix& scores, float temperature, const std::vector<bool>& overflowed);

/// In place, on this thread alone; appends to `hidden` the rows that are −∞ throughout, counted from the first. False:
/// a row overflowed float32.
bool softmax_in_place(float* numbers, Eigen::Index rows, int cols, float temperature, std::vector<int>& hidden);

}  // namespace attn
