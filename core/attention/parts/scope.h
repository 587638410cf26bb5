#pragma once
// Scope: all keys, or a window around a centre that is the query's own place or is predicted. A table.

#include <array>

#include "core/attention/parts/attend.h"
#include "core/attention/refusal.h"
#include "core/base/catalogue.h"

namespace attn {

struct Scope {
    std::string_view id;
    std::string_view source = "";  ///< paper
    /// n×1: where each query's window stands, places from 0; null: no window.
    StepId (*centers)(Trace&, const Attend& a, int queries, int keys) = nullptr;
    bool predicted = false;  ///< the weights are multiplied by a Gaussian around the centre
    std::string_view on_scores = "";   ///< what it does to the scores, as a formula
    std::string_view on_weights = "";  ///< and to the weights
    std::array<std::string_view, 1> fields = {};  ///< of the document, that it reads
    Refuses refuses = nullptr;
};

Catalogue<Scope>& scope_catalogue();
std::span<const Scope> scopes();
const Scope* find_scope(std::string_view id);

/// The scores inside the window, −∞ outside; `scores` itself where all keys are in scope.
StepId apply_scope(Trace& t, const Attend& a, StepId scores);
/// Weights times exp(−(s − p_t)² / (2σ²)), σ = D/2, not renormalised [Luong et al. 2015, eq. 10]; else as they are.
StepId apply_gaussian(Trace& t, const Attend& a, StepId weights);

}  // namespace attn
