#include "core/attention/parts/scope.h"

#include "core/attention/parts/parameter.h"
#include "core/ops/ops.h"

namespace attn {
namespace {

/// Steps that all heads share have the layer's tag without a head.
Tag shared(const Attend& a, Role role) { return {role, kNoHead, a.tag.layer, a.tag.time, a.tag.part}; }

/// p_t = t [Luong et al. 2015, 3.2, local-m]
StepId own_place(Trace& t, const Attend& a, int queries, int) {
    Matrix places(queries, 1);
    for (int i = 0; i < queries; ++i) places(i, 0) = static_cast<float>(a.first_query + i);
    const Axis rows = a.query_input == kNoStep ? Axis{Axis::Kind::Tokens} : t[a.query_input].rows;
    return input(t, std::move(places), shared(a, Role::Centers), rows, {}, {Source::Formula});
}

/// p_t = S · sigmoid(v_pᵀ tanh(W_p h_t)) [Luong et al. 2015, eq. 9, local-p]
StepId predicted_place(Trace& t, const Attend& a, int, int keys) {
    const auto width = static_cast<int>(t[a.query_input].value.cols());
    const Tag tag = shared(a, Role::Centers);
    const StepId made = project_by(t, a.in, a.query_input, tag, Role::CenterWeight, width, Role::CenterProducts, Fill::Weight);
    const StepId activated = activate(t, made, Activation::Tanh, tag.as(Role::CenterTanh));
    const StepId one = project_by(t, a.in, activated, tag, Role::CenterVector, 1, Role::CenterLogits, Fill::Vector);
    const StepId shares = activate(t, one, Activation::Sigmoid, tag.as(Role::CenterShares));
    return scale(t, shares, static_cast<float>(keys), tag);
}

constexpr std::string_view kWindowFormula = " + \\part{scope}{{\\m D}}";

constexpr std::array kScopes = {
    Scope{.id = "global"},
    Scope{
        .id = "local_m",
        .source = "Luong et al. 2015",
        .centers = own_place,
        .on_scores = kWindowFormula,
        .fields = {"window"},
    },
    Scope{
        .id = "local_p",
        .source = "Luong et al. 2015",
        .centers = predicted_place,
        .predicted = true,
        .on_scores = kWindowFormula,
        .on_weights = " \\odot \\part{scope}{G}",
        .fields = {"window"},
    },
};

}  // namespace

Catalogue<Scope>& scope_catalogue() {
    static Catalogue<Scope> table(kScopes);
    return table;
}

std::span<const Scope> scopes() { return scope_catalogue().rows(); }
const Scope* find_scope(std::string_view id) { return scope_catalogue().find(id); }

StepId apply_scope(Trace& t, const Attend& a, StepId scores) {
    if (!a.scope || !a.scope->centers) return scores;
    const auto n = static_cast<int>(t[scores].value.rows()), m = static_cast<int>(t[scores].value.cols());
    const Tag tag = shared(a, Role::ScopePattern);
    StepId pattern = find_recent(t, tag);
    if (pattern == kNoStep) {
        const StepId centers = a.scope->centers(t, a, n, m);
        pattern = window(t, centers, static_cast<float>(a.config.window), m, t[scores].cols, tag);
    }
    return mask(t, scores, pattern, a.tag.as(Role::Windowed));
}

StepId apply_gaussian(Trace& t, const Attend& a, StepId weights) {
    if (!a.scope || !a.scope->predicted) return weights;
    StepId factors = find_recent(t, shared(a, Role::Gaussian));
    if (factors == kNoStep)
        factors = gaussian(t, find_recent(t, shared(a, Role::Centers)), static_cast<float>(a.config.window) / 2,
                        static_cast<int>(t[weights].value.cols()), t[weights].cols, shared(a, Role::Gaussian));
    return multiply(t, weights, factors, a.tag.as(Role::LocalWeights));
}

}  // namespace attn
