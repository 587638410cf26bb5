#pragma once
// The value of a step. Most are held for as long as the step; one that is cheap to make again may have been let go of
// (remake.h) and is then made when it is looked at: the same bytes as at first.

#include <cstdint>
#include <memory>
#include <utility>

#include "core/base/frozen_matrix.h"

namespace attn {

struct Recipe;

/// Reads as a matrix does; its shape costs nothing. A reference to its numbers, matrix() or a row of them, is good for
/// as long as the step is, or, where it was let go of, as the Looking (remake.h) of this thread under which it was asked
/// for. Safe to read, and to copy, from several threads.
class StepValue {
public:
    StepValue() = default;
    StepValue(FrozenMatrix held) : held_(std::move(held)) {}
    StepValue(Matrix value) : held_(std::move(value)) {}
    template <class Expression>
    StepValue(const Eigen::EigenBase<Expression>& value) : held_(Matrix(value.derived())) {}
    /// rows × cols numbers that are made by `recipe` whenever somebody looks.
    StepValue(std::shared_ptr<const Recipe> recipe, Eigen::Index rows, Eigen::Index cols)
        : held_(FrozenMatrix::of_shape(rows, cols)), recipe_(std::move(recipe)) {}

    Eigen::Index rows() const { return held_.rows(); }
    Eigen::Index cols() const { return held_.cols(); }
    Eigen::Index size() const { return held_.size(); }

    const Matrix& matrix() const { return recipe_ ? remade() : held_.matrix(); }
    operator const Matrix&() const { return matrix(); }
    operator FrozenMatrix() const { return recipe_ ? FrozenMatrix::of(held()) : held_; }
    /// Of a large value that is not at hand (four million numbers, or is_huge()) the row alone is made, and kept for the next one
    /// who asks.
    float operator()(Eigen::Index row, Eigen::Index col) const { return recipe_ ? remade_cell(row, col) : held_(row, col); }
    const float* data() const { return matrix().data(); }
    auto row(Eigen::Index i) const { return matrix().row(i); }
    auto col(Eigen::Index i) const { return matrix().col(i); }
    auto array() const { return matrix().array(); }
    auto transpose() const { return matrix().transpose(); }
    auto rowwise() const { return matrix().rowwise(); }
    auto topRows(Eigen::Index count) const { return matrix().topRows(count); }
    auto middleRows(Eigen::Index first, Eigen::Index count) const { return matrix().middleRows(first, count); }
    auto middleCols(Eigen::Index first, Eigen::Index count) const { return matrix().middleCols(first, count); }
    auto topLeftCorner(Eigen::Index rows, Eigen::Index cols) const { return matrix().topLeftCorner(rows, cols); }
    auto block(Eigen::Index row, Eigen::Index col, Eigen::Index rows, Eigen::Index cols) const {
        return matrix().block(row, col, rows, cols);
    }
    template <class Number>
    auto cast() const { return matrix().template cast<Number>(); }

    /// A few rows, made without the others where these are not at hand.
    Matrix some_rows(Eigen::Index first, Eigen::Index count) const;
    RowVector one_row(Eigen::Index row) const { return some_rows(row, 1).row(0); }
    /// Multiply-adds that it takes to make it again, with what of it on the way is not at hand; 0 where it is at hand.
    double work_to_see() const;
    /// To hold the numbers without the step; null where there are none.
    std::shared_ptr<const Matrix> held() const;
    /// What tells it from the values of other numbers, for as long as it is held: nothing is made for that.
    std::shared_ptr<const void> identity() const;
    /// Made when it is looked at; null: held.
    const Recipe* recipe() const { return recipe_.get(); }
    /// It has a shape, and no numbers yet.
    bool is_shape() const { return !recipe_ && !held_.held() && size() > 0; }
    /// To look now costs nothing: it is held, or was looked at and is still there.
    bool at_hand() const { return !recipe_ || place() != nullptr; }
    /// The numbers where they are at hand, for this moment alone: to be compared, not to be read. Makes nothing.
    const void* place() const;

    friend bool operator==(const StepValue& a, const StepValue& b) { return a == b.matrix(); }
    template <class Expression>
    friend bool operator==(const StepValue& a, const Eigen::MatrixBase<Expression>& b) {
        return a.rows() == b.rows() && a.cols() == b.cols() && a.matrix() == b.derived();
    }
    friend auto operator-(const StepValue& a, const StepValue& b) { return a.matrix() - b.matrix(); }
    template <class Expression>
    friend auto operator-(const StepValue& a, const Eigen::MatrixBase<Expression>& b) { return a.matrix() - b.derived(); }

private:
    const Matrix& remade() const;
    float remade_cell(Eigen::Index row, Eigen::Index col) const;
    /// Few of them, without the others.
    std::shared_ptr<const Matrix> few_rows(Eigen::Index first, Eigen::Index count) const;

    FrozenMatrix held_;
    std::shared_ptr<const Recipe> recipe_;
};

}  // namespace attn
