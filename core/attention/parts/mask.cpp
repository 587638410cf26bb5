#include "core/attention/parts/mask.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/attention/form.h"
#include "core/ops/ops.h"

namespace attn {
namespace {

template <class Allowed>
Matrix pattern_of(MaskShape shape, const Allowed& allowed) {
    Matrix pattern(shape.queries, shape.keys);
    for (int i = 0; i < shape.queries; ++i)
        for (int j = 0; j < shape.keys; ++j) pattern(i, j) = allowed(shape.first + i, j) ? 1.0f : 0.0f;
    return pattern;
}

/// Query i sees keys j <= i [Vaswani et al. 2017, 3.2.3]
Matrix causal(const Inputs&, const AttentionConfig&, MaskShape shape) {
    return pattern_of(shape, [](int i, int j) { return j <= i; });
}

/// Hides the last keys, which are padding.
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

/// The document's own pattern; everything is visible if it gives none.
Matrix drawn(const Inputs& in, const AttentionConfig&, MaskShape shape) {
    if (in.drawn_mask.size() == 0) return Matrix::Ones(shape.queries, shape.keys);
    return in.drawn_mask.middleRows(shape.first, shape.queries);
}

constexpr std::array kMasks = {
    Mask{.id = "none", .formula = ""},
    Mask{
        .id = "causal",
        .source = "Vaswani et al. 2017",
        .pattern = causal,
        .causal = true,
        .refuses = refuse_two_texts,
    },
    Mask{
        .id = "padding",
        .pattern = padding,
        .of_keys = true,
        .fixed = true,
        .fields = {"padding"},
    },
    Mask{
        .id = "sliding_window",
        .source = "Child et al. 2019; Jiang et al. 2023",
        .pattern = sliding_window,
        .fields = {"window", "global_every", "global_first"},
        .refuses = refuse_two_texts,
        .global = "causal",
    },
    Mask{
        .id = "global_window",
        .source = "Beltagy et al. 2020",
        .pattern = global_window,
        .fields = {"window", "global_tokens", "global_every", "global_first"},
        .refuses = refuse_two_texts,
        .global = "none",
    },
    Mask{
        .id = "drawn",
        .from = Source::Drawn,
        .pattern = drawn,
        .fixed = true,
        .fields = {"mask_pattern"},
    },
};

const Mask& causal_mask() { return *std::find_if(kMasks.begin(), kMasks.end(), [](const Mask& m) { return m.causal; }); }

/// The pattern under its role, computed once for all heads, and for all layers unless they have different masks.
StepId pattern_step(Trace& t, const Attend& a, const Mask& rule, Role role, MaskShape shape, Axis rows, Axis cols) {
    const int layer = a.config.global_every > 0 ? a.tag.layer : kNoLayer;
    const Tag tag{role, kNoHead, layer, a.tag.time, a.tag.part};
    if (const StepId there = find_given(t, tag); there != kNoStep) return there;
    return input(t, shape.queries, shape.keys, [&] { return rule.pattern(a.in, a.config, shape); }, tag, rows, cols,
                 {rule.from});
}

StepId apply(Trace& t, const Attend& a, StepId scores, const Mask& rule, Role pattern_role, Role result) {
    const Step& step = t[scores];
    const MaskShape shape{static_cast<int>(step.value.rows()), static_cast<int>(step.value.cols()), a.first_query};
    const Axis rows = step.rows, cols = step.cols;
    const StepId pattern = pattern_step(t, a, rule, pattern_role, shape, rows, cols);
    return mask(t, scores, pattern, a.tag.as(result));
}

}  // namespace

Catalogue<Mask>& mask_catalogue() {
    static Catalogue<Mask> table(kMasks);
    return table;
}

std::span<const Mask> masks() { return mask_catalogue().rows(); }
const Mask* find_mask(std::string_view id) { return mask_catalogue().find(id); }

const Mask& drawn_mask() {
    return *std::find_if(kMasks.begin(), kMasks.end(), [](const Mask& m) { return m.from == Source::Drawn; });
}

Refusals refuse_two_texts(const AttentionConfig&, const Form& form) {
    if (has(form.reads, Reads::Order)) return {};
    std::vector<std::string_view> others;
    for (const Mask& other : masks())
        if (other.refuses != refuse_two_texts) others.push_back(other.id);
    const std::string_view last = others.back();
    others.pop_back();
    return {{"mask", fmt::format("compares places of one sequence, but the form \"{}\" has two; take {} or {}",
                                 form.id, fmt::join(others, ", "), last)}};
}

AttentionConfig config_of_layer(const AttentionConfig& config, int layer) {
    AttentionConfig out = config;
    if (config.unplaced_every > 0 && layer % config.unplaced_every == config.unplaced_first % config.unplaced_every)
        out.position = "none";
    if (config.global_every == 0) return out;
    if (layer % config.global_every == config.global_first % config.global_every) {
        out.mask = find_mask(config.mask)->global;
    } else if (config.local_rope_base > 0) {
        out.rope_base = config.local_rope_base;
        out.rope_factor = out.rope_length = 1;
    }
    return out;
}

StepId mask_pattern(Trace& t, const Attend& a, MaskShape shape, Axis rows, Axis cols) {
    if (!a.mask || !a.mask->pattern) return kNoStep;
    return pattern_step(t, a, *a.mask, Role::MaskPattern, shape, rows, cols);
}

StepId apply_mask(Trace& t, const Attend& a, StepId scores) {
    const Mask* rule = a.masked ? a.mask : nullptr;
    const bool own = rule && rule->pattern && !(a.causal && rule->causal);
    if (a.causal)
        scores = apply(t, a, scores, causal_mask(), own ? Role::CausalPattern : Role::MaskPattern,
                       own ? Role::CausalMasked : Role::Masked);
    return own ? apply(t, a, scores, *rule, Role::MaskPattern, Role::Masked) : scores;
}

}  // namespace attn
