#pragma once
// A large matrix made small again and again: each level halves both sides, a cell of it standing for four of the one
// before. A picture smaller than its matrix is drawn from the level that is nearest, so that no cell is left out.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

#include "core/matrix.h"

namespace app {

/// What stands for several cells: their mean, or the largest of them. Of signed numbers the largest is the one farthest
/// from 0, with its sign: −3 among small ones must be seen as +3 would be.
enum class Pooling : std::uint8_t { Mean, Largest };

/// Level k − 1 of Pyramid::levels stands for blocks of 2^k × 2^k cells, those at the right and lower edge cut by the
/// matrix. Masked cells (−∞) are no part of a mean and of no largest; a block of nothing else is −∞. A block with a NaN
/// or +∞ in it is NaN: it must never be overlooked.
struct PyramidLevel {
    attn::Matrix mean, largest;
    const attn::Matrix& of(Pooling pooling) const { return pooling == Pooling::Mean ? mean : largest; }
};
struct Pyramid {
    std::vector<PyramidLevel> levels;
    /// Nearly all numbers (99 of 100, of a sample) lie no farther from 0: what colours can span where a few are far
    /// out, as in weights whose first rows share 1 among few. 0: there are none.
    float bulk = 0;
    std::size_t bytes() const;
};

/// Pyramid::bulk of a matrix: of evenly spaced cells; masked, broken ones and zeros do not count.
float bulk_of(const attn::Matrix& value);

/// A level whose longer side is at most this is the last one.
inline constexpr int kSmallestLevel = 256;

/// None: it was stopped. `done`, where there is one, goes from 0 to 1.
std::optional<Pyramid> build_pyramid(const attn::Matrix& value, const std::stop_token& stop = {},
                                     std::atomic<float>* done = nullptr);

}  // namespace app
