#pragma once
// Some of a large matrix's numbers, evenly chosen: enough to know where nearly all of them lie.

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/base/matrix.h"

namespace app {

/// The share of a matrix's numbers that its colours span; the few beyond it would take the strength from all others.
constexpr double kNearlyAll = 0.99;

class EvenSample {
public:
    /// About `wanted` of `size` numbers.
    EvenSample(Eigen::Index size, Eigen::Index wanted)
        : every_(std::max<Eigen::Index>(1, size / wanted) | 1) {}  // odd: no column of a square matrix is favoured

    /// The next rows. Masked, broken ones and zeros say nothing of what is seen.
    void add(const attn::Matrix& rows) {
        for (; next_ < rows.size(); next_ += every_)
            if (const float v = std::abs(rows.data()[next_]); std::isfinite(v) && v > 0) seen_.push_back(v);
        next_ -= rows.size();
    }

    /// No farther from 0 lie this share of the numbers; 0: there are none.
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
