// Rotary positions [Su et al. 2021].
#include <algorithm>
#include <cmath>
#include <mutex>
#include <numbers>

#include "core/base/reused_matrices.h"
#include "core/kernels/kernels.h"

namespace attn::kernel {

Pairing pairing(int column, int width, bool half_pairs) {
    if (!half_pairs) return {column ^ 1, column % 2 == 0, column / 2};
    const int half = width / 2;
    return {column < half ? column + half : column - half, column < half, column % half};
}

double rotation_angle(const RotateParams& params, int position, int pair, int width) {
    const double theta = std::pow(static_cast<double>(params.base), -2.0 * pair / width);
    const RotarySlowing& s = params.slowing;
    if (s.factor == 1) return position * theta;
    double unscaled = 0;  // the share that is not slowed
    if (s.pair_high > 0) {
        const double low = static_cast<double>(s.pair_low), high = static_cast<double>(s.pair_high);
        unscaled = pair <= low ? 1 : pair >= high ? 0 : (high - pair) / (high - low);
    } else if (s.original > 0) {
        const double rotations = s.original * theta / (2 * std::numbers::pi), low = static_cast<double>(s.low),
                     high = static_cast<double>(s.high);
        unscaled = rotations <= low ? 0 : rotations >= high ? 1 : (rotations - low) / (high - low);
    }
    return position * theta * (unscaled + (1 - unscaled) / static_cast<double>(s.factor));
}

Rotations::Rotations(const RotateParams& params, int rows, int width) : params_(params), rows_(rows), pairs_(width / 2) {
    cosines_.reserve(static_cast<std::size_t>(rows_) * static_cast<std::size_t>(pairs_));
    sines_.reserve(cosines_.capacity());
    for (int r = 0; r < rows_; ++r)
        for (int pair = 0; pair < pairs_; ++pair) {
            const double angle = rotation_angle(params, params.first + r, pair, width);
            cosines_.push_back(std::cos(angle));
            sines_.push_back(std::sin(angle));
        }
}

bool Rotations::serve(const RotateParams& params, int rows, int width) const {
    const int past = params.first + rows;
    return width / 2 == pairs_ && params.first >= params_.first && past <= params_.first + rows_ && params.base == params_.base &&
           params.slowing == params_.slowing;
}

std::shared_ptr<const Rotations> rotations_of(const RotateParams& params, int rows, int width) {
    constexpr std::size_t kMostCached = 16;
    static std::mutex mutex;
    static std::vector<std::shared_ptr<const Rotations>> cache;  // most recently used last
    const std::lock_guard lock(mutex);
    const auto there = std::find_if(cache.begin(), cache.end(), [&](const auto& one) { return one->serve(params, rows, width); });
    if (there != cache.end()) {
        std::rotate(there, there + 1, cache.end());
        return cache.back();
    }
    auto made = std::make_shared<const Rotations>(params, rows, width);
    if (cache.size() == kMostCached) cache.erase(cache.begin());
    cache.push_back(made);
    return made;
}

Matrix rotated(const Matrix& x, const RotateParams& params) {
    const auto rows = static_cast<int>(x.rows()), width = static_cast<int>(x.cols());
    const std::shared_ptr<const Rotations> by = rotations_of(params, rows, width);
    const int half = width / 2, step = params.half_pairs ? 1 : 2, apart = params.half_pairs ? half : 1;
    const double way = params.backward ? -1 : 1;
    Matrix out = unwritten(rows, width);
    for (int r = 0; r < rows; ++r) {
        const double *cosine = by->cosines(params.first + r), *sine = by->sines(params.first + r);
        const float* const from = x.row(r).data();
        float* const to = out.row(r).data();
        for (int pair = 0; pair < half; ++pair) {
            const int a = step * pair, b = a + apart;
            const auto first = static_cast<double>(from[a]), second = static_cast<double>(from[b]);
            const double co = cosine[pair], si = way * sine[pair];
            to[a] = static_cast<float>(first * co + -second * si);
            to[b] = static_cast<float>(second * co + first * si);
        }
    }
    return out;
}

}  // namespace attn::kernel
