#include "core/train/surety.h"

#include <algorithm>
#include <cmath>

namespace attn::train {

void Surety::add(const Eigen::Ref<const RowVector>& weights, std::span<const int> same, int answer) {
    Eigen::Index most = 0;
    const auto weight = static_cast<double>(weights.maxCoeff(&most));
    const auto above = std::upper_bound(kFrom.begin(), kFrom.end(), weight);
    const auto at = static_cast<std::size_t>(std::max<std::ptrdiff_t>(above - kFrom.begin() - 1, 0));
    ++count[at];
    if (same[static_cast<std::size_t>(most)] == same[static_cast<std::size_t>(answer)]) ++right[at];
}

void Surety::add(const Surety& other) {
    for (std::size_t i = 0; i < kFrom.size(); ++i) count[i] += other.count[i], right[i] += other.right[i];
}

std::vector<SureAt> Surety::rows() const {
    std::vector<SureAt> out;
    for (std::size_t i = 0; i < kFrom.size(); ++i)
        out.push_back({kFrom[i], count[i] > 0 ? three_digits(static_cast<double>(right[i]) / count[i]) : 0, count[i]});
    return out;
}

double three_digits(double share) { return std::round(share * 1000) / 1000; }

}  // namespace attn::train
