#pragma once
// The ranges that the numbers of a run's steps span.

#include <cmath>
#include <cstddef>
#include <memory>
#include <vector>

#include "app/draw/even_sample.h"
#include "core/trace/trace.h"

namespace app {

/// The range of a step's finite values, from which its colours are scaled.
struct StepRange {
    float low = 0;
    float high = 0;
    float bulk = 0;  ///< for a large matrix: nearly all magnitudes are at most this; 0: use the whole range
    float largest() const { return std::max(std::abs(low), std::abs(high)); }
    /// The magnitude that the colours span: the largest, unless a few outliers would make all other numbers look alike.
    float shown() const { return bulk > 0 ? std::min(bulk, largest()) : largest(); }
};

/// Computes the range of a matrix whose rows arrive in order, in blocks.
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

/// An evicted value (core/remake/remake.h) that takes more multiply-adds than this to recompute, about 10 ms, is
/// recomputed on another thread.
inline constexpr double kSeenAtOnce = 1e8;

/// A matrix with more numbers is drawn from its pyramid where the picture is smaller than the matrix.
inline constexpr Eigen::Index kDrawnWhole = Eigen::Index{256} * 256;

/// Whether a small picture of this value is made from numbers that are recomputed block by block and not kept. Such a
/// picture waits neither for the numbers nor for their range.
inline bool is_gone_through(const attn::StepValue& value) { return value.recipe() && value.size() > kDrawnWhole; }

/// The range of each step of a run, computed on first use. Thread-safe.
class StepRanges {
public:
    StepRanges() = default;
    StepRanges(std::vector<StepRange> given);
    /// The trace must outlive this object.
    explicit StepRanges(const attn::Trace& trace);

    std::size_t size() const;
    const StepRange& operator[](std::size_t step) const;
    /// Whether the range is known, or can be computed at once.
    bool at_hand(std::size_t step) const;
    /// Whether the range is known.
    bool known(std::size_t step) const;
    /// Stores a range that was computed elsewhere.
    void give(std::size_t step, const StepRange& range) const;

private:
    struct Made;
    std::shared_ptr<Made> made_;
};

}  // namespace app
