#pragma once
// An operation is a row (a struct of functions) with everything that the engine knows about it. The rows are in this
// folder's files, grouped by family, and are the only place to ask about an operation: there is no other list of
// operations than ops.inc.

#include <concepts>
#include <span>
#include <string>
#include <vector>

#include "core/base/reused_matrices.h"
#include "core/ops/explain.h"
#include "core/ops/in_buffers.h"
#include "core/ops/ops.h"
#include "core/ops/rule.h"
#include "core/trace/trace.h"

namespace attn {

/// A column that every row must fill in; a row that omits it does not compile.
template <class T>
class Column {
public:
    template <class V>
        requires std::convertible_to<V, T>
    constexpr Column(V value) : value_(value) {}
    constexpr operator const T&() const { return value_; }
    constexpr const T* operator->() const { return &value_; }

private:
    T value_;
};

/// What a value is computed from.
struct Reading {
    const Trace& trace;
    const Step& step;
    const std::vector<Note>& notes;  ///< which rows of its inputs overflowed float32

    const Matrix& in(std::size_t slot) const { return trace[step.inputs[slot]].value; }
};

/// What a step costs besides its fixed cost: multiply-adds, and other work converted to the time of multiply-adds.
struct Work {
    double multiply_adds = 0, other = 0;
};

/// What kind of numbers an operation makes, apart from those that overflow float32.
enum class Makes : std::uint8_t {
    Nothing,  ///< none of its own: its document's or its inputs' numbers, merely moved
    Numbers,  ///< all are meant to be finite
    Shares,   ///< each row is a distribution: shares of 1
    Other
};

/// How the rows of a value are checked for notes: fully masked, or overflowed float32.
struct Noted {
    Makes makes;
    /// Whether a −∞ in this cell is intended; null: never.
    bool (*means_infinity)(const Trace&, const Step&, Eigen::Index row, Eigen::Index col) = nullptr;
    /// Whether the value is known to be finite without checking every number; `finite_input`: all numbers of the first
    /// input are finite. Null: every number is checked.
    bool (*surely_finite)(const Trace&, const Step&, bool finite_input) = nullptr;
    /// Whether this row is fully masked; null: that cannot happen.
    bool (*saw_nothing)(const Trace&, const Step&, Eigen::Index row) = nullptr;
};

/// Whether a large value need not be held (remake.h): never; only in a role that lies between held values; always.
enum class Evicted : std::uint8_t { Never, Between, Always };

struct Remade {
    Evicted evicted;
    /// Changes the parameters to those for the rows from `first` on; null: they are the same for all rows.
    void (*from_row)(Params&, Eigen::Index first) = nullptr;
};

/// How training computes an operation.
struct Trained {
    using Into = void (*)(const buffers::Call&);
    Into value;           ///< null: what contains the operation cannot be trained
    bool linear = false;  ///< the value for the sum of two inputs is the sum of their values
    constexpr Trained(Into made) : value(made) {}
    constexpr Trained(Into made, bool sums) : value(made), linear(sums) {}
};

/// Computes the columns `of` of the rows first … past. `out` is the whole matrix, and may be the first input's memory.
using NumberByNumber = void (*)(const Trace&, const Step&, Eigen::Index first, Eigen::Index past, Columns of, float* out);

struct Operation {
    /// The value's shape, from the shapes of the inputs.
    Column<Shape (*)(const Trace&, const Step&)> shape;
    Column<Work (*)(const Trace&, const Step&)> work;
    /// The value, without the cells typed over.
    Column<Matrix (*)(const Reading&)> value;

    /// How the number in a cell is made: fills in the terms and returns the tree over them.
    Column<Node (*)(const Trace&, const Step&, Explanation&)> derive;

    /// Whether the value is differentiable in this input.
    Column<bool (*)(const Step&, std::size_t slot)> has_slope;
    /// What the gradient of the value contributes to the gradients of the inputs.
    Column<void (*)(const Rule&)> gradient;
    Column<Trained> trained;

    Column<Noted> noted;
    Column<Remade> remade;

    // Optional: these make the operation faster.

    /// Not null for a step whose every number depends, in the first input, only on the number at the same place.
    NumberByNumber (*number_by_number)(const Step&) = nullptr;
    /// A bound on the absolute value of all numbers, given such bounds for the inputs; negative: unknown.
    double (*bound)(const Step&, std::span<const double> inputs) = nullptr;
};

const Operation& operation_of(Op op);

/// The rows. ops.inc lists them; the linker reports one that is missing.
namespace operations {
#define OP(name, id, rows) extern const Operation k##name;
#include "core/trace/ops.inc"
#undef OP
}  // namespace operations

// What several rows share.

Shape same_shape(const Trace& t, const Step& step);  ///< as the first input

inline Work no_work(const Trace&, const Step&) { return {}; }
Work one_a_cell(const Trace& t, const Step& step);
Work two_a_cell(const Trace& t, const Step& step);
Work one_a_cell_read(const Trace& t, const Step& step);  ///< one per number of the first input

/// some(at, count) for the runs of consecutive numbers that make up those columns of the rows first … past of x.
template <class Some>
void for_runs(const Matrix& x, Eigen::Index first, Eigen::Index past, Columns of, const Some& some) {
    if (of.count == x.cols()) return some(first * x.cols(), (past - first) * x.cols());
    for (Eigen::Index row = first; row < past; ++row) some(row * x.cols() + of.first, of.count);
}

/// The number in a cell.
inline float number_in(const Trace& t, Cell cell) { return t[cell.step].value(cell.row, cell.col); }
/// Adds a term: the number of a cell, or the product of two. Inline, because they are called once per term.
inline void carry(const Trace& t, Explanation& e, Cell from) { e.terms.push_back({from, std::nullopt, number_in(t, from)}); }
inline void product(const Trace& t, Explanation& e, Cell left, Cell right) {
    e.terms.push_back({left, right, number_in(t, left) * number_in(t, right)});
}

/// A single number of an input, merely moved.
inline Node carried(const Trace& t, Explanation& e, Cell from) {
    carry(t, e, from);
    return cell_node(t, from);
}

/// The value computed as in training, for an operation whose numbers are the same either way.
template <Trained::Into into>
Matrix value_as_trained(const Reading& r) {
    const Shape shape = shape_of(r.trace, r.step);
    Matrix out = unwritten(shape.rows, shape.cols);
    std::vector<buffers::View> inputs;
    for (const StepId id : r.step.inputs) {
        const Matrix& input = r.trace[id].value;
        inputs.push_back({input.data(), static_cast<int>(input.rows()), static_cast<int>(input.cols())});
    }
    into({&r.step.params, inputs, out.data(), static_cast<int>(shape.rows), static_cast<int>(shape.cols), nullptr});
    return out;
}

inline bool slopes_everywhere(const Step&, std::size_t) { return true; }
inline bool no_slope(const Step&, std::size_t) { return false; }
inline void no_gradient(const Rule&) {}
/// For operations of the backward pass itself: a second derivative is not recorded.
void no_second_gradient(const Rule& r);

inline constexpr Noted kCarriesNumbers{Makes::Nothing}, kMakesNumbers{Makes::Numbers}, kMakesOthers{Makes::Other};
inline constexpr Remade kHeld{Evicted::Never}, kRemadeByRows{Evicted::Between};
inline constexpr Trained::Into kNotTrained = nullptr;

/// True where no number is NaN or infinite.
bool is_finite_throughout(const Matrix& values);

}  // namespace attn
