#pragma once
// A matrix that several owners share and nobody changes: copying it copies a pointer. A document's weights are handed
// to the engine and recorded by the trace without copying their numbers once.

#include <memory>
#include <utility>

#include "core/base/pool_allocator.h"
#include "core/base/matrix.h"
#include "core/base/reused_matrices.h"

namespace attn {

/// Reads as a matrix does (`m(r, c)`, `m.rows()`, `m * n`, `const Matrix& held = m`) but cannot be written: to change
/// numbers, make a new matrix and assign it. Constructed from a matrix by moving or copying it. Safe to read and to
/// copy from several threads. The numbers keep their address as long as any copy lives, so that comparing pointers
/// tells two matrices apart.
class FrozenMatrix : public Eigen::Map<const Matrix> {
    using View = Eigen::Map<const Matrix>;

public:
    FrozenMatrix() : View(nullptr, 0, 0) {}
    FrozenMatrix(Matrix value) : FrozenMatrix(std::allocate_shared<const Reused>(PoolAllocator<Reused>(), std::move(value))) {}
    /// The value of an Eigen expression.
    template <class Expression>
    FrozenMatrix(const Eigen::EigenBase<Expression>& value) : FrozenMatrix(Matrix(value.derived())) {}
    FrozenMatrix(const FrozenMatrix& other) : View(other), held_(other.held_) {}
    FrozenMatrix(FrozenMatrix&& other) noexcept : View(other), held_(std::move(other.held_)) { other.look(0, 0); }
    FrozenMatrix& operator=(const FrozenMatrix& other) { return *this = FrozenMatrix(other); }
    FrozenMatrix& operator=(FrozenMatrix&& other) noexcept {
        const Eigen::Index rows = other.rows(), cols = other.cols();
        held_ = std::move(other.held_);
        other.look(0, 0);
        look(rows, cols);  // last: `other` may be this one
        return *this;
    }
    ~FrozenMatrix() = default;

    /// A shape without numbers: only rows() and cols() may be called on it.
    static FrozenMatrix of_shape(Eigen::Index rows, Eigen::Index cols) {
        FrozenMatrix shape;
        shape.look(rows, cols);
        return shape;
    }

    /// One that shares `held` with other owners.
    static FrozenMatrix of(std::shared_ptr<const Matrix> held) { return FrozenMatrix(std::move(held)); }

    const Matrix& matrix() const { return held_ ? *held_ : none(); }
    operator const Matrix&() const { return matrix(); }
    /// Owns the numbers independently of their step or document; null where there are none.
    const std::shared_ptr<const Matrix>& held() const { return held_; }

private:
    /// Leaves its memory to the next matrix of its shape.
    struct Reused : Matrix {
        explicit Reused(Matrix&& value) noexcept : Matrix(std::move(value)) {}
        Reused(const Reused&) = delete;
        Reused& operator=(const Reused&) = delete;
        ~Reused() { reuse_later(*this); }
    };

    explicit FrozenMatrix(std::shared_ptr<const Matrix> held)
        : View(held->data(), held->rows(), held->cols()), held_(std::move(held)) {}
    /// A Map is pointed elsewhere by constructing it anew in place (as Eigen's documentation of Map says).
    void look(Eigen::Index rows, Eigen::Index cols) {
        new (static_cast<View*>(this)) View(held_ ? held_->data() : nullptr, rows, cols);
    }
    static const Matrix& none() {
        static const Matrix kNone;
        return kNone;
    }

    std::shared_ptr<const Matrix> held_;
};

/// The same numbers in the same shape; copies of one matrix are not compared number by number.
inline bool same(const FrozenMatrix& a, const FrozenMatrix& b) {
    if (a.held() && a.held() == b.held()) return true;
    return a.rows() == b.rows() && a.cols() == b.cols() && a == b;
}

}  // namespace attn
