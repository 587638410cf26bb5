#pragma once
// The engine's inner loops, once for each vector width: plain (what every machine of this architecture has), AVX2 with
// FMA, AVX-512. All give the same bytes: at every width a product is a chain of fused multiply-adds, the sum of a row
// has kSums accumulators, and everything else is done number by number.
//
// Written with the vector types that GCC and Clang share, and compiled per function (target pragmas) rather than per
// file: only the code in these files is compiled for more than the baseline, so the linker cannot pick up a library's
// inline function that another machine cannot run.

#include <cstddef>
#include <cstdint>

namespace attn::vectors {

using Index = std::ptrdiff_t;

/// Accumulators of every sum over a row: element j goes to accumulator j mod 16.
inline constexpr Index kSums = 16;

/// A block of a row-major matrix, or a packed one: element (r, c) is data[r · row + c · col].
struct Block {
    const float* data;
    Index row, col;
};

/// The functions of one number that are implemented here; the rest is plain arithmetic.
enum class Curve : std::uint8_t { Exp, Tanh, Sigmoid, Gelu, GeluTanh, Silu, EluPlusOne };

struct Kernels {
    Index tile_rows;  ///< the most rows of a tile
    Index lanes;      ///< a tile has this many columns, or twice as many
    /// C (rows × cols) = A (rows × inner) times B (inner × cols, b.col is 1), each cell a chain of fused multiply-adds;
    /// `onto`: the chain continues from the value in C. rows <= tile_rows; cols is lanes or 2 · lanes. (Blocks are
    /// passed by reference: copying one that was just written, with wider loads than the stores, would stall on store
    /// forwarding.)
    void (*tile)(Index rows, Index cols, Index inner, const Block& a, const Block& b, float* c, Index c_row, bool onto);

    // One row each; `out` may be `x`. Sums are in float64.
    bool (*all_finite)(const float* x, Index count);
    double (*sum)(const float* x, Index count);
    /// Σ (x − mean)²
    double (*sum_of_squares)(const float* x, Index count, double mean);
    /// gain · ((x − mean) / spread) + bias; gain, bias null: 1, 0.
    void (*normalise)(const float* x, Index count, double mean, double spread, const float* gain, const float* bias, float* out);
    void (*curve)(Curve which, const float* x, Index count, float* out);
    /// out = exp((x − maximum) · by), and 0 where x is −∞ (whatever `by` is) or the result is less than `smallest`;
    /// returns the sum of the numbers written.
    double (*exponentials)(const float* x, Index count, float maximum, double by, double smallest, float* out);
    void (*times)(const float* x, Index count, double factor, float* out);
    // In float32.
    void (*add)(const float* x, const float* y, Index count, float* out);
    void (*scale)(const float* x, Index count, float factor, float* out);
    /// The largest; count > 0. If there is a NaN: any of the numbers, or NaN.
    float (*largest)(const float* x, Index count);
    /// x where `seen` is not 0, otherwise −∞.
    void (*hide)(const float* x, const float* seen, Index count, float* out);
};

/// a·b + c, rounded once, for machines without the instruction.
float fused(float a, float b, float c);

}  // namespace attn::vectors
