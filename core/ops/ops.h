#pragma once
// Every operation: compute and record. Each returns the id of the step that it added.
// Shapes are the programmer's promise (asserted); documents are checked before (document.h).

#include "core/kernels/multiply.h"
#include "core/ops/defaults.h"
#include "core/trace/trace.h"

namespace attn {

StepId input(Trace& t, StepValue value, Tag tag, Axis rows, Axis cols, Sources sources);
/// The same of numbers that are made only where they are wanted, which is not in a run over shapes.
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
/// The same, divided. 0 / 0 is 0: a row that looks at nothing.
StepId divide(Trace& t, StepId left, StepId right, Tag tag);
/// A function of every number. GELU by erf and by tanh [Hendrycks, Gimpel 2016]; SiLU x·sigmoid(x) [Shazeer 2020];
/// LeakyReLU with slope 0.2 [Veličković et al. 2018]; elu(x) + 1 [Katharopoulos et al. 2020], and its logarithm, which
/// keeps all digits where elu(x) + 1 is too small for float32; the natural logarithm.
StepId activate(Trace& t, StepId from, Activation activation, Tag tag);
/// Each row divided by its length; a row of length 0 stays 0.
StepId unit(Trace& t, StepId from, Tag tag);
/// γ (x − mean) / √(var + ε) + β by row, var biased; γ, β 1×d [Ba et al. 2016].
StepId layer_norm(Trace& t, StepId from, StepId gain, StepId bias, Tag tag, float epsilon = kNormEpsilon);
/// γ x / √(mean(x²) + ε) by row [Zhang, Sennrich 2019].
StepId rms_norm(Trace& t, StepId from, StepId gain, Tag tag, float epsilon = kNormEpsilon);
/// Pairs of columns rotated by p·θ_i, θ_i = base^(−2i/d); row r stands at position first + r. d even.
/// Pairs are neighbours (2i, 2i+1), or halves (i, i + d/2) [Su et al. 2021; Hugging Face Llama]. `back`: by −p·θ_i.
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
/// n×(2k+1), a column a distance: C[i,j] = A[i, clip(j − i) + k]; n×m. Row r stands at place first + r.
/// [Shaw et al. 2018]
StepId spread(Trace& t, StepId from, int clip, int first, int keys, Axis cols, Tag tag);
/// n×m to n×(2k+1): the sum over the columns at each clipped distance from place first + r.
StepId collect(Trace& t, StepId from, int clip, int first, Tag tag);
/// 1 where |j − p_i| <= reach, else 0; p n×1, positions count from 0. [Luong et al. 2015, 3.2]
StepId window(Trace& t, StepId centers, float reach, int keys, Axis cols, Tag tag);
/// exp(−(j − p_i)² / (2σ²)). [Luong et al. 2015, eq. 10]
StepId gaussian(Trace& t, StepId centers, float sigma, int keys, Axis cols, Tag tag);
/// Scores where `pattern` (same shape, 1 = looked at) is 1, −∞ where it is 0.
StepId mask(Trace& t, StepId scores, StepId pattern, Tag tag);
/// The k largest of each row, −∞ elsewhere; ties at the edge are kept together.
StepId top_k(Trace& t, StepId from, int k, Tag tag);
/// The likeliest columns of each row whose softmax with this temperature together reaches p, −∞ elsewhere; ties at the edge are kept
/// together, and at least one is kept. [Holtzman et al. 2020]
StepId top_p(Trace& t, StepId from, float p, Tag tag, float temperature = 1);
/// By row: exp((x − max) / temperature) over its sum. A row that is wholly −∞ becomes 0 and is noted; a row with an
/// overflowed score becomes NaN and is noted. [Vaswani et al. 2017, eq. 1]
StepId softmax(Trace& t, StepId from, float temperature, Tag tag);
/// By row: max(z − τ, 0) with z = x / temperature and τ such that the row sums to 1; the same limits and notes as
/// softmax. [Martins, Astudillo 2016, alg. 1]
StepId sparsemax(Trace& t, StepId from, float temperature, Tag tag);
/// By row: how often each column was drawn from these weights, over the number of draws; `first` draws of the
/// same seed come before them. [Xu et al. 2015, 4.1]
StepId draw(Trace& t, StepId weights, int draws, std::uint64_t seed, Tag tag, int first = 0);
/// n×1.
StepId row_sum(Trace& t, StepId from, Tag tag);
/// n×1: the largest of each row, and of `before` (n×1) where there is one (kNoStep: none).
StepId row_max(Trace& t, StepId from, StepId before, Tag tag);
/// 1×m.
StepId column_sum(Trace& t, StepId from, Tag tag);
/// exp(A[i,j] − m[i,0]); 0 where A is −∞.
StepId exp_shift(Trace& t, StepId from, StepId maximum, Tag tag);
/// 1×1: λ Σ_j (1 − c_j)² of a 1×m coverage. [Xu et al. 2015, eq. 14]
StepId penalty(Trace& t, StepId coverage, float lambda, Tag tag);
/// h_t = tanh(z_t + h_{t−1} U), h before the first row is 0; z n×h, U h×h. A number typed
/// over is what the next row reads. [Elman 1990]
StepId recur(Trace& t, StepId from, StepId weight, bool backward, Tag tag);
/// `count` columns from `first` on.
StepId slice(Trace& t, StepId from, int first, int count, Tag tag);
/// `count` rows from `first` on.
StepId slice_rows(Trace& t, StepId from, int first, int count, Tag tag);
/// Same number of rows, side by side.
StepId concat(Trace& t, const std::vector<StepId>& parts, Tag tag);
/// Same number of columns, one above the other.
StepId stack(Trace& t, const std::vector<StepId>& parts, Tag tag);

/// By row, of softmax weights p and the gradient g at them: p ⊙ (g − Σ_j g_j p_j) / temperature, the gradient at the
/// scores.
StepId softmax_gradient(Trace& t, StepId weights, StepId gradient, float temperature, Tag tag);
/// By row, of a norm's input x (mean 0 where `centred`) with x̂ = x / s, its γ and the gradient g at its result:
/// (u − mean(u) − x̂ mean(u ⊙ x̂)) / s with u = g ⊙ γ; RMS norm (not centred) without mean(u). [Ba et al. 2016]
StepId norm_gradient(Trace& t, StepId from, StepId gain, StepId gradient, bool centred, float epsilon, Tag tag);
/// The same operation on the same inputs once more, under another name: without what was typed over.
StepId again(Trace& t, StepId step, Tag tag);

/// The shape of a step from those of its inputs, without its numbers.
struct Shape {
    Eigen::Index rows = 0, cols = 0;
};
Shape shape_of(const Trace& t, const Step& step);

/// The value of a step from its inputs, without the cells typed over: what was recorded, made again.
Matrix compute(const Trace& t, const Step& step);
/// The same where other notes than the trace's say which of its inputs' rows are beyond float32.
Matrix compute(const Trace& t, const Step& step, const std::vector<Note>& notes);
/// The transpose of some columns of x.
Matrix transposed(const Matrix& x, Columns of);
/// Whether the operation makes each number of the one at the same place in its first input (and of others).
bool works_in_place(const Step& step);
/// compute() of some columns of such a one's rows first … past, by this thread alone. All its rows stand at `out`, which may be
/// where those of its first input stand.
void compute_rows(const Trace& t, const Step& step, Eigen::Index first, Eigen::Index past, Columns of, float* out);
/// What is smaller is a float32 after every rounding on the way.
inline constexpr double kSurelyFinite = 1e38;
/// The root of the sum of the squares: none of these numbers is larger.
double length_of(const MatrixPart& part);
inline double length_of(const Matrix& values, Columns of) { return length_of({values, 0, values.rows(), of}); }
/// Whether the step makes finite numbers of finite ones, whichever they are.
bool stays_finite(const Trace& t, const Step& step);
/// Operations that can make a number too large, rather than only move one.
bool can_overflow(Op op);
/// Operations of which none but finite numbers are meant: no −∞ that hides, and no notes but those of numbers beyond float32.
bool makes_numbers(Op op);
/// Operations that make shares of 1 of each row.
bool makes_shares(Op op);
/// Notes the rows of a step that a reader must be told of: wholly masked (softmax), or beyond float32. `notes`: those of the
/// steps before; added to.
void note_rows(const Trace& t, StepId step, std::vector<Note>& notes);

}  // namespace attn
