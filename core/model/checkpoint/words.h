#pragma once
// The words of a checkpoint: from its tokenizer, or from its list of whole words. Internal to the reading of
// checkpoints.

#include "core/model/checkpoint/source.h"

namespace attn {

/// Fills Model::words, and Model::tokenizer or Model::rows. `count`: rows of the embeddings, which may be more than the
/// tokenizer's tokens, or fewer: then a text that needs a row beyond them is refused (text_problem in
/// core/document/model_tokens.h).
Result<Done> read_checkpoint_words(const CheckpointSource& source, int count, Model& model);

}  // namespace attn
