#include "core/kernels/multiply.h"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <memory>

#include "core/base/parallel.h"
#include "core/base/reused_matrices.h"
#include "core/kernels/widths.h"

namespace attn {
namespace {

using vectors::Block;
using vectors::Index;
using vectors::Kernels;

/// The sums advance by this many terms at a time, so that the parts of A and B in use stay in the caches. In between, a
/// cell of C holds its float32 partial sum, so the chain is the same as without a pause.
constexpr Index kInner = 1024;
/// Numbers of B to pack at a time (at least two tiles), which many rows of A then read from the second-level cache.
constexpr Index kPacked = Index{1} << 15, kTiles = 2;
/// A B of at most this many numbers stays in the innermost cache (16 KiB) and is read in place.
constexpr Index kNear = 4096;
/// From this many columns per thread on, rows of A are copied next to each other: in place they are often a multiple of
/// a page apart and compete for the same sets of the caches. A copy costs about as much as two columns.
constexpr Index kCopied = 512;
/// Rows of A to copy at a time.
constexpr Index kRows = 1024;
/// A product of fewer multiply-adds is not worth waking a thread for (about 10 µs).
constexpr double kWorthSharing = 500'000;
/// Parts of a product per thread, so that a thread that starts late or is held up leaves the rest to the others.
constexpr Index kParts = 4;

/// C = A B, all row-major, with the row strides of the whole matrices (a_row, b_row): only some columns of A and B may
/// be used.
struct Product {
    Index rows, inner, cols, a_row, b_row;
    const float* a;
    const float* b;
    float* c;
};

/// A buffer that a thread retains between products: a fresh half megabyte would cost a page fault per page each time.
class Room {
public:
    float* of(Index size) {
        if (held_ < size) {
            numbers_ = std::make_unique_for_overwrite<float[]>(static_cast<std::size_t>(size));
            held_ = size;
        }
        return numbers_.get();
    }

private:
    Index held_ = 0;
    std::unique_ptr<float[]> numbers_;
};
thread_local constinit Room room_for_b, room_for_a;

/// B is prefetched this many rows ahead, the time that memory needs.
constexpr Index kAhead = 32, kLine = 16;

/// Packs rows×cols of B (rows `stride` apart) into panels of `width` columns, one after the other; the last is padded
/// with zeros. Goes row by row, so that B is read in memory order.
void pack_columns(const float* b, Index stride, Index rows, Index cols, Index width, float* out) {
    const Index panel = rows * width;
    for (Index f = 0; f < rows; ++f, b += stride, out += width) {
        for (Index j = 0; j < cols; j += kLine) __builtin_prefetch(b + kAhead * stride + j);
        float* to = out;
        for (Index j = 0; j < cols; j += width, to += panel) {
            const Index here = std::min(width, cols - j);
            std::copy_n(b + j, here, to);
            std::fill(to + here, to + width, 0.0f);
        }
    }
}

/// Calls each(row, height) for strips of nearly equal height, each at most `most` high, that make up the rows first …
/// past.
template <class Each>
void for_strips(Index first, Index past, Index most, const Each& each) {
    if (past - first <= most) return each(first, past - first);  // not worth a division for a small product
    const Index count = (past - first + most - 1) / most;
    for (Index s = 0; s < count; ++s) {
        const Index from = first + (past - first) * s / count, to = first + (past - first) * (s + 1) / count;
        each(from, to - from);
    }
}

/// A part of C: its rows and columns, and the terms to add to it now.
struct Part {
    Index row, past_row, col, past_col, f, past_f;
};

/// The tiles of `part`. `a` and `b` are its rows of A and columns of B: B in tiles of `width`, packed (b_panel apart)
/// or not.
void product_tiles(const Kernels& k, const Product& p, const Part& part, const Block& a, const Block& b, Index b_panel) {
    const Index inner = part.past_f - part.f, wide = 2 * k.lanes;
    const bool onto = part.f > 0;
    alignas(64) float edge[16 * 32];
    for_strips(part.row, part.past_row, k.tile_rows, [&](Index row, Index height) {
        const Block left_factor{a.data + (row - part.row) * a.row, a.row, 1};
        Block right_factor = b;
        for (Index j = part.col; j < part.past_col; j += wide, right_factor.data += b_panel) {
            float* c = p.c + row * p.cols + j;
            const Index left = part.past_col - j;
            const Index width = left <= k.lanes ? k.lanes : wide;
            if (left >= width) {
                k.tile(height, width, inner, left_factor, right_factor, c, p.cols, onto);
                continue;
            }
            for (Index r = 0; onto && r < height; ++r) std::copy_n(c + r * p.cols, left, edge + r * width);
            k.tile(height, width, inner, left_factor, right_factor, edge, width, onto);
            for (Index r = 0; r < height; ++r) std::copy_n(edge + r * width, left, c + r * p.cols);
        }
    });
}

/// The part's rows of A, in place.
Block rows_of_a(const Product& p, const Part& part) { return {p.a + part.row * p.a_row + part.f, p.a_row, 1}; }

/// The columns after the last whole vector, which a tile must not read in place: B's are copied and padded with zeros.
void last_columns(const Kernels& k, const Product& p, const Part& part) {
    const Index wide = 2 * k.lanes, inner = part.past_f - part.f, left = part.past_col - part.col, width = left <= k.lanes ? k.lanes : wide;
    float* packed = room_for_b.of(inner * width);
    pack_columns(p.b + part.f * p.b_row + part.col, p.b_row, inner, left, width, packed);
    product_tiles(k, p, part, rows_of_a(p, part), {packed, width, 1}, 0);
}

/// For few rows, which read B only once or twice: B in place, tile by tile.
void product_in_place(const Kernels& k, const Product& p, const Part& whole) {
    const Index wide = 2 * k.lanes, vectors = (whole.past_col - whole.col) & -k.lanes;  // lanes: a power of 2
    Part part = whole;
    for (part.col = whole.col; part.col < whole.col + vectors; part.col = part.past_col) {
        part.past_col = std::min(part.col + wide, whole.col + vectors);
        product_tiles(k, p, part, rows_of_a(p, part), {p.b + part.f * p.b_row + part.col, p.b_row, 1}, wide);
    }
    part.past_col = whole.past_col;
    if (part.col < part.past_col) last_columns(k, p, part);
}

/// The part's rows of A, copied next to each other, with a stride that spreads them over different cache lines.
Block copy_rows(const Product& p, const Part& part) {
    constexpr Index kApart = 16;
    const Index inner = part.past_f - part.f, apart = inner + kApart;
    float* const copied = room_for_a.of((part.past_row - part.row) * apart);
    for (Index r = part.row; r < part.past_row; ++r) std::copy_n(p.a + r * p.a_row + part.f, inner, copied + (r - part.row) * apart);
    return {copied, apart, 1};
}

/// For many rows: they read a packed copy of B, a few tiles' columns at a time. `then` is called for each complete
/// part.
void product_packed(const Kernels& k, const Product& p, const Part& whole, const ProductWork* then) {
    const Index wide = 2 * k.lanes, inner = whole.past_f - whole.f, at_once = std::max(kTiles, kPacked / (inner * wide)) * wide;
    const Block a = whole.past_col - whole.col < kCopied ? rows_of_a(p, whole) : copy_rows(p, whole);
    float* const packed = room_for_b.of(inner * at_once);
    Part part = whole;
    for (Index j = whole.col; j < whole.past_col; j += at_once) {
        part.col = j;
        part.past_col = std::min(j + at_once, whole.past_col);
        pack_columns(p.b + part.f * p.b_row + j, p.b_row, inner, part.past_col - j, wide, packed);
        product_tiles(k, p, part, a, {packed, wide, 1}, inner * wide);
        if (then && part.past_f == p.inner) (*then)(part.row, part.past_row, {j, part.past_col - j});
    }
}

void product_block(const Kernels& k, const Product& p, const Part& whole, const ProductWork* then) {
    const bool in_place = whole.past_row - whole.row <= 2 * k.tile_rows || p.cols <= 2 * k.lanes || p.inner * p.cols <= kNear;
    const Index rows_at_once = in_place ? whole.past_row - whole.row : kRows, sums = (p.inner + kInner - 1) / kInner;
    for (Index row = whole.row; row < whole.past_row; row += rows_at_once)
        for (Index i = 0; i < sums; ++i) {
            Part part = whole;
            part.row = row;
            part.past_row = std::min(row + rows_at_once, whole.past_row);
            part.f = p.inner * i / sums;
            part.past_f = p.inner * (i + 1) / sums;
            in_place ? product_in_place(k, p, part) : product_packed(k, p, part, then);
        }
    if (then && in_place) (*then)(whole.row, whole.past_row, {whole.col, whole.past_col - whole.col});
}

/// Splits the product between threads: by rows, in pieces that begin at tile boundaries; by columns where B is the
/// largest, so that each thread packs its own part of it.
void shared_product(const Product& p, const ProductWork* then) {
    const Kernels& k = vectors::kernels_for(p.cols);
    const Part whole{0, p.rows, 0, p.cols, 0, 0};
    const double work = static_cast<double>(p.rows) * static_cast<double>(p.inner) * static_cast<double>(p.cols);
    const int helpers = work < kWorthSharing ? 1 : threads();
    if (helpers == 1) return product_block(k, p, whole, then);
    const bool by_columns = p.cols >= p.rows && p.inner >= p.rows;
    const Index size = by_columns ? p.cols : p.rows, step = by_columns ? 2 * k.lanes : k.tile_rows;
    const Index pieces = (size + step - 1) / step;
    const auto parts = static_cast<int>(std::min<Index>(pieces, by_columns ? kParts * helpers : helpers));
    share_parts(parts, [&](int part) {
        const Index from = pieces * part / parts * step, to = std::min(pieces * (part + 1) / parts * step, size);
        Part mine = whole;
        (by_columns ? mine.col : mine.row) = from;
        (by_columns ? mine.past_col : mine.past_row) = to;
        product_block(k, p, mine, then);
    });
}

Product product_of(const MatrixPart& a, const Matrix& b, Columns of_b, float* out) {
    assert(a.first + a.rows <= a.of.rows() && a.columns.first + a.columns.count <= a.of.cols());
    assert(a.columns.count <= b.rows() && of_b.first + of_b.count <= b.cols());
    const Index a_row = a.of.cols();
    return {a.rows, a.columns.count, of_b.count, a_row, b.cols(), a.of.data() + a.first * a_row + a.columns.first, b.data() + of_b.first, out};
}

}  // namespace

bool all_finite(const Matrix& values, Index first, Index past, Columns of) {
    const Kernels& k = vectors::kernels();
    if (of.count == values.cols()) return k.all_finite(values.data() + first * of.count, (past - first) * of.count);
    for (Index row = first; row < past; ++row)
        if (!k.all_finite(values.data() + row * values.cols() + of.first, of.count)) return false;
    return true;
}

Matrix multiply(const Matrix& a, const Matrix& b) {
    assert(a.cols() == b.rows());
    return multiply_part(whole_of(a), b, {0, b.cols()});
}

Matrix multiply(const Matrix& a, const Matrix& b, bool& finite) {
    assert(a.cols() == b.rows());
    Matrix out = unwritten(a.rows(), b.cols());
    std::atomic<bool> sound = true;
    multiply_into(whole_of(a), b, {0, b.cols()}, out.data(), ProductWork([&](Index first, Index past, Columns of) {
        if (!all_finite(out, first, past, of)) sound = false;
    }));
    finite = sound;
    return out;
}

Matrix multiply_part(const MatrixPart& a, const Matrix& b, Columns of_b) {
    if (a.columns.count == 0) return Matrix::Zero(a.rows, of_b.count);  // nothing to sum, and no data to point to
    // (If zeros were requested further down, the compiler would zero every result.)
    Matrix out = unwritten(a.rows, of_b.count);
    if (out.size() > 0) shared_product(product_of(a, b, of_b, out.data()), nullptr);
    return out;
}

void multiply_into(const MatrixPart& a, const Matrix& b, Columns of_b, float* out, ProductWork then) {
    if (a.rows == 0 || of_b.count == 0) return;
    if (a.columns.count > 0) return shared_product(product_of(a, b, of_b, out), &then);
    std::fill_n(out, a.rows * of_b.count, 0.0f);
    then(0, a.rows, {0, of_b.count});
}

}  // namespace attn
