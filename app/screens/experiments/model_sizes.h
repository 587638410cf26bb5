#pragma once
// Published models as the numbers that their papers print, and how many weights those make.

#include <span>
#include <string_view>

namespace app {

/// A stack of decoder blocks. Every size as published.
struct PublishedModel {
    std::string_view id, name;
    double layers = 0, heads = 0, key_heads = 0, width = 0, head_width = 0, inner = 0;  ///< inner: of the feed-forward part
    double vocabulary = 0, positions = 0;  ///< rows of learned vectors; positions 0: they are computed
    int inner_matrices = 2;                ///< 3: gated
    bool biases = true;                    ///< of products, and of norms
    std::string_view source;
};

/// How many weights each part has.
struct WeightCount {
    double embeddings = 0;   ///< vectors of words and places
    double attention = 0;    ///< of all layers: Q, K, V, O, and their biases
    double feed_forward = 0; ///< of all layers
    double norms = 0;        ///< of all layers, and the last
    double all() const { return embeddings + attention + feed_forward + norms; }
};
WeightCount count_weights(const PublishedModel& model);
/// 12·L·d² + V·d: what is left of it where heads fill the width, the inner width is 4d and biases are small.
double rule_of_thumb(const PublishedModel& model);

/// The smallest first.
std::span<const PublishedModel> published_models();

}  // namespace app
