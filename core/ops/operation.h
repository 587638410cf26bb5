#pragma once
// An operation is a row that carries all that the engine knows of it; the rows stand in the files of this folder, by
// families. Whoever asks something of an operation asks its row: there is no other list of operations than ops.inc.

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

/// A column that no row may leave out: one that does is not compiled.
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

/// What a value is made from.
struct Reading {
    const Trace& trace;
    const Step& step;
    const std::vector<Note>& notes;  ///< which rows of its inputs are beyond float32

    const Matrix& in(std::size_t slot) const { return trace[step.inputs[slot]].value; }
};

/// What a step takes beside itself: in multiply-adds, and what else takes its time, in that of a multiply-add.
struct Work {
    double multiply_adds = 0, other = 0;
};

/// What numbers an operation makes, beside those that are beyond float32.
enum class Makes : std::uint8_t {
    Nothing,  ///< none: they are its document's, or its inputs', carried to another place
    Numbers,  ///< none but finite ones are meant
    Shares,   ///< shares of 1 of each row
    Other
};

/// What is noted of the rows of a value: nothing was looked at, or its numbers are beyond float32.
struct Noted {
    Makes makes;
    /// Whether a −∞ in this cell is meant; null: never.
    bool (*means_infinity)(const Trace&, const Step&, Eigen::Index row, Eigen::Index col) = nullptr;
    /// Whether it can be told without a look at every number that there is nothing beyond float32; `finite_input`: none of
    /// the first input's is. Null: each is looked at.
    bool (*surely_finite)(const Trace&, const Step&, bool finite_input) = nullptr;
    /// Whether there was nothing to look at for this row; null: that cannot be.
    bool (*saw_nothing)(const Trace&, const Step&, Eigen::Index row) = nullptr;
};

/// Whether a large value need not be held (remake.h): never; where it stands between what a reader looks at; wherever it is.
enum class Evicted : std::uint8_t { Never, Between, Always };

struct Remade {
    Evicted evicted;
    /// Changes the parameters to those for the rows from `first` on; null: they are the same for all rows.
    void (*from_row)(Params&, Eigen::Index first) = nullptr;
};

/// What training makes of an operation.
struct Trained {
    using Into = void (*)(const buffers::Call&);
    Into value;           ///< null: what contains the operation is not trained
    bool linear = false;  ///< the value for the sum of two inputs is the sum of the values
    constexpr Trained(Into made) : value(made) {}
    constexpr Trained(Into made, bool sums) : value(made), linear(sums) {}
};

/// Makes some columns of the rows first … past. All rows stand at `out`, which may be where those of the first input stand.
using NumberByNumber = void (*)(const Trace&, const Step&, Eigen::Index first, Eigen::Index past, Columns of, float* out);

struct Operation {
    /// Of the value, from the shapes of the inputs.
    Column<Shape (*)(const Trace&, const Step&)> shape;
    Column<Work (*)(const Trace&, const Step&)> work;
    /// The value, without the cells typed over.
    Column<Matrix (*)(const Reading&)> value;

    /// How the number in a cell is made: fills in its terms, and returns the tree over them.
    Column<Node (*)(const Trace&, const Step&, Explanation&)> derive;

    /// Whether the value changes smoothly with this input.
    Column<bool (*)(const Step&, std::size_t slot)> has_slope;
    /// What the gradient of the value puts into those of the inputs.
    Column<void (*)(const Rule&)> gradient;
    Column<Trained> trained;

    Column<Noted> noted;
    Column<Remade> remade;

    // What makes it faster and is not asked of every operation.

    /// Not null for a step whose every number is made of the one at the same place of the first input (and of others).
    NumberByNumber (*number_by_number)(const Step&) = nullptr;
    /// No number of the value is larger, where none of the inputs' is larger than these; negative: not known.
    double (*bound)(const Step&, std::span<const double> inputs) = nullptr;
};

const Operation& operation_of(Op op);

/// The rows: ops.inc names them, and the linker whichever is missing.
namespace operations {
#define OP(name, id, rows) extern const Operation k##name;
#include "core/trace/ops.inc"
#undef OP
}  // namespace operations

// What several rows have in common.

Shape same_shape(const Trace& t, const Step& step);  ///< as the first input

inline Work no_work(const Trace&, const Step&) { return {}; }
Work one_a_cell(const Trace& t, const Step& step);
Work two_a_cell(const Trace& t, const Step& step);
Work one_a_cell_read(const Trace& t, const Step& step);  ///< of the first input

/// some(at, count) for those columns of the rows first … past of x, whose numbers may follow each other.
template <class Some>
void for_runs(const Matrix& x, Eigen::Index first, Eigen::Index past, Columns of, const Some& some) {
    if (of.count == x.cols()) return some(first * x.cols(), (past - first) * x.cols());
    for (Eigen::Index row = first; row < past; ++row) some(row * x.cols() + of.first, of.count);
}

/// The number in a cell.
inline float number_in(const Trace& t, Cell cell) { return t[cell.step].value(cell.row, cell.col); }
/// A term that is the number of a cell, or the product of two; here, because they are called once for each term.
inline void carry(const Trace& t, Explanation& e, Cell from) { e.terms.push_back({from, std::nullopt, number_in(t, from)}); }
inline void product(const Trace& t, Explanation& e, Cell left, Cell right) {
    e.terms.push_back({left, right, number_in(t, left) * number_in(t, right)});
}

/// What is one number of an input, carried to another place.
inline Node carried(const Trace& t, Explanation& e, Cell from) {
    carry(t, e, from);
    return cell_node(t, from);
}

/// The value as training makes it: of an operation whose numbers are the same either way.
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
/// Those of the reverse pass itself: a reverse pass of one is not recorded.
void no_second_gradient(const Rule& r);

inline constexpr Noted kCarriesNumbers{Makes::Nothing}, kMakesNumbers{Makes::Numbers}, kMakesOthers{Makes::Other};
inline constexpr Remade kHeld{Evicted::Never}, kRemadeByRows{Evicted::Between};
inline constexpr Trained::Into kNotTrained = nullptr;

/// True where no number is NaN or infinite.
bool is_finite_throughout(const Matrix& values);

}  // namespace attn
