#include "core/analysis/induction.h"

#include <limits>
#include <unordered_map>

namespace attn {

double induction_share(const Trace& trace, const AttentionMap& map) {
    const Matrix weights = weights_of(trace, map);
    std::unordered_map<std::string, Eigen::Index> stood;
    double sum = 0;
    int count = 0;
    const Eigen::Index rows = std::min(weights.rows(), static_cast<Eigen::Index>(trace.tokens.size()));
    for (Eigen::Index r = 0; r < rows; ++r) {
        const auto [place, fresh] = stood.try_emplace(trace.tokens[static_cast<std::size_t>(r)], r);
        if (fresh) continue;
        const Eigen::Index behind = place->second + 1;
        place->second = r;
        if (behind >= weights.cols() || !(weights(r, behind) >= 0)) continue;
        sum += static_cast<double>(weights(r, behind));
        ++count;
    }
    return count > 0 ? sum / count : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace attn
