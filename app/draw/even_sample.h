#pragma once
// An evenly spaced sample of a large matrix's numbers: enough to know the range in which nearly all of them lie.

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/base/matrix.h"

namespace app {

/// The share of a matrix's numbers that its colour scale spans. Spanning the few outliers too would make all others
/// look alike.
constexpr double kNearlyAll = 0.99;

class EvenSample {
public:
    /// Samples about `wanted` of `size` numbers.
    EvenSample(Eigen::Index size, Eigen::Index wanted)
        : every_(std::max<Eigen::Index>(1, size / wanted) | 1) {}  // odd, so that no column of a square is favoured

    /// Adds the next rows. Masked cells, NaN, infinities and zeros are skipped.
    void add(const attn::Matrix& rows) {
        for (; next_ < rows.size(); next_ += every_)
            if (const float v = std::abs(rows.data()[next_]); std::isfinite(v) && v > 0) seen_.push_back(v);
        next_ -= rows.size();
    }

    /// The magnitude that this share of the sampled numbers does not exceed; 0 if there are none.
    float reach(double share) {
        if (seen_.empty()) return 0;
        const auto at = seen_.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(seen_.size() - 1));
        std::nth_element(seen_.begin(), at, seen_.end());
        return *at;
    }

private:
    Eigen::Index every_, next_ = 0;
    std::vector<float> seen_;
};

}  // namespace app
