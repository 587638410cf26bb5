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

/// Steps of an ordinary run; more grow the list.
constexpr std::size_t kUsualSteps = 64;

}  // namespace

std::span<const Variant> variants() { return kVariants; }

std::string_view convention_id(Convention convention) { return convention == Convention::Columns ? "columns" : "rows"; }

std::optional<Convention> find_convention(std::string_view id) {
    for (const Convention one : {Convention::Rows, Convention::Columns})
        if (convention_id(one) == id) return one;
    return std::nullopt;
}

const Variant* find_variant(std::string_view id) {
    const auto at = std::find_if(kVariants.begin(), kVariants.end(), [&](const Variant& v) { return v.id == id; });
    return at == kVariants.end() ? nullptr : &*at;
}

std::string_view score_of(const AttentionConfig& config) {
    if (!config.score.empty()) return config.score;
    const Variant* variant = find_variant(config.variant);
    return variant ? variant->score : std::string_view{};
}

Trace run_attention(const Inputs& in, const AttentionConfig& config, const std::stop_token& stop) {
    Trace t;
    t.stop = stop;
    t.tokens = in.tokens;
    t.source_tokens = in.source_tokens;
    t.features = in.features;
    t.words = in.words;
    t.things = in.things;
    t.edits = in.edits;
    t.steps.reserve(kUsualSteps);
    find_variant(config.variant)->run(t, in, config);
    t.stop = {};
    return t;
}

Estimate estimate(const Sizes& sizes, const AttentionConfig& config) {
    return find_variant(config.variant)->estimate(sizes, config);
}

}  // namespace attn
