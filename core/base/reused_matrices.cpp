#include "core/base/reused_matrices.h"

#include <array>
#include <new>
#include <utility>
#include <vector>

#include "core/base/pool_allocator.h"

namespace attn {
namespace {

using Index = Eigen::Index;

/// None under the address sanitizer, which must see numbers that are read after they were freed.
constexpr bool kReuses = ATTN_POOLED_BLOCKS > 0;
constexpr Index kLargest = 4096;         ///< numbers in the largest matrix that is retained
constexpr Index kMostHeld = Index{1} << 20;  ///< numbers retained in all: a checkpoint's heads for a short text
constexpr std::size_t kShelves = 64;

/// Matrices of one number count.
struct Shelf {
    Index size = 0;
    std::size_t count = 0;      ///< the entries after these are empty
    std::vector<Matrix> there;
};

class Shelves {
public:
    void take(Index size, Matrix& out) {
        Shelf& shelf = of(size);
        if (shelf.count == 0 || shelf.size != size) return;
        out.swap(shelf.there[--shelf.count]);
        held_ -= size;
    }
    void put(Matrix& going) {
        const Index size = going.size();
        Shelf& shelf = of(size);
        if (held_ + size > kMostHeld && shelf.size == size && 2 * size * static_cast<Index>(shelf.count) > held_) return;  // it is freed
        if (held_ + size > kMostHeld || shelf.size != size || shelf.count == shelf.there.size()) make_room(shelf, size);
        shelf.there[shelf.count++].swap(going);
        held_ += size;
    }

private:
    /// Sizes are mostly powers of 2 times a small factor, so the high bits are mixed in.
    Shelf& of(Index size) {
        const auto number = static_cast<std::size_t>(size);
        return shelves_[(number ^ (number >> 6)) % kShelves];
    }

    [[gnu::noinline]] void make_room(Shelf& shelf, Index size) {
        // What is retained may be of sizes that are no longer used.
        if (held_ + size > kMostHeld) *this = {};
        if (shelf.size != size) {
            held_ -= static_cast<Index>(shelf.count) * shelf.size;
            shelf = {size, 0, {}};
        }
        if (shelf.count == shelf.there.size()) shelf.there.emplace_back();
    }

    std::array<Shelf, kShelves> shelves_;
    Index held_ = 0;
};

/// Trivially destructible, so that matrices freed after the thread's other variables still find them.
thread_local constinit Shelves* mine = nullptr;
thread_local constinit bool over = false;

struct Ending {
    ~Ending() {
        delete std::exchange(mine, nullptr);
        over = true;
    }
};

}  // namespace

Matrix unwritten(Index rows, Index cols) {
    Matrix out;
    if (mine) mine->take(rows * cols, out);
    if (out.rows() != rows || out.cols() != cols) out.resize(rows, cols);  // the right size is not reallocated
    return out;
}

void reuse_later(Matrix& going) {
    if (!kReuses || over || going.size() == 0 || going.size() > kLargest) return;
    static thread_local Ending ending;
    try {
        if (!mine) mine = new Shelves;
        mine->put(going);
    } catch (const std::bad_alloc&) {  // then it is freed as any other
    }
}

}  // namespace attn
