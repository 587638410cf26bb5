#include "core/analysis/layer_cost.h"

#include <algorithm>
#include <cmath>

#include "core/analysis/paths.h"

namespace attn {
namespace {

double one(const LayerSize&) { return 1; }
double tokens(const LayerSize& s) { return s.n; }
double attention_work(const LayerSize& s) { return s.n * s.n * s.d; }
double recurrent_work(const LayerSize& s) { return s.n * s.d * s.d; }
double convolution_work(const LayerSize& s) { return s.kernel * s.n * s.d * s.d; }
double local_work(const LayerSize& s) { return std::min(s.window, s.n) * s.n * s.d; }

/// Layers until a dilated convolution with two-sided windows connects both ends: the same number as on the paths page.
double dilated_path(const LayerSize& s) {
    PathChoice dilated;
    dilated.kernel = static_cast<int>(s.kernel);
    dilated.dilated = true;
    return std::max(path_length(PathKind::Convolution, dilated, static_cast<int>(s.n) - 1), 1);
}
double chain_path(const LayerSize& s) { return std::max(path_length(PathKind::Recurrent, {}, static_cast<int>(s.n) - 1), 1); }
double window_path(const LayerSize& s) { return std::max(std::ceil(s.n / s.window), 1.0); }

}  // namespace

const std::vector<LayerKind>& layer_kinds() {
    static const std::vector<LayerKind> kKinds = {
        {"layer_attention", attention_work, one, one, "Vaswani et al. 2017"},
        {"layer_recurrent", recurrent_work, tokens, chain_path, "Vaswani et al. 2017"},
        {"layer_dilated", convolution_work, one, dilated_path, "Vaswani et al. 2017"},
        {"layer_local", local_work, one, window_path, "Vaswani et al. 2017"},
        {"layer_linear", recurrent_work, one, one, "Katharopoulos et al. 2020"},
    };
    return kKinds;
}

}  // namespace attn
