#pragma once
// The arithmetic of the operations that take more than one line: matrices in, a matrix out, nothing recorded. Sums over
// a row are in float64.

#include <memory>
#include <stop_token>
#include <vector>

#include "core/base/matrix.h"
#include "core/kernels/parameters.h"

namespace attn {

/// The activation of one number, in float64.
double activated(Activation activation, double x);
/// Samples a row: the column of each draw, in order, from draw `first` (from 0) on; empty if the row has no positive
/// weight.
std::vector<int> draws_of(const Matrix& weights, int row, int draws, std::uint64_t seed, int first = 0);

namespace kernel {

/// Writes to `out`, which may be x's memory.
void activate(const Matrix& x, Activation activation, const std::stop_token& stop, float* out);
/// `count` numbers, on this thread alone.
void activate_some(const float* x, Eigen::Index count, Activation activation, float* out);
/// Number by number; a right operand of one column is broadcast to all columns. `divided`: 0 / 0 is 0.
Matrix multiplied(const Matrix& a, const Matrix& b);
Matrix divided(const Matrix& a, const Matrix& b);
Matrix unit_rows(const Matrix& x);
Matrix layer_norm(const Matrix& x, const Matrix& gain, const Matrix& bias, float epsilon);
Matrix rms_norm(const Matrix& x, const Matrix& gain, float epsilon);
Matrix rotated(const Matrix& x, const RotateParams& params);
Matrix softmax_gradient(const Matrix& weights, const Matrix& gradient, float temperature);
Matrix norm_gradient(const Matrix& x, const Matrix& gain, const Matrix& gradient, bool centred, float epsilon);
/// Per-row intermediates of a norm's gradient: mean, spread s, shared = mean(u) (0 for RMS norm), along = mean(u ⊙ x̂);
/// u = g ⊙ γ.
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
/// `typed`: typed-over cells, which the later rows read; the result has the computed numbers there.
Matrix recurred(const Matrix& x, const Matrix& weight, bool backward, const std::vector<PlacedNumber>& typed = {});

/// The column that column c of d is rotated with, whether c is the first of the two, and the pair's index.
struct Pairing {
    int other;
    bool first;
    int pair;
};
Pairing pairing(int column, int width, bool half_pairs);
/// p·θ in radians, θ_i = base^(−2i/d), slowed according to the parameters; for a forward rotation.
double rotation_angle(const RotateParams& params, int position, int pair, int width);
/// The cosines and sines of a forward rotation's angles, for rows from RotateParams::first on: the same for every head
/// and layer, and slow to compute.
class Rotations {
public:
    Rotations(const RotateParams& params, int rows, int width);
    /// Whether the angles of these rows are included.
    bool serve(const RotateParams& params, int rows, int width) const;
    /// By pair, for a row at this position.
    const double* cosines(int position) const { return cosines_.data() + at(position); }
    const double* sines(int position) const { return sines_.data() + at(position); }

private:
    std::ptrdiff_t at(int position) const { return static_cast<std::ptrdiff_t>(position - params_.first) * pairs_; }

    RotateParams params_;
    int rows_, pairs_;
    std::vector<double> cosines_, sines_;
};
/// Cached: returns an entry that serves, or makes one; the few last used are retained. Thread-safe.
std::shared_ptr<const Rotations> rotations_of(const RotateParams& params, int rows, int width);
/// The column of a distance, clipped to ±clip.
int distance_column(int distance, int clip);
/// Sparsemax's threshold τ for one row, on z = (x − max) / temperature: p = max(z − τ, 0). Masked entries are left out.
double sparsemax_threshold(const float* row, Eigen::Index count, float temperature);
/// The smallest value of a row that top_k and top_p keep.
float top_k_threshold(const float* row, Eigen::Index count, int k);
float nucleus_threshold(const float* row, Eigen::Index count, float p, float temperature);

}  // namespace kernel
}  // namespace attn
