#pragma once
// The softmax of a row, with its limits: every rule of exactness that the weights keep is here.

#include <optional>
#include <vector>

#include "core/trace/trace.h"

namespace attn {

/// exp((x[j] − max x) / temperature) over the sum of these, for one row [Vaswani et al. 2017, eq. 1]. Equal scores get
/// equal weights to the last bit, in whatever column; −∞ (masked) weighs exactly 0. Temperature 0 is the limit: the
/// largest share equally; +∞ is uniform. A row that is wholly −∞ becomes 0 (AllMasked); one that holds +∞ or NaN
/// becomes NaN (Overflow). `out` may be `row`.
std::optional<RowState> softmax_row(const float* row, int count, float temperature, float* out);

/// Row by row. Rows for which `overflowed` is true (empty: none) become NaN whatever they hold: a score that overflowed to −∞ is not
/// a masked one.
Matrix softmax_rows(const Matrix& scores, float temperature, const std::vector<bool>& overflowed);

/// Of so many rows where they stand, by this thread alone; `hidden` gains those that are wholly −∞, counted from the first.
/// False: a row is beyond float32.
bool softmax_in_place(float* numbers, Eigen::Index rows, int cols, float temperature, std::vector<int>& hidden);

}  // namespace attn
