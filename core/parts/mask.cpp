#include "core/parts/mask.h"

#include <algorithm>
#include <array>

#include "core/ops.h"

namespace attn {
namespace {

/// Query i looks at keys j <= i [Vaswani et al. 2017, 3.2.3]
Matrix causal(const Inputs&, int queries, int keys) {
    return Matrix::Ones(queries, keys).triangularView<Eigen::Lower>();
}

/// The document's own pattern; where it says nothing, everything is looked at.
Matrix drawn(const Inputs& in, int queries, int keys) {
    return in.drawn_mask.size() == 0 ? Matrix::Ones(queries, keys) : in.drawn_mask;
}

constexpr std::array<Mask, 3> kMasks = {{
    {"none", Source::Formula, nullptr},
    {"causal", Source::Formula, causal},
    {"drawn", Source::Drawn, drawn},
}};

}  // namespace

std::span<const Mask> masks() { return kMasks; }

const Mask* find_mask(std::string_view id) {
    const auto at = std::find_if(kMasks.begin(), kMasks.end(), [&](const Mask& m) { return m.id == id; });
    return at == kMasks.end() ? nullptr : &*at;
}

StepId apply_mask(Trace& t, StepId scores, const Inputs& in, const AttentionConfig& config, int head) {
    const Mask* rule = find_mask(config.mask);
    if (!rule || !rule->pattern) return scores;
    StepId pattern = find_id(t, {Role::MaskPattern});  // one pattern serves every head
    if (pattern == kNoStep) {
        const Step& step = t[scores];
        const auto n = static_cast<int>(step.value.rows()), m = static_cast<int>(step.value.cols());
        pattern = input(t, rule->pattern(in, n, m), {Role::MaskPattern}, step.rows, step.cols, {rule->source});
    }
    return mask(t, scores, pattern, {Role::Masked, head});
}

}  // namespace attn
