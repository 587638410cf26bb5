#pragma once
// Mipmaps of a large matrix: each level halves both sides, a cell of it standing for four of the level before. A
// picture smaller than its matrix is drawn from the nearest level, so that every cell contributes.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

#include "app/draw/even_sample.h"
#include "core/base/matrix.h"

namespace app {

/// How several cells become one: their mean, or the largest. Of signed numbers, the largest is the one farthest from 0,
/// with its sign: a −3 among small numbers must be as visible as a +3.
enum class Pooling : std::uint8_t { Mean, Largest };

/// Pyramid::levels[k − 1] stands for blocks of 2^k × 2^k cells; blocks at the right and lower edge are cut off by the
/// matrix. Masked cells (−∞) count neither for the mean nor for the largest; a block of masked cells only is −∞. A
/// block that contains NaN or +∞ is NaN, so that these are never overlooked.
struct PyramidLevel {
    attn::Matrix mean, largest;  ///< one of them is empty if only the other was requested
    const attn::Matrix& of(Pooling pooling) const { return pooling == Pooling::Mean ? mean : largest; }
};
struct Pyramid {
    std::vector<PyramidLevel> levels;
    /// The magnitude that about 99 % of the numbers (estimated from a sample) do not exceed: the range of the colours
    /// where a few numbers are far out, as in attention weights whose first rows share 1 among few tokens. 0: no such
    /// numbers.
    float bulk = 0;
    std::size_t bytes() const;
    /// Clears all levels but the last, which is enough for a small picture. The cleared levels stay in the list,
    /// without numbers.
    void keep_last();
};

/// Pyramid::bulk of a matrix, from evenly spaced cells; masked cells, zeros and non-finite numbers do not count.
float bulk_of(const attn::Matrix& value);

/// The last level is the first one whose longer side is at most this.
inline constexpr int kSmallestLevel = 256;

/// Builds the pyramid of a matrix whose rows arrive in order, in blocks, and need not all be in memory at once.
class PyramidBuilder {
public:
    /// `only`: build just this pooling, in half the memory; without it, both.
    /// `smallest`: the longer side of the last level is at most this.
    PyramidBuilder(Eigen::Index rows, Eigen::Index cols, std::optional<Pooling> only = {}, int smallest = kSmallestLevel);
    /// Adds the next rows; their number must be even except for the last block. Returns false if it was stopped.
    bool add(const attn::Matrix& rows, const std::stop_token& stop = {}, std::atomic<float>* done = nullptr);
    /// Call after all rows have been added. Returns nothing if it was stopped.
    std::optional<Pyramid> finish(const std::stop_token& stop = {}, std::atomic<float>* done = nullptr);

private:
    /// How many unmasked cells each mean is taken over; empty while no cell is masked, and each then stands for its
    /// whole block.
    using Counts = Eigen::Matrix<std::uint32_t, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    /// Rows of the level below.
    struct Below {
        const attn::Matrix *mean, *largest;  ///< null: not wanted
        const Counts& counts;
        int level;           ///< 0: the matrix itself
        Eigen::Index first;  ///< row of the level at which these begin
        Eigen::Index rows() const { return (mean ? mean : largest)->rows(); }
        Eigen::Index cols() const { return (mean ? mean : largest)->cols(); }
    };
    bool too_large(Eigen::Index rows, Eigen::Index cols) const;
    PyramidLevel next_level(Eigen::Index rows, Eigen::Index cols) const;
    std::uint32_t all_of(int level, Eigen::Index row, Eigen::Index col) const;
    std::uint32_t count(const Below& from, Eigen::Index row, Eigen::Index col) const;
    void mark(Eigen::Index row, Eigen::Index col, std::uint32_t cells);
    bool halve_plain(const attn::Matrix& cells, Eigen::Index row, Eigen::Index col, Eigen::Index into, PyramidLevel& to);
    Eigen::Index halve_whole(const Below& from, Eigen::Index row, PyramidLevel& to);
    void halve_row(const Below& from, Eigen::Index row, PyramidLevel& to);

    Eigen::Index rows_, cols_, seen_ = 0;
    bool means_, largests_;
    int smallest_;
    Pyramid out_;
    Counts counts_;  ///< of the level being built
    EvenSample sample_;
};

/// Returns nothing if it was stopped. `done`, if given, goes from 0 to 1.
std::optional<Pyramid> build_pyramid(const attn::Matrix& value, const std::stop_token& stop = {},
                                     std::atomic<float>* done = nullptr, int smallest = kSmallestLevel);

}  // namespace app
