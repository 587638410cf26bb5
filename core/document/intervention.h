#pragma once
// Interventions: replace a head's output, its weights, a sub-layer's contribution or the residual stream. Internal to
// the document; in a run an intervention becomes a Replacement in the trace.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/ops/pattern_rules.h"
#include "core/trace/trace.h"

namespace attn {

/// The replaced quantity: a head's output; its weights; what attention, the feed-forward layer or both add to the
/// residual stream (after the norm, if there is one); the residual stream itself.
enum class Site : std::uint8_t { Head, Pattern, Attention, FeedForward, Layer, Residual };
inline constexpr std::array<std::string_view, 6> kSites = {"head", "pattern", "attention", "feed_forward", "layer", "residual"};
inline std::string_view site_id(Site site) { return kSites[static_cast<std::size_t>(site)]; }
inline bool is_of_a_head(Site site) { return site == Site::Head || site == Site::Pattern; }

/// The replacing value: zeros; the mean of the rows in the same run, which preserves what all tokens have in common
/// [Wang et al. 2022, "Interpretability in the Wild", 3.1, over one text]; or the value of the same model on another
/// text: activation patching [Vig et al. 2020; Meng et al. 2022], which with an unrelated text is resampling [Chan et
/// al. 2022]. A head's weights can also be forced into a pattern, by each of the rules of kPatternRules; then the
/// values that they mix stay what they are.
enum class PutBy : std::uint8_t { Zero, Mean, Text, Uniform, Previous, First, Self };
inline constexpr std::size_t kPutByBeforeRules = 3;
inline constexpr auto kPutBy = [] {
    std::array<std::string_view, kPutByBeforeRules + kPatternRules.size()> out = {"zero", "mean", "text"};
    for (std::size_t i = 0; i < kPatternRules.size(); ++i) out[kPutByBeforeRules + i] = kPatternRules[i].id;
    return out;
}();
static_assert(kPutBy.size() == static_cast<std::size_t>(PutBy::Self) + 1);
inline std::string_view put_by_id(PutBy by) { return kPutBy[static_cast<std::size_t>(by)]; }
/// Null: it is no rule.
inline const PatternRule* rule_of(PutBy by) {
    const auto at = static_cast<std::size_t>(by);
    return at < kPutByBeforeRules ? nullptr : &kPatternRules[at - kPutByBeforeRules];
}

struct Intervention {
    Site at = Site::Head;
    PutBy by = PutBy::Zero;
    Part part = Part::Main;   ///< Cross: cross-attention; Encoder: the encoder's blocks
    int layer = 0;            ///< from 0; residual stream: the number of layers before it
    int head = kNoHead;       ///< from 0; only for a head and its pattern
    std::vector<int> tokens;  ///< from 0, ascending; empty: all
    std::string text;         ///< for PutBy::Text; it must have as many tokens as the document's own text
    bool operator==(const Intervention&) const = default;
};

}  // namespace attn
