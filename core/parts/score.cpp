#include "core/parts/score.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/ops.h"

namespace attn {
namespace {

/// Q Kᵀ [Luong et al. 2015]
StepId dot(Trace& t, StepId queries, StepId keys, int head) {
    const StepId transposed = transpose(t, keys, {Role::KeysTransposed, head});
    return matmul(t, queries, transposed, {Role::Scores, head});
}

/// Q Kᵀ / √d_k [Vaswani et al. 2017, eq. 1]
StepId scaled_dot(Trace& t, StepId queries, StepId keys, int head) {
    const StepId products = dot(t, queries, keys, head);
    const auto width = static_cast<float>(t[keys].value.cols());
    return scale(t, products, 1.0f / std::sqrt(width), {Role::Scaled, head});
}

constexpr std::array<Score, 2> kScores = {{
    {"dot", "{\\q q} \\cdot {\\k k}", "Luong et al. 2015", dot},
    {"scaled_dot", "\\frac{{\\q q} \\cdot {\\k k}}{\\sqrt{d_k}}", "Vaswani et al. 2017", scaled_dot},
}};

}  // namespace

std::span<const Score> scores() { return kScores; }

const Score* find_score(std::string_view id) {
    const auto at = std::find_if(kScores.begin(), kScores.end(), [&](const Score& s) { return s.id == id; });
    return at == kScores.end() ? nullptr : &*at;
}

}  // namespace attn
