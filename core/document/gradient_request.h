#pragma once
// Whose gradient a document asks for, and the reverse pass from there: steps behind those of the run (gradient.h). With
// the loss come the steps that make it.

#include <string>
#include <string_view>

#include "core/document/document.h"

namespace attn {

/// "loss", or a number by its step, row and column from 1: "weights.h2,3,1".
std::string gradient_text(const GradientOf& asked);
/// The reverse. A gradient's own steps have none.
Result<GradientOf> parse_gradient(std::string_view text);

/// Hard attention with a word that it is trained to say (core/attention/parts/training.h).
bool trains_hard(const Document& doc);
/// The form ends in a share for each word.
bool predicts_words(const Document& doc);
/// Something can be right or wrong: words are predicted, or a hard attention may be trained to say them.
bool can_have_loss(const Document& doc);
/// Which words are right is known: they are the document's `target`; without one the decoder over two texts predicts
/// its own next tokens. Where the target is [PAD] no word is asked for.
bool has_loss(const Document& doc);
/// The loss is asked for and nothing says what is right, in one sentence; empty: all is well.
std::string why_no_loss(const Document& doc);

/// What the run takes together with the reverse pass, where one is asked for: at most so much (a test holds it against
/// what is recorded).
Cost with_gradient(const Document& doc, Cost forward);

/// Records the loss, where it is asked for, and the reverse pass. False: what is asked for is not there.
/// Loss: −1/k Σ log p(right word) over the k rows in which a word is asked for [Shannon's cross-entropy], its gradient
/// at the logits (p − y)/k; of hard attention −1/n Σ L_s, the lower bound of Xu et al. 2015, eq. 10.
bool record_asked_gradient(const Document& doc, const Inputs& in, Trace& t, const std::stop_token& stop = {});

}  // namespace attn
