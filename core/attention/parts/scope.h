#pragma once
// Scope: all keys, or a window around a centre that is the query's own position or is predicted. A table.

#include <array>

#include "core/attention/parts/attend.h"
#include "core/attention/refusal.h"
#include "core/base/catalogue.h"

namespace attn {

struct Scope {
    std::string_view id;
    std::string_view source = "";  ///< paper
    /// n×1: the centre of each query's window, positions from 0; null: no window.
    StepId (*centers)(Trace&, const Attend& a, int queries, int keys) = nullptr;
    bool predicted = false;  ///< the weights are multiplied by a Gaussian around the centre
    std::string_view on_scores = "";   ///< its effect on the scores, as a formula
    std::string_view on_weights = "";  ///< its effect on the weights, as a formula
    std::array<std::string_view, 1> fields = {};  ///< the document's fields that it reads
    Refuses refuses = nullptr;
};

Catalogue<Scope>& scope_catalogue();
std::span<const Scope> scopes();
const Scope* find_scope(std::string_view id);

/// The scores inside the window, −∞ outside; `scores` itself if there is no window.
StepId apply_scope(Trace& t, const Attend& a, StepId scores);
/// Weights times exp(−(s − p_t)² / (2σ²)), σ = D/2, not renormalised [Luong et al. 2015, eq. 10]; `weights` itself if
/// no centre is predicted.
StepId apply_gaussian(Trace& t, const Attend& a, StepId weights);

}  // namespace attn
