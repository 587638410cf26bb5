#pragma once
// The costs of layers compared: work, sequential steps, and the distance between two tokens [Vaswani et al. 2017, table
// 1], with the numbers of a text filled in.

#include <string_view>
#include <vector>

namespace attn {

struct LayerSize {
    double n = 1;       ///< tokens
    double d = 1;       ///< width
    double kernel = 3;  ///< k of the convolution
    double window = 5;  ///< r: keys that local attention reads
};

struct LayerKind {
    std::string_view id;
    double (*work)(const LayerSize&);        ///< multiply-adds, the leading term
    double (*sequential)(const LayerSize&);  ///< steps that must follow one another
    double (*path)(const LayerSize&);        ///< longest path between two tokens, in layers
    std::string_view source;
};

const std::vector<LayerKind>& layer_kinds();

}  // namespace attn
