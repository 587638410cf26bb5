#include "app/timeline/step_ranges.h"

#include <algorithm>
#include <mutex>

#include "core/kernels/multiply.h"
#include "core/remake/remake.h"

namespace app {
namespace {

/// Smaller matrices are read cell by cell, so their colours span all numbers.
constexpr Eigen::Index kManyCells = 2048;
/// The size of the evenly spaced sample, which is sorted; enough to know where nearly all numbers lie.
constexpr Eigen::Index kSampled = 1 << 15;
/// The colours leave out the largest numbers only if that makes the others at least twice as strong.
constexpr float kFarBeyond = 2;

StepRange range_of(const attn::Matrix& value) {
    RangeGathering all(value.rows(), value.cols());
    all.add(value);
    return all.range();
}

}  // namespace

RangeGathering::RangeGathering(Eigen::Index rows, Eigen::Index cols) : size_(rows * cols), sample_(size_, kSampled) {}

void RangeGathering::add(const attn::Matrix& rows) {
    const bool finite = rows.size() > 0 && attn::all_finite(rows, 0, rows.rows(), {0, rows.cols()});
    if (finite) {
        const float low = rows.minCoeff(), high = rows.maxCoeff();
        range_.low = any_ ? std::min(range_.low, low) : low;
        range_.high = any_ ? std::max(range_.high, high) : high;
        any_ = true;
    }
    for (Eigen::Index i = 0; i < rows.size() && !finite; ++i) {
        const float v = rows.data()[i];
        if (!std::isfinite(v)) continue;
        range_.low = any_ ? std::min(range_.low, v) : v;
        range_.high = any_ ? std::max(range_.high, v) : v;
        any_ = true;
    }
    if (size_ >= kManyCells) sample_.add(rows);
}

StepRange RangeGathering::range() {
    StepRange out = range_;
    const float nearly_all = sample_.reach(kNearlyAll);
    if (nearly_all * kFarBeyond < out.largest()) out.bulk = nearly_all;
    return out;
}

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
    if (!known(step)) give(step, range_of(made_->trace->steps[step].value));
    const std::lock_guard lock(made_->mutex);
    return made_->ranges[step];
}

void StepRanges::give(std::size_t step, const StepRange& range) const {
    const std::lock_guard lock(made_->mutex);
    if (!made_->there[step]) made_->ranges[step] = range;
    made_->there[step] = true;
}

bool StepRanges::known(std::size_t step) const {
    const std::lock_guard lock(made_->mutex);
    return made_->there[step];
}

bool StepRanges::at_hand(std::size_t step) const {
    return known(step) || made_->trace->steps[step].value.work_to_see() <= kSeenAtOnce;
}

}  // namespace app
