#pragma once
// The arithmetic of the operations that are more than a line: matrices in, a matrix out, nothing recorded. Sums are in
// float64 wherever a row is summed up.

#include <memory>
#include <vector>

#include "core/trace/trace.h"

namespace attn {

/// What an activation makes of one number, in float64.
double activated(Activation activation, double x);
/// Draw: the column of each draw of one row from draw `first` (from 0) on, in order; empty where the row has no weight.
std::vector<int> draws_of(const Matrix& weights, int row, int draws, std::uint64_t seed, int first = 0);

namespace kernel {

/// Into `out`, which may be where x stands.
void activate(const Matrix& x, Activation activation, const std::stop_token& stop, float* out);
/// So many numbers, by this thread alone.
void activate_some(const float* x, Eigen::Index count, Activation activation, float* out);
/// Number by number; a right operand of one column serves every column. `divide`: 0 / 0 is 0.
Matrix multiplied(const Matrix& a, const Matrix& b);
Matrix divided(const Matrix& a, const Matrix& b);
Matrix unit_rows(const Matrix& x);
Matrix layer_norm(const Matrix& x, const Matrix& gain, const Matrix& bias, float epsilon);
Matrix rms_norm(const Matrix& x, const Matrix& gain, float epsilon);
Matrix rotated(const Matrix& x, const RotateParams& params);
Matrix softmax_gradient(const Matrix& weights, const Matrix& gradient, float temperature);
Matrix norm_gradient(const Matrix& x, const Matrix& gain, const Matrix& gradient, bool centred, float epsilon);
/// What a norm's gradient takes from one row: its spread s, mean(u) (0 for RMS norm) and mean(u ⊙ x̂); u = g ⊙ γ.
struct NormSlopes {
    double mean = 0, spread = 1, shared = 0, along = 0;
};
NormSlopes norm_slopes(const float* x, const float* gain, const float* gradient, Eigen::Index count, bool centred, float epsilon);
Matrix collected(const Matrix& x, int clip, int first);
Matrix window(const Matrix& centers, float reach, Eigen::Index keys);
Matrix gaussian(const Matrix& centers, float sigma, Eigen::Index keys);
Matrix top_k(const Matrix& x, int k);
Matrix top_p(const Matrix& x, float p, float temperature);
Matrix sparsemax(const Matrix& x, float temperature, const std::vector<bool>& overflowed);
Matrix drawn(const Matrix& weights, int draws, std::uint64_t seed, const std::stop_token& stop = {}, int first = 0);
Matrix row_sums(const Matrix& x);
Matrix row_maxima(const Matrix& x, const Matrix* before);
Matrix column_sums(const Matrix& x);
Matrix exp_shifted(const Matrix& x, const Matrix& maximum);
/// `typed`: cells typed over, which the rows after them read; the result has what was computed there.
Matrix recurred(const Matrix& x, const Matrix& weight, bool backward, const std::vector<Edit>& typed = {});

/// The column that is rotated together with column c of d, and whether c is the first of the two; the pair's number.
struct Pairing {
    int other;
    bool first;
    int pair;
};
Pairing pairing(int column, int width, bool half_pairs);
/// p·θ in radians, θ_i = base^(−2i/d), slowed as the parameters say; forwards.
double rotation_angle(const RotateParams& params, int position, int pair, int width);
/// Cosines and sines of the angles of a rotation, forwards, for rows from RotateParams::first on: the same for every head and layer,
/// and slow to make.
class Rotations {
public:
    Rotations(const RotateParams& params, int rows, int width);
    /// Whether the angles of these rows are among them.
    bool serve(const RotateParams& params, int rows, int width) const;
    /// By pair, of a row at this position.
    const double* cosines(int position) const { return cosines_.data() + at(position); }
    const double* sines(int position) const { return sines_.data() + at(position); }

private:
    std::ptrdiff_t at(int position) const { return static_cast<std::ptrdiff_t>(position - params_.first) * pairs_; }

    RotateParams params_;
    int rows_, pairs_;
    std::vector<double> cosines_, sines_;
};
/// Those that serve; made at the first time, the last used of a few are kept. Safe from several threads.
std::shared_ptr<const Rotations> rotations_of(const RotateParams& params, int rows, int width);
/// The column of a distance, cut to ±clip.
int distance_column(int distance, int clip);
/// Sparsemax's threshold τ of one row, on z = (x − max) / temperature: p = max(z − τ, 0). Masked entries are left out.
double sparsemax_threshold(const float* row, Eigen::Index count, float temperature);
/// The smallest value that top_k and top_p keep of a row.
float kept_threshold(const float* row, Eigen::Index count, int k);
float nucleus_threshold(const float* row, Eigen::Index count, float p, float temperature);

}  // namespace kernel
}  // namespace attn
