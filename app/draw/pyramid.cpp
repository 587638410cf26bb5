#include "app/draw/pyramid.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/kernels/multiply.h"

namespace app {
namespace {

using Index = Eigen::Index;

constexpr float kMasked = -std::numeric_limits<float>::infinity();
constexpr float kBroken = std::numeric_limits<float>::quiet_NaN();

/// Each level takes a quarter of the work of the one before: in all 1 + 1/4 + 1/16 … = 4/3 of the first.
constexpr float kFirstShare = 0.75f;

constexpr Index kSample = 1 << 16;

/// Reduces four cells of the level below, or fewer at an edge, to one.
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

}  // namespace

float bulk_of(const attn::Matrix& value) {
    EvenSample sample(value.size(), kSample);
    sample.add(value);
    return sample.reach(kNearlyAll);
}

std::size_t Pyramid::bytes() const {
    Index cells = 0;
    for (const PyramidLevel& level : levels) cells += level.mean.size() + level.largest.size();
    return static_cast<std::size_t>(cells) * sizeof(float);
}

void Pyramid::keep_last() {
    for (std::size_t i = 0; i + 1 < levels.size(); ++i) levels[i] = {};
}

PyramidBuilder::PyramidBuilder(Index rows, Index cols, std::optional<Pooling> only, int smallest)
    : rows_(rows), cols_(cols), means_(only != Pooling::Largest), largests_(only != Pooling::Mean), smallest_(smallest), sample_(rows * cols, kSample) {
    if (too_large(rows, cols)) out_.levels.push_back(next_level(rows, cols));
}

bool PyramidBuilder::too_large(Index rows, Index cols) const { return std::max(rows, cols) > smallest_; }

PyramidLevel PyramidBuilder::next_level(Index rows, Index cols) const {
    const Index half_rows = (rows + 1) / 2, half_cols = (cols + 1) / 2;
    PyramidLevel level;
    if (means_) level.mean.resize(half_rows, half_cols);
    if (largests_) level.largest.resize(half_rows, half_cols);
    return level;
}

/// The number of matrix cells in a block of this level, which the matrix's edges may cut off.
std::uint32_t PyramidBuilder::all_of(int level, Index row, Index col) const {
    const Index side = Index{1} << level;
    return static_cast<std::uint32_t>(std::min(side, rows_ - row * side) * std::min(side, cols_ - col * side));
}

std::uint32_t PyramidBuilder::count(const Below& from, Index row, Index col) const {
    if (from.level == 0) return 1;
    return from.counts.size() > 0 ? from.counts(row, col) : all_of(from.level, from.first + row, col);
}

/// Counts are stored only from the first incomplete block on.
void PyramidBuilder::mark(Index row, Index col, std::uint32_t cells) {
    const auto level = static_cast<int>(out_.levels.size());
    if (counts_.size() == 0) {
        if (cells == all_of(level, row, col)) return;
        const attn::Matrix& made = means_ ? out_.levels.back().mean : out_.levels.back().largest;
        counts_ = Counts::NullaryExpr(made.rows(), made.cols(), [&](Index r, Index c) { return all_of(level, r, c); });
    }
    counts_(row, col) = cells;
}

/// A cell of the first level if all four cells below it are finite, as nearly all are: the same result with fewer
/// checks. Returns false if one is masked or broken.
bool PyramidBuilder::halve_plain(const attn::Matrix& cells, Index row, Index col, Index into, PyramidLevel& to) {
    const float* const upper = cells.row(2 * row).data() + 2 * col;
    const float* const lower = cells.row(2 * row + 1).data() + 2 * col;
    const double sum = static_cast<double>(upper[0]) + static_cast<double>(upper[1]) + static_cast<double>(lower[0]) + static_cast<double>(lower[1]);
    if (!std::isfinite(sum)) return false;
    if (counts_.size() > 0) counts_(into, col) = 4;
    if (means_) to.mean(into, col) = static_cast<float>(sum / 4);
    if (!largests_) return true;
    float largest = upper[0];
    for (const float one : {upper[1], lower[0], lower[1]}) largest = std::abs(one) > std::abs(largest) ? one : largest;
    to.largest(into, col) = largest;
    return true;
}

/// As many cells of a row of the next level as stand for whole blocks without a masked or broken number, as nearly all
/// do, from the left: the same result in a loop without branches. Returns their number; 0 if there is such a number in
/// the two rows, or they are at the edge.
Index PyramidBuilder::halve_whole(const Below& from, Index row, PyramidLevel& to) {
    const attn::Matrix &mean = from.mean ? *from.mean : *from.largest, &largest = from.largest ? *from.largest : *from.mean;
    const Index side = Index{2} << from.level, cols = cols_ / side, into = from.first / 2 + row;
    if (from.counts.size() > 0 || (into + 1) * side > rows_ || !attn::all_finite(mean, 2 * row, 2 * row + 2, {0, mean.cols()})) return 0;
    if (counts_.size() > 0) counts_.row(into).head(cols).setConstant(static_cast<std::uint32_t>(side * side));
    if (means_) {
        const float *const upper = mean.row(2 * row).data(), *const lower = mean.row(2 * row + 1).data();
        float* const out = to.mean.row(into).data();
        for (Index c = 0; c < cols; ++c) {
            const double sum = static_cast<double>(upper[2 * c]) + static_cast<double>(upper[2 * c + 1]) + static_cast<double>(lower[2 * c]) +
                               static_cast<double>(lower[2 * c + 1]);
            out[c] = static_cast<float>(sum / 4);
        }
    }
    if (largests_) {
        const float *const upper = largest.row(2 * row).data(), *const lower = largest.row(2 * row + 1).data();
        float* const out = to.largest.row(into).data();
        const auto larger = [](float a, float b) { return std::abs(b) > std::abs(a) ? b : a; };
        for (Index c = 0; c < cols; ++c)
            out[c] = larger(larger(larger(upper[2 * c], upper[2 * c + 1]), lower[2 * c]), lower[2 * c + 1]);
    }
    return cols;
}

/// One row of the next level, from two of `from`.
void PyramidBuilder::halve_row(const Below& from, Index row, PyramidLevel& to) {
    const attn::Matrix &mean = from.mean ? *from.mean : *from.largest, &largest = from.largest ? *from.largest : *from.mean;
    const Index cols = from.cols(), last = std::min(2 * row + 2, from.rows()), into = from.first / 2 + row;
    const bool plain = from.level == 0 && last == 2 * row + 2;
    for (Index col = halve_whole(from, row, to); col < (cols + 1) / 2; ++col) {
        if (plain && 2 * col + 1 < cols && halve_plain(mean, row, col, into, to)) continue;
        Gathered cell;
        for (Index r = 2 * row; r < last; ++r)
            for (Index c = 2 * col; c < std::min(2 * col + 2, cols); ++c) cell.add(mean(r, c), largest(r, c), count(from, r, c));
        mark(into, col, cell.count);
        const bool none = cell.count == 0;
        if (means_) to.mean(into, col) = cell.broken ? kBroken : none ? kMasked : static_cast<float>(cell.sum / cell.count);
        if (largests_) to.largest(into, col) = cell.broken ? kBroken : none ? kMasked : cell.largest;
    }
}

bool PyramidBuilder::add(const attn::Matrix& rows, const std::stop_token& stop, std::atomic<float>* done) {
    sample_.add(rows);
    const Counts one_each;
    const Below from{&rows, &rows, one_each, 0, seen_};
    seen_ += rows.rows();
    if (out_.levels.empty()) return true;
    for (Index row = 0; row < (rows.rows() + 1) / 2; ++row) {
        if (stop.stop_requested()) return false;
        halve_row(from, row, out_.levels.back());
        if (done) *done = kFirstShare * static_cast<float>(from.first + 2 * row + 2) / static_cast<float>(rows_ + 1);
    }
    return true;
}

std::optional<Pyramid> PyramidBuilder::finish(const std::stop_token& stop, std::atomic<float>* done) {
    while (!out_.levels.empty()) {
        const auto level = static_cast<int>(out_.levels.size());
        const attn::Matrix& last = means_ ? out_.levels.back().mean : out_.levels.back().largest;
        if (!too_large(last.rows(), last.cols())) break;
        out_.levels.push_back(next_level(last.rows(), last.cols()));
        const PyramidLevel& before = out_.levels[out_.levels.size() - 2];
        const Counts counts = std::exchange(counts_, Counts());
        const Below from{means_ ? &before.mean : nullptr, largests_ ? &before.largest : nullptr, counts, level, 0};
        for (Index row = 0; row < (from.rows() + 1) / 2; ++row) {
            if (stop.stop_requested()) return std::nullopt;
            halve_row(from, row, out_.levels.back());
        }
    }
    out_.bulk = sample_.reach(kNearlyAll);
    if (done) *done = 1;
    return std::move(out_);
}

std::optional<Pyramid> build_pyramid(const attn::Matrix& value, const std::stop_token& stop, std::atomic<float>* done, int smallest) {
    PyramidBuilder builder(value.rows(), value.cols(), {}, smallest);
    if (!builder.add(value, stop, done)) return std::nullopt;
    return builder.finish(stop, done);
}

}  // namespace app
