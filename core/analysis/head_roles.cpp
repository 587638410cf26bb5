#include "core/analysis/head_roles.h"

#include <cmath>
#include <limits>

namespace attn {
namespace {

/// A mean of what is a number.
class Mean {
public:
    void add(double value) {
        if (std::isnan(value)) return;
        sum_ += value;
        ++count_;
    }
    double value() const { return count_ > 0 ? sum_ / count_ : std::numeric_limits<double>::quiet_NaN(); }

private:
    double sum_ = 0;
    int count_ = 0;
};

}  // namespace

HeadRoles head_roles_of(const Trace& trace, const AttentionMap& map) {
    const Matrix w = weights_of(trace, map);
    Mean previous, same, next, first, chance, spread;
    for (Eigen::Index r = 0; r < w.rows(); ++r) {
        double entropy = 0;
        int seen = 0;
        for (const float weight : w.row(r)) {
            if (!(weight > 0)) continue;  // masked, or not there yet
            ++seen;
            entropy -= static_cast<double>(weight) * std::log(static_cast<double>(weight));
        }
        if (seen == 0) continue;
        const auto at = [&](Eigen::Index c) { return c < w.cols() ? static_cast<double>(w(r, c)) : 0.0; };
        same.add(at(r));
        if (r > 0) previous.add(at(r - 1)), first.add(at(0));
        if (r + 1 < w.rows()) next.add(at(r + 1));
        chance.add(1.0 / seen);
        if (seen > 1) spread.add(entropy / std::log(static_cast<double>(seen)));
    }
    return {map.tag, previous.value(), same.value(), next.value(), first.value(), chance.value(), spread.value()};
}

}  // namespace attn
