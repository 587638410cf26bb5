#include "core/train/product.h"

#include <algorithm>
#include <cmath>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace attn::train {
namespace {

using Index = std::ptrdiff_t;

constexpr Index kLane = 16;      // columns are packed in blocks of so many
constexpr Index kTileRows = 6;

/// One block: B packed as inner × kLane, C at most kTileRows × kLane.
using Tile = void (*)(Index rows, Index inner, Operand a, const float* b, float* c, Index c_row);

void tile_plain(Index rows, Index inner, Operand a, const float* b, float* c, Index c_row) {
    for (Index r = 0; r < rows; ++r) {
        float sums[kLane] = {};
        for (Index f = 0; f < inner; ++f)
            for (Index j = 0; j < kLane; ++j) sums[j] = std::fma(a.data[r * a.row + f * a.col], b[f * kLane + j], sums[j]);
        std::copy(sums, sums + kLane, c + r * c_row);
    }
}

#if defined(__x86_64__)
template <int Rows>
__attribute__((target("avx2,fma"))) void rows_avx2(Index inner, Operand a, const float* b, float* c, Index c_row) {
    __m256 low[Rows], high[Rows];
    for (int r = 0; r < Rows; ++r) low[r] = high[r] = _mm256_setzero_ps();
    for (Index f = 0; f < inner; ++f) {
        const __m256 left = _mm256_loadu_ps(b + f * kLane), right = _mm256_loadu_ps(b + f * kLane + 8);
        for (int r = 0; r < Rows; ++r) {
            const __m256 factor = _mm256_set1_ps(a.data[r * a.row + f * a.col]);
            low[r] = _mm256_fmadd_ps(factor, left, low[r]);
            high[r] = _mm256_fmadd_ps(factor, right, high[r]);
        }
    }
    for (int r = 0; r < Rows; ++r) {
        _mm256_storeu_ps(c + r * c_row, low[r]);
        _mm256_storeu_ps(c + r * c_row + 8, high[r]);
    }
}

void tile_avx2(Index rows, Index inner, Operand a, const float* b, float* c, Index c_row) {
    switch (rows) {
        case 1:
            return rows_avx2<1>(inner, a, b, c, c_row);
        case 2:
            return rows_avx2<2>(inner, a, b, c, c_row);
        case 3:
            return rows_avx2<3>(inner, a, b, c, c_row);
        case 4:
            return rows_avx2<4>(inner, a, b, c, c_row);
        case 5:
            return rows_avx2<5>(inner, a, b, c, c_row);
        default:
            return rows_avx2<6>(inner, a, b, c, c_row);
    }
}
#endif

Tile best_tile() {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return tile_avx2;
#endif
    return tile_plain;
}

/// Columns first … first + kLane of B, zeros beyond.
void pack(Index inner, Index cols, Index first, Operand b, float* room) {
    const Index count = std::min(kLane, cols - first);
    for (Index f = 0; f < inner; ++f) {
        float* to = room + f * kLane;
        const float* from = b.data + f * b.row + first * b.col;
        if (b.col == 1)
            std::copy(from, from + count, to);
        else
            for (Index j = 0; j < count; ++j) to[j] = from[j * b.col];
        std::fill(to + count, to + kLane, 0.0f);
    }
}

}  // namespace

std::size_t product_room(Index, Index inner) { return static_cast<std::size_t>((inner + kTileRows) * kLane); }

void product_into(Index rows, Index cols, Index inner, Operand a, Operand b, float* out, float* room) {
    static const Tile kTile = best_tile();
    float* spare = room + inner * kLane;  // where a tile that is cut at the right is made
    for (Index first = 0; first < cols; first += kLane) {
        pack(inner, cols, first, b, room);
        const Index count = std::min(kLane, cols - first);
        for (Index r = 0; r < rows; r += kTileRows) {
            const Index height = std::min(kTileRows, rows - r);
            const Operand part{a.data + r * a.row, a.row, a.col};
            if (count == kLane) {
                kTile(height, inner, part, room, out + r * cols + first, cols);
                continue;
            }
            kTile(height, inner, part, room, spare, kLane);
            for (Index i = 0; i < height; ++i) std::copy(spare + i * kLane, spare + i * kLane + count, out + (r + i) * cols + first);
        }
    }
}

}  // namespace attn::train
