#pragma once
// Published models: the sizes that their papers print, and the number of weights that these give.

#include <span>
#include <string_view>

namespace app {

/// A stack of decoder blocks. All sizes are as published.
struct PublishedModel {
    std::string_view id, name;
    double layers = 0, heads = 0, key_heads = 0, width = 0, head_width = 0, inner = 0;  ///< inner: of feed-forward
    double vocabulary = 0, positions = 0;  ///< rows of learned embeddings; positions 0: they are computed
    int inner_matrices = 2;                ///< 3 if it is gated
    bool biases = true;                    ///< of products and norms
    std::string_view source;
};

/// How many weights each part has.
struct WeightCount {
    double embeddings = 0;   ///< embeddings of tokens and positions
    double attention = 0;    ///< of all layers: Q, K, V, O and their biases
    double feed_forward = 0; ///< of all layers
    double norms = 0;        ///< of all layers, and the last one
    double all() const { return embeddings + attention + feed_forward + norms; }
};
WeightCount count_weights(const PublishedModel& model);
/// 12·L·d² + V·d: the count if the heads fill the width, the inner width is 4d and biases are neglected.
double rule_of_thumb(const PublishedModel& model);

/// Smallest first.
std::span<const PublishedModel> published_models();

}  // namespace app
