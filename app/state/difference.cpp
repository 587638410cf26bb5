#include "app/state/difference.h"

#include <limits>
#include <numeric>

#include "app/timeline/step_ranges.h"

namespace app {
namespace {

/// Two equal masked scores (−∞) differ by 0; a masked score minus a finite one is −∞.
float minus(float right, float left) { return right == left ? 0.0f : right - left; }

std::vector<int> in_order(Eigen::Index count) {
    std::vector<int> out(static_cast<std::size_t>(count));
    std::iota(out.begin(), out.end(), 0);
    return out;
}

}  // namespace

bool same_shape(const attn::Matrix& a, const attn::Matrix& b) { return a.rows() == b.rows() && a.cols() == b.cols(); }

Difference subtract(const attn::Matrix& a, const attn::Matrix& b, const std::vector<int>& row_place,
                    const std::vector<int>& col_place) {
    auto value = std::make_shared<attn::Matrix>(a.rows(), a.cols());
    for (Eigen::Index r = 0; r < a.rows(); ++r) {
        const int from = row_place[static_cast<std::size_t>(r)];
        for (Eigen::Index c = 0; c < a.cols(); ++c) {
            const int at = col_place[static_cast<std::size_t>(c)];
            (*value)(r, c) = from < 0 || at < 0 ? std::numeric_limits<float>::quiet_NaN() : minus(b(from, at), a(r, c));
        }
    }
    RangeGathering all(a.rows(), a.cols());
    all.add(*value);
    const StepRange range = all.range();
    return {std::move(value), range.largest(), range.shown()};
}

Difference edit_difference(const attn::Trace& edited, const attn::Trace& unedited, attn::StepId step) {
    const attn::StepId before = attn::find_id(unedited, edited[step].tag);
    if (before == attn::kNoStep) return {};
    const attn::Matrix &first = unedited[before].value, &second = edited[step].value;
    if (!same_shape(first, second)) return {};
    return subtract(first, second, in_order(first.rows()), in_order(first.cols()));
}

}  // namespace app
