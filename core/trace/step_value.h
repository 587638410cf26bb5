#pragma once
// The value of a step. Most are held as long as the step; one that is cheap to recompute may have been evicted
// (remake.h) and is recomputed when it is read, with the same bytes as the first time.

#include <cstdint>
#include <memory>
#include <utility>

#include "core/base/frozen_matrix.h"

namespace attn {

struct Recipe;

/// Reads as a matrix does; reading its shape costs nothing. A reference to its numbers, by matrix() or one of its rows,
/// is valid as long as the step or, where it was evicted, as long as this thread's PinScope (remake.h) in which it was
/// obtained. Safe to read and to copy from several threads.
class StepValue {
public:
    StepValue() = default;
    StepValue(FrozenMatrix held) : held_(std::move(held)) {}
    StepValue(Matrix value) : held_(std::move(value)) {}
    template <class Expression>
    StepValue(const Eigen::EigenBase<Expression>& value) : held_(Matrix(value.derived())) {}
    /// rows × cols numbers that `recipe` makes whenever they are read.
    StepValue(std::shared_ptr<const Recipe> recipe, Eigen::Index rows, Eigen::Index cols)
        : held_(FrozenMatrix::of_shape(rows, cols)), recipe_(std::move(recipe)) {}

    Eigen::Index rows() const { return held_.rows(); }
    Eigen::Index cols() const { return held_.cols(); }
    Eigen::Index size() const { return held_.size(); }

    const Matrix& matrix() const { return recipe_ ? remade() : held_.matrix(); }
    operator const Matrix&() const { return matrix(); }
    operator FrozenMatrix() const { return recipe_ ? FrozenMatrix::of(held()) : held_; }
    /// For a large value that is not at hand (four million numbers, or is_huge()) only the row is computed, and cached
    /// for the next reader.
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

    /// A few rows, computed without the others if the value is not at hand.
    Matrix some_rows(Eigen::Index first, Eigen::Index count) const;
    RowVector one_row(Eigen::Index row) const { return some_rows(row, 1).row(0); }
    /// Multiply-adds to recompute it, including intermediate values that are not at hand; 0 if it is at hand.
    double work_to_see() const;
    /// Holds the numbers independently of the step; null where there are none.
    std::shared_ptr<const Matrix> held() const;
    /// The same for a reader of many values, one after the other: numbers that stay on disk are not cached for others.
    std::shared_ptr<const Matrix> held_in_passing() const;
    /// Identifies the numbers as long as it is held: equal pointers, equal numbers. Computes nothing.
    std::shared_ptr<const void> identity() const;
    /// Null: held; otherwise it is computed when read.
    const Recipe* recipe() const { return recipe_.get(); }
    /// It has a shape but no numbers yet.
    bool is_shape() const { return !recipe_ && !held_.held() && size() > 0; }
    /// Whether reading costs nothing: it is held, or was recomputed and is still cached or pinned.
    bool at_hand() const { return !recipe_ || place() != nullptr; }
    /// The address of the numbers if they are at hand, valid for this moment only: to compare, not to dereference.
    /// Computes nothing.
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
    /// A few rows, without the others; cached.
    std::shared_ptr<const Matrix> few_rows(Eigen::Index first, Eigen::Index count) const;

    FrozenMatrix held_;
    std::shared_ptr<const Recipe> recipe_;
};

}  // namespace attn
