#pragma once
// Ablation and activation patching over a whole model: all places that can be replaced, and a first-order estimate of
// the effect of each replacement on a logit.

#include <stop_token>
#include <string>
#include <vector>

#include "core/analysis/attribution.h"
#include "core/document/intervene.h"

namespace attn {

/// Every place of one kind, in order of computation: for `Head` and `Pattern` each head; for the residual stream each
/// depth and token separately; for the others each layer. `text` is the source text of PutBy::Text. Of a rule that needs
/// one text, without cross-attention.
std::vector<Intervention> places_of(const Document& document, const Run& run, Site at, PutBy by, const std::string& text = {});

/// The document with one more intervention.
Document with_intervention(Document document, Intervention put);

/// First-order estimates of the change in the logit of `attribution` by each of `places`, none of which may be a whole
/// layer: over the replaced cells, Σ (replacement − value) · ∂logit/∂cell. It takes one run, one reverse pass, and a
/// run of each text that is patched from. Comparing it with the true change shows how linear the effect is. [Nanda
/// 2023, "Attribution Patching"]
Result<std::vector<double>> estimated_changes(const Document& document, Run run, const Attribution& attribution, const std::vector<Intervention>& places,
                                              const std::stop_token& stop = {}, const OtherRuns& others = {});

/// (logit − here) / (there − here): 1 if the logit reaches `there`. NaN if the two are equal.
double recovered(double logit, double here, double there);

/// The Kullback-Leibler divergence KL(p ‖ q) in nats, p and q the softmax of two rows of logits over the same words.
double kl_divergence(const RowVector& before, const RowVector& after);

}  // namespace attn
