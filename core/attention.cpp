#include "core/attention.h"

#include <algorithm>
#include <array>

#include "core/variants/variants.h"

namespace attn {
namespace {

constexpr std::array kVariants = {
#define VARIANT(name) variant::name,
#include "core/variants/variants.inc"
#undef VARIANT
};

/// Values of n×n that one head keeps (scores, scaled, masked, weights), beside the one pattern of the mask.
constexpr double kSquaresPerHead = 4;
/// Values of n×d, however many heads share them: X, positions and their sum; Q, K and V three times each (product, with
/// bias, cut into heads); the keys transposed; the heads' outputs, joined, product and output.
constexpr double kTokenMatrices = 17;

}  // namespace

std::span<const Variant> variants() { return kVariants; }

const Variant* find_variant(std::string_view id) {
    const auto at = std::find_if(kVariants.begin(), kVariants.end(), [&](const Variant& v) { return v.id == id; });
    return at == kVariants.end() ? nullptr : &*at;
}

std::string_view score_of(const AttentionConfig& config) {
    if (!config.score.empty()) return config.score;
    const Variant* variant = find_variant(config.variant);
    return variant ? variant->score : std::string_view{};
}

Trace run_attention(const Inputs& in, const AttentionConfig& config) {
    Trace t;
    t.tokens = in.tokens;
    t.features = in.features;
    t.edits = in.edits;
    find_variant(config.variant)->run(t, in, config);
    return t;
}

Estimate estimate(int n, int d, const AttentionConfig& config) {
    const double tokens = n, width = d, heads = config.heads;
    Estimate e;
    e.multiply_adds = 4 * tokens * width * width + 2 * tokens * tokens * width + 8 * heads * tokens * tokens +
                      kTokenMatrices * tokens * width;
    e.bytes = sizeof(float) * ((heads * kSquaresPerHead + 1) * tokens * tokens + kTokenMatrices * tokens * width +
                               4 * width * width + 4 * width);
    return e;
}

}  // namespace attn
