#include "core/base/reused_matrices.h"

#include <array>
#include <new>
#include <utility>
#include <vector>

#include "core/base/kept_blocks.h"

namespace attn {
namespace {

using Index = Eigen::Index;

/// None under the address sanitizer: numbers that are read after they went must be seen.
constexpr bool kReuses = ATTN_KEPT_BLOCKS > 0;
constexpr Index kLargest = 4096;         ///< numbers of a matrix that is small
constexpr Index kMostHeld = Index{1} << 20;  ///< numbers of all that are kept: a checkpoint's heads of a short text
constexpr std::size_t kShelves = 64;

/// Matrices of so many numbers.
struct Shelf {
    Index size = 0;
    std::size_t count = 0;      ///< those behind it are empty
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
    /// Sizes are products of powers of 2 and little else.
    Shelf& of(Index size) {
        const auto number = static_cast<std::size_t>(size);
        return shelves_[(number ^ (number >> 6)) % kShelves];
    }

    [[gnu::noinline]] void make_room(Shelf& shelf, Index size) {
        // What is there may be of sizes that nobody wants any more.
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

/// Without destructors: what goes after a thread's variables still finds them.
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
    if (out.rows() != rows || out.cols() != cols) out.resize(rows, cols);  // one of that size stays where it is
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
