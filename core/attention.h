#pragma once
// The forms of attention as a table: each is a straight function of recorded operations.

#include <span>
#include <string>
#include <string_view>

#include "core/inputs.h"

namespace attn {

/// Fields of a document that a variant may leave unused; where it does, a document that sets them is refused.
enum class Uses : std::uint8_t { Nothing = 0, Heads = 1, Projections = 2 };
constexpr Uses operator|(Uses a, Uses b) { return Uses(std::uint8_t(a) | std::uint8_t(b)); }
constexpr bool has(Uses set, Uses one) { return (std::uint8_t(set) & std::uint8_t(one)) != 0; }

struct Variant {
    std::string_view id;
    std::string_view score;  ///< its own score function, where the document names none
    /// The formula with this configuration, as the formula setter reads it; \part{scores}{…} ties a part to a stage of
    /// the computation: vectors, projections, scores, scale, mask, softmax, mix, output.
    std::string (*formula)(const AttentionConfig&);
    std::string (*where)(const AttentionConfig&);  ///< what its letters are; empty: nothing to say
    std::string_view source;                       ///< paper
    Uses uses;
    void (*run)(Trace&, const Inputs&, const AttentionConfig&);
};

std::span<const Variant> variants();
const Variant* find_variant(std::string_view id);

/// Runs the configured variant; everything it computed is in the trace. Inputs and configuration must fit together
/// (document.h checks them).
Trace run_attention(const Inputs& in, const AttentionConfig& config);

/// Multiply-adds and bytes that every step together would take: what a limit is checked against before running.
struct Estimate {
    double multiply_adds = 0;
    double bytes = 0;
};
Estimate estimate(int n, int d, const AttentionConfig& config);

}  // namespace attn
