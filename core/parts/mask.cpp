#include "core/parts/mask.h"

#include <algorithm>
#include <array>

#include "core/ops.h"

namespace attn {
namespace {

template <class Allowed>
Matrix pattern_of(MaskShape shape, const Allowed& allowed) {
    Matrix pattern(shape.queries, shape.keys);
    for (int i = 0; i < shape.queries; ++i)
        for (int j = 0; j < shape.keys; ++j) pattern(i, j) = allowed(shape.first + i, j) ? 1.0f : 0.0f;
    return pattern;
}

/// Query i looks at keys j <= i [Vaswani et al. 2017, 3.2.3]
Matrix causal(const Inputs&, const AttentionConfig&, MaskShape shape) {
    return pattern_of(shape, [](int i, int j) { return j <= i; });
}

/// The last keys are padding, and nobody looks there.
Matrix padding(const Inputs& in, const AttentionConfig&, MaskShape shape) {
    return pattern_of(shape, [&](int, int j) { return j < shape.keys - in.padding; });
}

/// The last D + 1 keys up to the query itself [Jiang et al. 2023; Child et al. 2019]
Matrix sliding_window(const Inputs&, const AttentionConfig& config, MaskShape shape) {
    return pattern_of(shape, [&](int i, int j) { return j <= i && i - j <= config.window; });
}

/// D keys on either side; the first tokens see all and are seen by all [Beltagy et al. 2020]
Matrix global_window(const Inputs&, const AttentionConfig& config, MaskShape shape) {
    return pattern_of(shape, [&](int i, int j) {
        return std::abs(i - j) <= config.window || i < config.global_tokens || j < config.global_tokens;
    });
}

/// The document's own pattern; where it says nothing, everything is looked at.
Matrix drawn(const Inputs& in, const AttentionConfig&, MaskShape shape) {
    if (in.drawn_mask.size() == 0) return Matrix::Ones(shape.queries, shape.keys);
    return in.drawn_mask.middleRows(shape.first, shape.queries);
}

constexpr std::array kMasks = {
    Mask{"none", Source::Formula, false, nullptr},
    Mask{"causal", Source::Formula, true, causal, "Vaswani et al. 2017"},
    Mask{"padding", Source::Formula, false, padding},
    Mask{"sliding_window", Source::Formula, true, sliding_window, "Child et al. 2019; Jiang et al. 2023"},
    Mask{"global_window", Source::Formula, true, global_window, "Beltagy et al. 2020"},
    Mask{"drawn", Source::Drawn, false, drawn},
};

/// The pattern under its role, made once for all heads and layers.
StepId pattern_step(Trace& t, const Attend& a, const Mask& rule, Role role, MaskShape shape, Axis rows, Axis cols) {
    const Tag tag{role, kNoHead, kNoLayer, a.tag.time, a.tag.part};
    if (const StepId there = find_recent(t, tag); there != kNoStep) return there;
    return input(t, rule.pattern(a.in, a.config, shape), tag, rows, cols, {rule.source});
}

StepId apply(Trace& t, const Attend& a, StepId scores, const Mask& rule, Role pattern_role, Role result) {
    const Step& step = t[scores];
    const MaskShape shape{static_cast<int>(step.value.rows()), static_cast<int>(step.value.cols()), a.first_query};
    const Axis rows = step.rows, cols = step.cols;
    const StepId pattern = pattern_step(t, a, rule, pattern_role, shape, rows, cols);
    return mask(t, scores, pattern, a.tag.as(result));
}

}  // namespace

std::span<const Mask> masks() { return kMasks; }

const Mask* find_mask(std::string_view id) {
    const auto at = std::find_if(kMasks.begin(), kMasks.end(), [&](const Mask& m) { return m.id == id; });
    return at == kMasks.end() ? nullptr : &*at;
}

StepId mask_pattern(Trace& t, const Attend& a, MaskShape shape, Axis rows, Axis cols) {
    const Mask* rule = find_mask(a.config.mask);
    if (!rule || !rule->pattern) return kNoStep;
    return pattern_step(t, a, *rule, Role::MaskPattern, shape, rows, cols);
}

StepId apply_mask(Trace& t, const Attend& a, StepId scores) {
    const Mask* rule = a.masked ? find_mask(a.config.mask) : nullptr;
    const bool own = rule && rule->pattern && !(a.causal && rule->id == "causal");
    if (a.causal)
        scores = apply(t, a, scores, *find_mask("causal"), own ? Role::CausalPattern : Role::MaskPattern,
                       own ? Role::CausalMasked : Role::Masked);
    return own ? apply(t, a, scores, *rule, Role::MaskPattern, Role::Masked) : scores;
}

}  // namespace attn
