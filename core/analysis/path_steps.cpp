// How many steps there are between two tokens, and which tokens a convolution reads.

#include <algorithm>
#include <array>

#include "core/analysis/paths.h"

namespace attn {
namespace {

constexpr std::array<std::string_view, kPathKinds> kIds = {"recurrent", "convolution", "attention"};

/// Tokens that a layer reads on either side.
int side_of(const PathChoice& choice) { return std::max((choice.kernel - 1) / 2, 1); }

int layers_for(const PathChoice& choice, int distance) {
    int layers = 0;
    while (conv_reach(choice, layers) < distance) ++layers;
    return layers;
}

}  // namespace

std::string_view path_kind_id(PathKind kind) { return kIds[static_cast<std::size_t>(kind)]; }

std::optional<PathKind> find_path_kind(std::string_view id) {
    for (std::size_t i = 0; i < kIds.size(); ++i)
        if (kIds[i] == id) return static_cast<PathKind>(i);
    return std::nullopt;
}

std::int64_t dilation_of(const PathChoice& choice, int layer) {
    std::int64_t apart = 1;
    for (int l = 0; choice.dilated && l < layer; ++l) apart *= side_of(choice) + 1;
    return apart;
}

std::int64_t conv_reach(const PathChoice& choice, int layers) {
    // Dilated: Σ s·(s+1)^l = (s+1)^L − 1; every distance up to it exactly once (its digits in base s + 1), with all
    // steps in one direction, so that no path leaves the text.
    return choice.dilated ? dilation_of(choice, layers) - 1 : std::int64_t{layers} * side_of(choice);
}

int conv_layers(const PathChoice& choice, int n) {
    const int needed = path_length(PathKind::Convolution, choice, std::max(n - 1, 0));
    return std::clamp(choice.layers > 0 ? choice.layers : needed, 1, kMostPathLayers);
}

int path_length(PathKind kind, const PathChoice& choice, int distance) {
    if (distance <= 0) return 0;
    if (kind == PathKind::Recurrent) return distance;
    return kind == PathKind::Attention ? 1 : layers_for(choice, distance);
}

int steps_in_sequence(PathKind kind, const PathChoice& choice, int n) {
    if (kind == PathKind::Recurrent) return n;
    return kind == PathKind::Attention ? 1 : std::max(layers_for(choice, n - 1), 1);
}

std::vector<std::vector<int>> receptive_field(const PathChoice& choice, int layers, int n, int at) {
    std::vector<std::vector<int>> out = {{at}};
    for (int layer = layers - 1; layer >= 0; --layer) {
        std::vector<bool> read(static_cast<std::size_t>(n), false);
        const std::int64_t apart = dilation_of(choice, layer);
        for (const int node : out.back())
            for (int o = -side_of(choice); o <= side_of(choice); ++o)
                if (const std::int64_t token = node + o * apart; token >= 0 && token < n)
                    read[static_cast<std::size_t>(token)] = true;
        auto& below = out.emplace_back();
        for (int i = 0; i < n; ++i)
            if (read[static_cast<std::size_t>(i)]) below.push_back(i);
    }
    return out;
}

std::vector<int> conv_route(const PathChoice& choice, int layers, int from, int to) {
    std::vector<int> out = {to};
    for (int layer = layers - 1; layer >= 0; --layer) {
        const int left = from - out.back(), direction = left < 0 ? -1 : 1;
        const std::int64_t apart = dilation_of(choice, layer);
        const std::int64_t steps = std::min<std::int64_t>(side_of(choice), left * direction / apart);
        out.push_back(out.back() + static_cast<int>(steps * apart) * direction);
    }
    return out.back() == from ? out : std::vector<int>{};
}

}  // namespace attn
