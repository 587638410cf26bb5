#pragma once
// One matrix minus another, cell by cell.

#include <memory>
#include <vector>

#include "core/trace/trace.h"

namespace app {

/// Larger matrices are subtracted on a separate thread.
inline constexpr Eigen::Index kSubtractedAtOnce = Eigen::Index{512} * 512;

struct Difference {
    std::shared_ptr<const attn::Matrix> value;  ///< null if there is none
    float largest = 0;                          ///< largest magnitude in it
    float shown = 0;                            ///< the range of the colour scale (StepRange)
    Eigen::Index size() const { return value ? value->size() : 0; }
};
bool same_shape(const attn::Matrix& a, const attn::Matrix& b);
/// b − a, with b's rows and columns matched to a's. Where b has no counterpart (−1) the result is NaN.
Difference subtract(const attn::Matrix& a, const attn::Matrix& b, const std::vector<int>& row_place,
                    const std::vector<int>& col_place);
/// One step of the edited run minus the same step of the unedited run.
Difference edit_difference(const attn::Trace& edited, const attn::Trace& unedited, attn::StepId step);

}  // namespace app
