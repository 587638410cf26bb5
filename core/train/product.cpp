#include "core/train/product.h"

#include <algorithm>

#include "core/vectors/widths.h"

namespace attn::train {
namespace {

using vectors::Index;
using vectors::Kernels;

/// Columns `first` … `first + count` of B one below the other, `width` apart, zeros beyond.
void copy_columns(Index inner, Index first, Index count, Index width, Operand b, float* room) {
    for (Index f = 0; f < inner; ++f) {
        float* to = room + f * width;
        const float* from = b.data + f * b.row + first * b.col;
        if (b.col == 1)
            std::copy_n(from, count, to);
        else
            for (Index j = 0; j < count; ++j) to[j] = from[j * b.col];
        std::fill(to + count, to + width, 0.0f);
    }
}

/// Columns of a tile where `left` are left.
Index tile_width(const Kernels& k, Index left) { return left <= k.lanes ? k.lanes : 2 * k.lanes; }

}  // namespace

std::size_t product_room(Index inner) {
    constexpr Index kMostRows = 16, kMostColumns = 32;  // of a tile, with the widest vectors
    return static_cast<std::size_t>((inner + kMostRows) * kMostColumns);
}

void product_into(Index rows, Index cols, Index inner, Operand a, Operand b, float* out, float* room) {
    const Kernels& k = vectors::kernels();
    for (Index first = 0; first < cols;) {
        const Index width = tile_width(k, cols - first), count = std::min(width, cols - first);
        const bool whole = count == width, in_place = whole && b.col == 1;
        if (!in_place) copy_columns(inner, first, count, width, b, room);
        const vectors::Block right =
            in_place ? vectors::Block{b.data + first, b.row, 1} : vectors::Block{room, width, 1};
        float* spare = room + inner * width;  // where a tile that is cut at the right is made
        for (Index r = 0; r < rows; r += k.tile_rows) {
            const Index height = std::min(k.tile_rows, rows - r);
            const vectors::Block left{a.data + r * a.row, a.row, a.col};
            float* to = out + r * cols + first;
            k.tile(height, width, inner, left, right, whole ? to : spare, whole ? cols : width, false);
            for (Index i = 0; i < height && !whole; ++i) std::copy_n(spare + i * width, count, to + i * cols);
        }
        first += count;
    }
}

}  // namespace attn::train
