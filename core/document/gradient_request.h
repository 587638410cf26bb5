#pragma once
// The gradient that a document requests, and the reverse pass that computes it: steps after those of the run
// (gradient.h). If the loss is requested, its steps are recorded too.

#include <string>
#include <string_view>

#include "core/document/document.h"

namespace attn {

/// "loss", or a number by its step, row and column from 1: "weights.h2,3,1".
std::string gradient_text(const GradientOf& request);
/// The inverse. Steps of a reverse pass have no gradient of their own.
Result<GradientOf> parse_gradient(std::string_view text);

/// Whether hard attention has a target word to be trained on (core/attention/parts/training.h).
bool trains_hard(const Document& doc);
/// Whether the form ends in a probability for each word.
bool predicts_words(const Document& doc);
/// Whether a loss is possible in principle: words are predicted, or a hard attention can be trained to say them.
bool can_have_loss(const Document& doc);
/// Whether the right words are known: the document's `target`, or else, for the decoder over two texts, its own next
/// tokens. Rows whose target is [PAD] have none.
bool has_loss(const Document& doc);
/// Why there is no loss, in one sentence; empty: there is one.
std::string why_no_loss(const Document& doc);

/// An upper bound of the cost of the run together with the reverse pass, if one is requested (a test compares it with
/// what is recorded).
Cost with_gradient(const Document& doc, Cost forward);

/// Records the loss, if it is requested, and the reverse pass. False: the requested number does not exist. Loss: −1/k Σ
/// log p(right word) over the k rows that have a right word [Shannon's cross-entropy], with the gradient (p − y)/k at
/// the logits; for hard attention −1/n Σ L_s, the lower bound of Xu et al. 2015, eq. 10.
bool record_requested_gradient(const Document& doc, const Inputs& in, Trace& t, const std::stop_token& stop = {});

}  // namespace attn
