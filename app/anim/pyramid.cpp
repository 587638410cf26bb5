#include "app/anim/pyramid.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace app {
namespace {

using Counts = Eigen::Matrix<std::uint32_t, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

constexpr float kMasked = -std::numeric_limits<float>::infinity();
constexpr float kBroken = std::numeric_limits<float>::quiet_NaN();

/// Cells of the matrix that a mean is of; a level is made from the one before and its counts.
struct Level {
    const attn::Matrix* mean;
    const attn::Matrix* largest;
    const Counts* counts;  ///< null: the matrix itself
};

/// Four cells of the level before, or fewer at an edge, come to one.
struct Gathered {
    double sum = 0;
    float largest = 0;
    std::uint32_t count = 0;
    bool broken = false;

    void add(float mean, float most, std::uint32_t cells) {
        if (std::isinf(mean) && mean < 0) return;
        if (!std::isfinite(mean)) {
            broken = true;
            return;
        }
        sum += static_cast<double>(mean) * cells;
        if (count == 0 || std::abs(most) > std::abs(largest)) largest = most;
        count += cells;
    }
};

/// One row of the next level.
void halve_row(const Level& from, Eigen::Index row, PyramidLevel& to, Counts& counts) {
    const Eigen::Index rows = from.mean->rows(), cols = from.mean->cols(), last = std::min(2 * row + 2, rows);
    for (Eigen::Index col = 0; col < to.mean.cols(); ++col) {
        Gathered cell;
        for (Eigen::Index r = 2 * row; r < last; ++r)
            for (Eigen::Index c = 2 * col; c < std::min(2 * col + 2, cols); ++c)
                cell.add((*from.mean)(r, c), (*from.largest)(r, c), from.counts ? (*from.counts)(r, c) : 1);
        counts(row, col) = cell.count;
        const bool none = cell.count == 0;
        to.mean(row, col) = cell.broken ? kBroken : none ? kMasked : static_cast<float>(cell.sum / cell.count);
        to.largest(row, col) = cell.broken ? kBroken : none ? kMasked : cell.largest;
    }
}

}  // namespace

float bulk_of(const attn::Matrix& value) {
    constexpr Eigen::Index kSample = 1 << 16;
    constexpr double kShare = 0.99;
    // Odd, so that no column of a square matrix is met again and again.
    const Eigen::Index each = std::max<Eigen::Index>(1, value.size() / kSample) | 1;
    std::vector<float> sample;
    for (Eigen::Index i = 0; i < value.size(); i += each)
        if (const float v = value.data()[i]; std::isfinite(v) && v != 0) sample.push_back(std::abs(v));
    if (sample.empty()) return 0;
    const auto at = sample.begin() + static_cast<std::ptrdiff_t>(kShare * static_cast<double>(sample.size() - 1));
    std::nth_element(sample.begin(), at, sample.end());
    return *at;
}

std::size_t Pyramid::bytes() const {
    Eigen::Index cells = 0;
    for (const PyramidLevel& level : levels) cells += level.mean.size() + level.largest.size();
    return static_cast<std::size_t>(cells) * sizeof(float);
}

std::optional<Pyramid> build_pyramid(const attn::Matrix& value, const std::stop_token& stop, std::atomic<float>* done) {
    Pyramid out;
    Counts counts, next;
    Level from{&value, &value, nullptr};
    // Each level is a quarter of the work of the one before: 1 + 1/4 + 1/16 … = 4/3 of the first.
    constexpr float kFirstShare = 0.75f;
    float share = kFirstShare, before = 0;
    while (std::max(from.mean->rows(), from.mean->cols()) > kSmallestLevel) {
        const Eigen::Index rows = (from.mean->rows() + 1) / 2, cols = (from.mean->cols() + 1) / 2;
        PyramidLevel level{attn::Matrix(rows, cols), attn::Matrix(rows, cols)};
        next.resize(rows, cols);
        for (Eigen::Index row = 0; row < rows; ++row) {
            if (stop.stop_requested()) return std::nullopt;
            halve_row(from, row, level, next);
            if (done) *done = before + share * static_cast<float>(row + 1) / static_cast<float>(rows);
        }
        out.levels.push_back(std::move(level));
        std::swap(counts, next);
        from = {&out.levels.back().mean, &out.levels.back().largest, &counts};
        before += share;
        share /= 4;
    }
    out.bulk = bulk_of(value);
    if (done) *done = 1;
    return out;
}

}  // namespace app
