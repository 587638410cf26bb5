#include "app/anim/step_ranges.h"

#include <algorithm>
#include <mutex>

#include "core/remake.h"

namespace app {
namespace {

/// Smaller matrices are looked at cell by cell: their colours span all of them.
constexpr Eigen::Index kManyCells = 2048;
/// Enough to know where nearly all of them lie; so many are sorted, evenly chosen.
constexpr Eigen::Index kSampled = 1 << 15;
constexpr double kNearlyAll = 0.99;
/// Colours end before the largest number only where that makes the others twice as strong.
constexpr float kFarBeyond = 2;

/// Below which nearly all finite numbers of a large matrix lie, as distances from 0; 0: that is no different from all.
/// Zeros are left out: what is masked says nothing of what is seen.
float bulk_of(const attn::Matrix& value, float largest) {
    if (value.size() < kManyCells) return 0;
    const Eigen::Index every = std::max<Eigen::Index>(1, value.size() / kSampled) | 1;  // no column is favoured
    std::vector<float> seen;
    seen.reserve(static_cast<std::size_t>(value.size() / every + 1));
    for (Eigen::Index i = 0; i < value.size(); i += every)
        if (const float v = std::abs(value.data()[i]); std::isfinite(v) && v > 0) seen.push_back(v);
    if (seen.empty()) return 0;
    const auto at = seen.begin() + static_cast<std::ptrdiff_t>(kNearlyAll * static_cast<double>(seen.size() - 1));
    std::nth_element(seen.begin(), at, seen.end());
    return *at * kFarBeyond < largest ? *at : 0;
}

StepRange range_of(const attn::Matrix& value) {
    StepRange range;
    bool first = true;
    for (Eigen::Index i = 0; i < value.size(); ++i) {
        const float v = value.data()[i];
        if (!std::isfinite(v)) continue;
        range.low = first ? v : std::min(range.low, v);
        range.high = first ? v : std::max(range.high, v);
        first = false;
    }
    range.bulk = bulk_of(value, range.largest());
    return range;
}

}  // namespace

struct StepRanges::Made {
    const attn::Trace* trace = nullptr;
    std::vector<StepRange> ranges;
    std::vector<bool> there;
    std::mutex mutex;
};

StepRanges::StepRanges(std::vector<StepRange> given) : made_(std::make_shared<Made>()) {
    made_->there.assign(given.size(), true);
    made_->ranges = std::move(given);
}

StepRanges::StepRanges(const attn::Trace& trace) : made_(std::make_shared<Made>()) {
    made_->trace = &trace;
    made_->ranges.resize(trace.steps.size());
    made_->there.resize(trace.steps.size());
}

std::size_t StepRanges::size() const { return made_ ? made_->ranges.size() : 0; }

const StepRange& StepRanges::operator[](std::size_t step) const {
    {
        const std::lock_guard lock(made_->mutex);
        if (made_->there[step]) return made_->ranges[step];
    }
    const StepRange range = range_of(made_->trace->steps[step].value);
    const std::lock_guard lock(made_->mutex);
    if (!made_->there[step]) made_->ranges[step] = range;
    made_->there[step] = true;
    return made_->ranges[step];
}

bool StepRanges::at_hand(std::size_t step) const {
    {
        const std::lock_guard lock(made_->mutex);
        if (made_->there[step]) return true;
    }
    return made_->trace->steps[step].value.work_to_see() <= kSeenAtOnce;
}

}  // namespace app
