#pragma once
// One matrix minus another, cell by cell.

#include <memory>
#include <vector>

#include "core/trace/trace.h"

namespace app {

/// Larger matrices are subtracted on a thread.
inline constexpr Eigen::Index kSubtractedAtOnce = Eigen::Index{512} * 512;

struct Difference {
    std::shared_ptr<const attn::Matrix> value;  ///< null: there is none
    float largest = 0;                          ///< magnitude in it
    float shown = 0;                            ///< what colours span (StepRange)
    Eigen::Index size() const { return value ? value->size() : 0; }
};
bool same_shape(const attn::Matrix& a, const attn::Matrix& b);
/// b − a; of b the rows and columns that stand where a's do. Where none does (−1) there is no number (NaN).
Difference subtract(const attn::Matrix& a, const attn::Matrix& b, const std::vector<int>& row_place,
                    const std::vector<int>& col_place);
/// Each step of a run with numbers typed over minus the same step of the run without.
Difference edit_difference(const attn::Trace& edited, const attn::Trace& unedited, attn::StepId step);

}  // namespace app
