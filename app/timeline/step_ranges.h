#pragma once
// The ranges that the numbers of a run's steps span.

#include <cmath>
#include <cstddef>
#include <memory>
#include <vector>

#include "app/draw/even_sample.h"
#include "core/trace/trace.h"

namespace app {

/// The finite values of a step: what its colours span.
struct StepRange {
    float low = 0;
    float high = 0;
    float bulk = 0;  ///< of a large matrix nearly all numbers are no further from 0; 0: the same as all
    float largest() const { return std::max(std::abs(low), std::abs(high)); }
    /// What colours span: the largest number, unless few are so far beyond the others that these would all look alike.
    float shown() const { return bulk > 0 ? std::min(bulk, largest()) : largest(); }
};

/// The range of a matrix whose rows come in order, a block of them after the other.
class RangeGathering {
public:
    RangeGathering(Eigen::Index rows, Eigen::Index cols);
    void add(const attn::Matrix& rows);
    StepRange range();

private:
    Eigen::Index size_;
    StepRange range_;
    bool any_ = false;
    EvenSample sample_;
};

/// What was let go of (core/remake/remake.h) and takes more multiply-adds to make again, about 10 ms, is made on a thread.
inline constexpr double kSeenAtOnce = 1e8;

/// A matrix of more numbers is drawn from smaller ones where the picture is smaller than it.
inline constexpr Eigen::Index kDrawnWhole = Eigen::Index{256} * 256;

/// Of a small picture: it is drawn of numbers that are made block by block and forgotten, and neither they nor their range are
/// waited for.
inline bool is_gone_through(const attn::StepValue& value) { return value.recipe() && value.size() > kDrawnWhole; }

/// The range of each step of a run, made when it is first asked for. Safe from several threads.
class StepRanges {
public:
    StepRanges() = default;
    StepRanges(std::vector<StepRange> given);
    /// Of a trace that is there for as long as this is.
    explicit StepRanges(const attn::Trace& trace);

    std::size_t size() const;
    const StepRange& operator[](std::size_t step) const;
    /// Whether it is there, or can be had at once.
    bool at_hand(std::size_t step) const;
    /// Whether it is there.
    bool known(std::size_t step) const;
    /// Somebody went through the step's numbers for something else, too.
    void give(std::size_t step, const StepRange& range) const;

private:
    struct Made;
    std::shared_ptr<Made> made_;
};

}  // namespace app
