#include "core/parts/selection.h"

#include <algorithm>
#include <array>

#include "core/ops.h"

namespace attn {
namespace {

/// softmax [Vaswani et al. 2017, eq. 1; Xu et al. 2015, eq. 5]
StepId soft(Trace& t, const Attend& a, StepId scores) {
    return softmax(t, scores, a.config.temperature, a.tag.as(Role::Weights));
}

/// The k largest of a row, then softmax.
StepId largest(Trace& t, const Attend& a, StepId scores) {
    return soft(t, a, top_k(t, scores, a.config.top_k, a.tag.as(Role::Kept)));
}

/// The nearest point of the simplex [Martins, Astudillo 2016]
StepId sparse(Trace& t, const Attend& a, StepId scores) {
    return sparsemax(t, scores, a.config.temperature, a.tag.as(Role::Weights));
}

constexpr std::array kSelections = {
    Selection{"soft", "Xu et al. 2015", false, soft},
    Selection{"hard", "Xu et al. 2015", true, soft},
    Selection{"top_k", "Shazeer et al. 2017", false, largest},
    Selection{"sparsemax", "Martins, Astudillo 2016", false, sparse},
};

}  // namespace

std::span<const Selection> selections() { return kSelections; }

const Selection* find_selection(std::string_view id) {
    const auto at =
        std::find_if(kSelections.begin(), kSelections.end(), [&](const Selection& s) { return s.id == id; });
    return at == kSelections.end() ? nullptr : &*at;
}

}  // namespace attn
