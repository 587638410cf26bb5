#pragma once
// The choices of a computation: a flat struct. Ids are rows of the tables in parts/ and variants/.

#include <string>
#include <string_view>

namespace attn {

inline constexpr int kMaxHeads = 16;

struct AttentionConfig {
    std::string variant = "multi_head";
    std::string score;  ///< empty: the variant's own (see Variant::score)
    std::string mask = "none";
    std::string position = "none";
    int heads = 1;
    float temperature = 1;  ///< divides the scores before the softmax; 0: arg max, +∞: uniform

    bool operator==(const AttentionConfig&) const = default;
};

/// The score that is really used: the chosen one, or the variant's own.
std::string_view score_of(const AttentionConfig& config);

}  // namespace attn
