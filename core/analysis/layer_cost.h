#pragma once
// What a layer costs, side by side: work, what cannot run at the same time, and how far two tokens are apart
// [Vaswani et al. 2017, table 1], with the numbers of a text put in.

#include <string_view>
#include <vector>

namespace attn {

struct LayerSize {
    double n = 1;       ///< tokens
    double d = 1;       ///< width
    double kernel = 3;  ///< k of the convolution
    double window = 5;  ///< r: keys that local attention looks at
};

struct LayerKind {
    std::string_view id;
    double (*work)(const LayerSize&);        ///< multiply-adds, the leading term
    double (*sequential)(const LayerSize&);  ///< steps one after the other
    double (*path)(const LayerSize&);        ///< longest way between two tokens, in layers
    std::string_view source;
};

const std::vector<LayerKind>& layer_kinds();

}  // namespace attn
