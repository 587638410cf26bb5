#pragma once
// Ablation and activation patching over a whole model: the places that can be replaced, one after the other, and a first-order
// estimate of what each replacement does to a logit.

#include <stop_token>
#include <string>
#include <vector>

#include "core/analysis/attribution.h"
#include "core/document/intervene.h"

namespace attn {

/// Every place of one kind, in the order of the computation: of `Head` and `Pattern` each head, of the residual stream each depth and
/// each token by itself, of the others each layer. `text` is what By Text patches from.
std::vector<Intervention> places_of(const Document& document, const Run& run, Site at, PutBy by, const std::string& text = {});

/// The document with one intervention more.
Document with_intervention(Document document, Intervention put);

/// First-order estimates of what each of `places`, none of them a layer's, would add to the logit of `attribution`: over the cells
/// that it replaces, Σ (what is put there − what is there) · ∂logit/∂cell, from one run, one reverse pass and, where they patch from
/// a text, its run. Beside the true change it says how far that is linear. [Nanda 2023, "Attribution Patching"]
Result<std::vector<double>> estimated_changes(const Document& document, Run run, const Attribution& attribution, const std::vector<Intervention>& places,
                                              const std::stop_token& stop = {}, const OtherRuns& others = {});

/// The share of the way from `here` to `there` that a logit has come: 1 is all of it. NaN where the two are equal.
double recovered(double logit, double here, double there);

/// The Kullback-Leibler divergence KL(p ‖ q) in nats, p and q the softmax of two rows of logits over the same words.
double kl_divergence(const RowVector& before, const RowVector& after);

}  // namespace attn
