#include "core/multiply.h"

#include <algorithm>
#include <cassert>
#include <memory>

#include "core/parallel.h"
#include "core/reused_matrices.h"
#include "core/vectors/widths.h"

namespace attn {
namespace {

using vectors::Block;
using vectors::Index;
using vectors::Kernels;

/// So many terms of the sums are taken at a time: their part of A and of B then stays in the caches. What a cell holds in
/// between is its float32 sum so far, so the chain is the same as without a pause.
constexpr Index kInner = 256;
/// A B of no more numbers stays in the innermost cache (16 KiB) and is read where it stands.
constexpr Index kNear = 4096;
/// Columns of B that are packed at a time: 512 KiB with kInner.
constexpr Index kPacked = 512;
/// Below so many multiply-adds a product is not worth waking a thread for (about 10 µs).
constexpr double kWorthSharing = 500'000;

/// C = A B, all row-major, rows of A and of C a whole matrix's apart; B may have more columns (b_row) than are wanted.
struct Product {
    Index rows, inner, cols, b_row;
    const float* a;
    const float* b;
    float* c;
};

/// Room that a thread keeps between products: a fresh half megabyte would be paid for page by page each time.
float* thread_room(Index size) {
    thread_local Index held = 0;
    thread_local std::unique_ptr<float[]> room;
    if (held < size) {
        room = std::make_unique_for_overwrite<float[]>(static_cast<std::size_t>(size));
        held = size;
    }
    return room.get();
}

/// rows×cols of B (rows `stride` apart) as columns of `width`, one after the other; what is missing of the last is 0. Row by
/// row, so that B is read as it lies in memory.
void pack_columns(const float* b, Index stride, Index rows, Index cols, Index width, float* out) {
    const Index panel = rows * width;
    for (Index f = 0; f < rows; ++f, b += stride, out += width) {
        float* to = out;
        for (Index j = 0; j < cols; j += width, to += panel) {
            const Index here = std::min(width, cols - j);
            std::copy_n(b + j, here, to);
            std::fill(to + here, to + width, 0.0f);
        }
    }
}

/// The rows first … past in strips of nearly equal height, each no higher than a tile: each(row, height).
template <class Each>
void for_strips(Index first, Index past, Index most, const Each& each) {
    if (past - first <= most) return each(first, past - first);  // a small product is not worth dividing for
    const Index count = (past - first + most - 1) / most;
    for (Index s = 0; s < count; ++s) {
        const Index from = first + (past - first) * s / count, to = first + (past - first) * (s + 1) / count;
        each(from, to - from);
    }
}

/// A part of C: its rows and columns, and the terms that are added up to it now.
struct Part {
    Index row, past_row, col, past_col, f, past_f;
};

/// Tiles over `part`, whose columns of B stand as `b` has them for tiles of `width`: packed (b_panel apart) or not.
void product_tiles(const Kernels& k, const Product& p, const Part& part, const float* b, Index b_row, Index b_panel) {
    const Index inner = part.past_f - part.f, wide = 2 * k.lanes;
    const bool onto = part.f > 0;
    alignas(64) float edge[16 * 32];
    for_strips(part.row, part.past_row, k.tile_rows, [&](Index row, Index height) {
        const Block a{p.a + row * p.inner + part.f, p.inner, 1};
        const float* panel = b;
        for (Index j = part.col; j < part.past_col; j += wide, panel += b_panel) {
            float* c = p.c + row * p.cols + j;
            const Index left = part.past_col - j;
            const Index width = left <= k.lanes ? k.lanes : wide;
            if (left >= width) {
                k.tile(height, width, inner, a, {panel, b_row, 1}, c, p.cols, onto);
                continue;
            }
            for (Index r = 0; onto && r < height; ++r) std::copy_n(c + r * p.cols, left, edge + r * width);
            k.tile(height, width, inner, a, {panel, b_row, 1}, edge, width, onto);
            for (Index r = 0; r < height; ++r) std::copy_n(edge + r * width, left, c + r * p.cols);
        }
    });
}

/// The columns past the last whole vector, which a tile may not read in place: B's are copied out, filled up with zeros.
void last_columns(const Kernels& k, const Product& p, Part part) {
    const Index wide = 2 * k.lanes, left = part.past_col - part.col, width = left <= k.lanes ? k.lanes : wide;
    float* packed = thread_room(kInner * std::max(kPacked, wide));
    pack_columns(p.b + part.f * p.b_row + part.col, p.b_row, part.past_f - part.f, left, width, packed);
    product_tiles(k, p, part, packed, width, 0);
}

void product_block(const Kernels& k, const Product& p, const Part& whole) {
    const Index wide = 2 * k.lanes;
    for (Index f = 0; f == 0 || f < p.inner; f += kInner) {
        Part part = whole;
        part.f = f;
        part.past_f = std::min(f + kInner, p.inner);
        // Rows that are few read B once or twice, where it stands; more read a packed copy, unless B is near anyway.
        if (whole.past_row - whole.row <= 2 * k.tile_rows || p.cols <= wide || p.inner * p.cols <= kNear) {
            part.past_col = whole.col + ((whole.past_col - whole.col) & -k.lanes);  // lanes: a power of 2
            product_tiles(k, p, part, p.b + f * p.b_row + part.col, p.b_row, wide);
            part.col = part.past_col;
            part.past_col = whole.past_col;
            if (part.col < part.past_col) last_columns(k, p, part);
            continue;
        }
        for (Index j = whole.col; j < whole.past_col; j += kPacked) {
            part.col = j;
            part.past_col = std::min(j + kPacked, whole.past_col);
            float* packed = thread_room(kInner * std::max(kPacked, wide));
            const Index inner = part.past_f - part.f;
            pack_columns(p.b + f * p.b_row + j, p.b_row, inner, part.past_col - j, wide, packed);
            product_tiles(k, p, part, packed, wide, inner * wide);
        }
    }
}

/// Shared by rows, in pieces that begin where a tile may begin; by columns where B is what there is most of, so that each
/// thread packs its own part of it.
void shared_product(const Product& p) {
    const Kernels& k = vectors::kernels_for(p.cols);
    const Part whole{0, p.rows, 0, p.cols, 0, 0};
    const double work = static_cast<double>(p.rows) * static_cast<double>(p.inner) * static_cast<double>(p.cols);
    const int helpers = work < kWorthSharing ? 1 : threads();
    if (helpers == 1) return product_block(k, p, whole);
    const bool by_columns = p.cols >= p.rows && p.inner >= p.rows;
    const Index size = by_columns ? p.cols : p.rows, step = by_columns ? 2 * k.lanes : k.tile_rows;
    const Index pieces = (size + step - 1) / step;
    const auto parts = static_cast<int>(std::min<Index>(pieces, helpers));
    share_parts(parts, [&](int part) {
        const Index from = pieces * part / parts * step, to = std::min(pieces * (part + 1) / parts * step, size);
        Part mine = whole;
        (by_columns ? mine.col : mine.row) = from;
        (by_columns ? mine.past_col : mine.past_row) = to;
        product_block(k, p, mine);
    });
}

}  // namespace

Matrix multiply(const Matrix& a, const Matrix& b) {
    assert(a.cols() == b.rows());
    return multiply_part(a, b, {0, b.cols()});
}

Matrix multiply_part(const Matrix& a, const Matrix& b, Columns of_b) {
    assert(a.cols() <= b.rows() && of_b.first + of_b.count <= b.cols());
    if (a.cols() == 0) return Matrix::Zero(a.rows(), of_b.count);  // nothing is added up, and there is no data to point into
    // (Zeros asked for further down would have the compiler make every result of zeros.)
    Matrix out = unwritten(a.rows(), of_b.count);
    if (out.size() > 0) shared_product({a.rows(), a.cols(), of_b.count, b.cols(), a.data(), b.data() + of_b.first, out.data()});
    return out;
}

}  // namespace attn
