#pragma once
// A large matrix made small again and again: each level halves both sides, a cell of it standing for four of the one
// before. A picture smaller than its matrix is drawn from the level that is nearest, so that no cell is left out.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

#include "app/draw/even_sample.h"
#include "core/base/matrix.h"

namespace app {

/// What stands for several cells: their mean, or the largest of them. Of signed numbers the largest is the one farthest
/// from 0, with its sign: −3 among small ones must be seen as +3 would be.
enum class Pooling : std::uint8_t { Mean, Largest };

/// Level k − 1 of Pyramid::levels stands for blocks of 2^k × 2^k cells, those at the right and lower edge cut by the
/// matrix. Masked cells (−∞) are no part of a mean and of no largest; a block of nothing else is −∞. A block with a NaN
/// or +∞ in it is NaN: it must never be overlooked.
struct PyramidLevel {
    attn::Matrix mean, largest;  ///< one of them is empty where only the other was wanted
    const attn::Matrix& of(Pooling pooling) const { return pooling == Pooling::Mean ? mean : largest; }
};
struct Pyramid {
    std::vector<PyramidLevel> levels;
    /// Nearly all numbers (99 of 100, of a sample) lie no farther from 0: what colours can span where a few are far
    /// out, as in weights whose first rows share 1 among few. 0: there are none.
    float bulk = 0;
    std::size_t bytes() const;
    /// Forgets all levels but the last, which is enough for a small picture: the others keep their place and have no numbers.
    void keep_last();
};

/// Pyramid::bulk of a matrix: of evenly spaced cells; masked, broken ones and zeros do not count.
float bulk_of(const attn::Matrix& value);

/// A level whose longer side is at most this is the last one.
inline constexpr int kSmallestLevel = 256;

/// Of a matrix whose rows come in order, a block of them after the other, and need not all be there at once.
class PyramidBuilder {
public:
    /// `only`: one way of pooling, which takes half of the memory; none: both.
    PyramidBuilder(Eigen::Index rows, Eigen::Index cols, std::optional<Pooling> only = {});
    /// The next rows: an even number of them, unless they are the last. False: it was stopped.
    bool add(const attn::Matrix& rows, const std::stop_token& stop = {}, std::atomic<float>* done = nullptr);
    /// Once all rows were there. None: it was stopped.
    std::optional<Pyramid> finish(const std::stop_token& stop = {}, std::atomic<float>* done = nullptr);

private:
    /// Cells that a mean is of, where some are masked; empty: none is, and a cell stands for all of its block.
    using Counts = Eigen::Matrix<std::uint32_t, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    /// Rows of the level before.
    struct Below {
        const attn::Matrix *mean, *largest;  ///< null: not wanted
        const Counts& counts;
        int level;           ///< 0: the matrix
        Eigen::Index first;  ///< row of the level
        Eigen::Index rows() const { return (mean ? mean : largest)->rows(); }
        Eigen::Index cols() const { return (mean ? mean : largest)->cols(); }
    };
    bool too_large(Eigen::Index rows, Eigen::Index cols) const;
    PyramidLevel next_level(Eigen::Index rows, Eigen::Index cols) const;
    std::uint32_t all_of(int level, Eigen::Index row, Eigen::Index col) const;
    std::uint32_t count(const Below& from, Eigen::Index row, Eigen::Index col) const;
    void mark(Eigen::Index row, Eigen::Index col, std::uint32_t cells);
    bool halve_plain(const attn::Matrix& cells, Eigen::Index row, Eigen::Index col, Eigen::Index into, PyramidLevel& to);
    void halve_row(const Below& from, Eigen::Index row, PyramidLevel& to);

    Eigen::Index rows_, cols_, seen_ = 0;
    bool means_, largests_;
    Pyramid out_;
    Counts counts_;  ///< of the level that is being made
    EvenSample sample_;
};

/// None: it was stopped. `done`, where there is one, goes from 0 to 1.
std::optional<Pyramid> build_pyramid(const attn::Matrix& value, const std::stop_token& stop = {},
                                     std::atomic<float>* done = nullptr);

}  // namespace app
