#pragma once
// Every operation: compute and record. Each function returns the id of the step that it added. Valid shapes are the
// caller's responsibility (asserted); documents are checked beforehand (document.h).

#include "core/kernels/multiply.h"
#include "core/ops/defaults.h"
#include "core/trace/trace.h"

namespace attn {

StepId input(Trace& t, StepValue value, Tag tag, Axis rows, Axis cols, Sources sources);
/// The same for numbers that are made only if they are needed, which a run over shapes does not.
template <class Make>
StepId input(Trace& t, Eigen::Index height, Eigen::Index width, const Make& make, Tag tag, Axis rows, Axis cols,
             Sources sources) {
    return input(t, t.shapes ? FrozenMatrix::of_shape(height, width) : FrozenMatrix(make()), tag, rows, cols,
                 std::move(sources));
}
/// A (n×f) times B (f×m): n×m.
StepId matmul(Trace& t, StepId left, StepId right, Tag tag);
/// m×n from n×m.
StepId transpose(Trace& t, StepId from, Tag tag);
StepId scale(Trace& t, StepId from, float factor, Tag tag);
/// Two of the same shape.
StepId add(Trace& t, StepId left, StepId right, Tag tag);
/// n×d and a bias of 1×d.
StepId add_row(Trace& t, StepId left, StepId bias, Tag tag);
/// Number by number; `right` has the same shape, or one column (n×1) that serves every column.
StepId multiply(Trace& t, StepId left, StepId right, Tag tag);
/// The same, divided. 0 / 0 is 0, for a row that attends to nothing.
StepId divide(Trace& t, StepId left, StepId right, Tag tag);
/// A function of every number. GELU by erf and by tanh [Hendrycks, Gimpel 2016]; SiLU x·sigmoid(x) [Shazeer 2020];
/// LeakyReLU with slope 0.2 [Veličković et al. 2018]; elu(x) + 1 [Katharopoulos et al. 2020], and its logarithm, which
/// stays exact where elu(x) + 1 underflows float32; the natural logarithm.
StepId activate(Trace& t, StepId from, Activation activation, Tag tag);
/// Each row divided by its norm; a row of norm 0 stays 0.
StepId unit(Trace& t, StepId from, Tag tag);
/// Per row: γ (x − mean) / √(var + ε) + β, var biased; γ, β 1×d [Ba et al. 2016].
StepId layer_norm(Trace& t, StepId from, StepId gain, StepId bias, Tag tag, float epsilon = kNormEpsilon);
/// Per row: γ x / √(mean(x²) + ε) [Zhang, Sennrich 2019].
StepId rms_norm(Trace& t, StepId from, StepId gain, Tag tag, float epsilon = kNormEpsilon);
/// Pairs of columns rotated by p·θ_i, θ_i = base^(−2i/d); row r is at position first + r. d even. Pairs are neighbours
/// (2i, 2i+1), or halves (i, i + d/2) [Su et al. 2021; Hugging Face Llama]. `back`: by −p·θ_i.
StepId rotate(Trace& t, StepId from, int first_position, bool half_pairs, Tag tag, float base = kRopeBase, bool back = false,
              RotarySlowing slowing = {});
/// n×f and m×f: row i·m + j of (n·m)×f is A[i] + B[j].
StepId pair_sum(Trace& t, StepId queries, StepId keys, Tag tag);
/// n×f and m×g: row i·m + j of (n·m)×(f+g) is A[i] followed by B[j].
StepId pair_concat(Trace& t, StepId queries, StepId keys, Tag tag);
/// (n·m)×1 from pairs back to n×m; `queries` and `keys` name its rows and columns.
StepId fold(Trace& t, StepId pairs, int keys, Axis rows, Axis cols, Tag tag);
/// n×m back to pairs: (n·m)×1, row i·m + j is A[i, j].
StepId unfold(Trace& t, StepId from, Axis rows, Tag tag);
/// n×(2k+1), one column per distance, to n×m: C[i,j] = A[i, clip(j − i) + k]. Row r is at position first + r. [Shaw et
/// al. 2018]
StepId spread(Trace& t, StepId from, int clip, int first, int keys, Axis cols, Tag tag);
/// n×m to n×(2k+1): the sum over the columns at each clipped distance from position first + r.
StepId collect(Trace& t, StepId from, int clip, int first, Tag tag);
/// 1 where |j − p_i| <= reach, else 0; p n×1, positions count from 0. [Luong et al. 2015, 3.2]
StepId window(Trace& t, StepId centers, float reach, int keys, Axis cols, Tag tag);
/// exp(−(j − p_i)² / (2σ²)). [Luong et al. 2015, eq. 10]
StepId gaussian(Trace& t, StepId centers, float sigma, int keys, Axis cols, Tag tag);
/// Scores where `pattern` (same shape, 1 = visible) is 1, −∞ where it is 0.
StepId mask(Trace& t, StepId scores, StepId pattern, Tag tag);
/// The k largest of each row, −∞ elsewhere; all that tie with the k-th are kept.
StepId top_k(Trace& t, StepId from, int k, Tag tag);
/// Per row: the most likely columns whose softmax at this temperature together reaches p, −∞ elsewhere; ties at the
/// threshold are all kept, and at least one column is. [Holtzman et al. 2020]
StepId top_p(Trace& t, StepId from, float p, Tag tag, float temperature = 1);
/// Per row: exp((x − max) / temperature) over its sum. A row that is −∞ throughout becomes 0 and is noted; a row with
/// an overflowed score becomes NaN and is noted. [Vaswani et al. 2017, eq. 1]
StepId softmax(Trace& t, StepId from, float temperature, Tag tag);
/// Per row: max(z − τ, 0) with z = x / temperature and τ such that the row sums to 1; the same limits and notes as
/// softmax. [Martins, Astudillo 2016, alg. 1]
StepId sparsemax(Trace& t, StepId from, float temperature, Tag tag);
/// Per row: how often each column was drawn from these weights, over the number of draws; `first` draws with the same
/// seed precede them. [Xu et al. 2015, 4.1]
StepId draw(Trace& t, StepId weights, int draws, std::uint64_t seed, Tag tag, int first = 0);
/// n×1.
StepId row_sum(Trace& t, StepId from, Tag tag);
/// n×1: the largest of each row and, if given, of `before` (n×1; kNoStep: none).
StepId row_max(Trace& t, StepId from, StepId before, Tag tag);
/// 1×m.
StepId column_sum(Trace& t, StepId from, Tag tag);
/// exp(A[i,j] − m[i,0]); 0 where A is −∞.
StepId exp_shift(Trace& t, StepId from, StepId maximum, Tag tag);
/// 1×1: λ Σ_j (1 − c_j)² of a 1×m coverage. [Xu et al. 2015, eq. 14]
StepId penalty(Trace& t, StepId coverage, float lambda, Tag tag);
/// h_t = tanh(z_t + h_{t−1} U), h before the first row is 0; z n×h, U h×h. The next row reads a typed-over number as
/// typed. [Elman 1990]
StepId recur(Trace& t, StepId from, StepId weight, bool backward, Tag tag);
/// `count` columns from `first` on.
StepId slice(Trace& t, StepId from, int first, int count, Tag tag);
/// `count` rows from `first` on.
StepId slice_rows(Trace& t, StepId from, int first, int count, Tag tag);
/// Same number of rows, side by side.
StepId concat(Trace& t, const std::vector<StepId>& parts, Tag tag);
/// Same number of columns, one above the other.
StepId stack(Trace& t, const std::vector<StepId>& parts, Tag tag);

/// Per row, for softmax weights p and the gradient g at them: the gradient at the scores, p ⊙ (g − Σ_j g_j p_j) /
/// temperature.
StepId softmax_gradient(Trace& t, StepId weights, StepId gradient, float temperature, Tag tag);
/// Per row, for a norm's input x (mean subtracted where `centred`), x̂ = x / s, its γ and the gradient g at its result:
/// (u − mean(u) − x̂ mean(u ⊙ x̂)) / s with u = g ⊙ γ; RMS norm (not centred) without mean(u). [Ba et al. 2016]
StepId norm_gradient(Trace& t, StepId from, StepId gain, StepId gradient, bool centred, float epsilon, Tag tag);
/// The same operation on the same inputs under another tag, without typed-over cells.
StepId again(Trace& t, StepId step, Tag tag);

/// The shape of a step from those of its inputs, without its numbers.
struct Shape {
    Eigen::Index rows = 0, cols = 0;
};
Shape shape_of(const Trace& t, const Step& step);

/// Recomputes the value of a step from its inputs, without typed-over cells.
Matrix compute(const Trace& t, const Step& step);
/// The same, with `notes` instead of the trace's to say which rows of its inputs overflowed float32.
Matrix compute(const Trace& t, const Step& step, const std::vector<Note>& notes);
/// The transpose of some columns of x.
Matrix transposed(const Matrix& x, Columns of);
/// Whether each number depends, in the first input, only on the number at the same place.
bool works_in_place(const Step& step);
/// compute() of some columns of the rows first … past of such a step, on this thread alone. `out` is the whole matrix,
/// and may be the first input's memory.
void compute_rows(const Trace& t, const Step& step, Eigen::Index first, Eigen::Index past, Columns of, float* out);
/// A number below this fits float32 after every intermediate rounding.
inline constexpr double kSurelyFinite = 1e38;
/// The Frobenius norm: no number is larger in absolute value.
double length_of(const MatrixPart& part);
inline double length_of(const Matrix& values, Columns of) { return length_of({values, 0, values.rows(), of}); }
/// Whether the step makes finite numbers from any finite inputs.
bool stays_finite(const Trace& t, const Step& step);
/// Operations that can make a number too large, rather than only move it.
bool can_overflow(Op op);
/// Operations whose numbers are all meant to be finite: no masking −∞, and no notes but overflow.
bool makes_numbers(Op op);
/// Operations whose rows are distributions (shares of 1).
bool makes_shares(Op op);
/// Notes the rows of a step that are fully masked (softmax) or overflowed float32. `notes`: has those of the earlier
/// steps; the new ones are appended.
void note_rows(const Trace& t, StepId step, std::vector<Note>& notes);

}  // namespace attn
