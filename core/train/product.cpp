#include "core/train/product.h"

#include <algorithm>

#include "core/kernels/widths.h"

namespace attn::train {
namespace {

using vectors::Index;
using vectors::Kernels;

/// Copies columns `first` … `first + count` of B, as rows of length `width` with zeros at the end.
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

/// Columns of a tile if `left` columns remain.
Index tile_width(const Kernels& k, Index left) { return left <= k.lanes ? k.lanes : 2 * k.lanes; }

/// Number of terms summed at a time, so that the used parts of A and B stay in the caches. In between, a cell holds its
/// float32 partial sum, so the chain is the same as without a break.
constexpr Index kInner = 256;
/// A B with at most this many numbers (16 KiB) is read in place, as is one that few tiles read.
constexpr Index kNear = 4096;

}  // namespace

std::size_t product_room(Index inner) {
    constexpr Index kMostRows = 16, kMostColumns = 32;  // of a tile, with the widest vectors
    return static_cast<std::size_t>((std::min(inner, kInner) + kMostRows) * kMostColumns);
}

void product_into(Index rows, Index cols, Index inner, Operand a, Operand b, float* out, float* room) {
    const Kernels& k = vectors::kernels();
    const bool near = inner * cols <= kNear || rows <= 2 * k.tile_rows;
    for (Index f = 0; f == 0 || f < inner; f += kInner) {
        const Index terms = std::min(kInner, inner - f);
        const bool onto = f > 0;
        const Operand under{b.data + f * b.row, b.row, b.col};
        for (Index first = 0; first < cols;) {
            const Index width = tile_width(k, cols - first), count = std::min(width, cols - first);
            const bool whole = count == width, in_place = whole && near && b.col == 1;
            if (!in_place) copy_columns(terms, first, count, width, under, room);
            const vectors::Block right =
                in_place ? vectors::Block{under.data + first, b.row, 1} : vectors::Block{room, width, 1};
            float* spare = room + terms * width;  // for tiles that extend beyond the right edge
            for (Index r = 0; r < rows; r += k.tile_rows) {
                const Index height = std::min(k.tile_rows, rows - r);
                const vectors::Block left{a.data + r * a.row + f * a.col, a.row, a.col};
                float* to = out + r * cols + first;
                for (Index i = 0; onto && !whole && i < height; ++i) std::copy_n(to + i * cols, count, spare + i * width);
                k.tile(height, width, terms, left, right, whole ? to : spare, whole ? cols : width, onto);
                for (Index i = 0; i < height && !whole; ++i) std::copy_n(spare + i * width, count, to + i * cols);
            }
            first += count;
        }
    }
}

}  // namespace attn::train
