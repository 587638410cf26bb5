#include "core/reused_matrices.h"

#include <array>
#include <new>
#include <utility>
#include <vector>

#include "core/kept_blocks.h"

namespace attn {
namespace {

using Index = Eigen::Index;

/// None under the address sanitizer: numbers that are read after they went must be seen.
constexpr bool kReuses = ATTN_KEPT_BLOCKS > 0;
constexpr Index kLargest = 4096;         ///< numbers of a matrix that is small
constexpr Index kMostHeld = 128 * 1024;  ///< numbers of all that are kept
constexpr Index kShelves = 61;           ///< a prime: shapes are multiples of powers of 2

/// Matrices of one shape.
struct Shelf {
    Index rows = 0, cols = 0;
    std::size_t count = 0;      ///< those behind it are empty
    std::vector<Matrix> there;
};

class Shelves {
public:
    bool take(Index rows, Index cols, Matrix& out) {
        Shelf& shelf = of(rows, cols);
        if (shelf.count == 0 || shelf.rows != rows || shelf.cols != cols) return false;
        out.swap(shelf.there[--shelf.count]);
        held_ -= rows * cols;
        return true;
    }
    void put(Matrix& going) {
        // What is there may be of shapes that nobody wants any more.
        if (held_ + going.size() > kMostHeld) *this = {};
        Shelf& shelf = of(going.rows(), going.cols());
        if (shelf.rows != going.rows() || shelf.cols != going.cols()) {
            held_ -= static_cast<Index>(shelf.count) * shelf.rows * shelf.cols;
            shelf = {going.rows(), going.cols(), 0, {}};
        }
        if (shelf.count == shelf.there.size()) shelf.there.emplace_back();
        shelf.there[shelf.count++].swap(going);
        held_ += shelf.rows * shelf.cols;
    }

private:
    Shelf& of(Index rows, Index cols) { return shelves_[static_cast<std::size_t>((rows * 31 + cols) % kShelves)]; }

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
    if (!mine || !mine->take(rows, cols, out)) out.resize(rows, cols);
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
