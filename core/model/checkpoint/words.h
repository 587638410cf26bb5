#pragma once
// The words of a checkpoint: by the tokenizer that its files describe, or, where these list whole words, by those.
// Internal to the reading of checkpoints.

#include "core/model/checkpoint/source.h"

namespace attn {

/// Fills Model::words, and Model::tokenizer or Model::rows. `count`: rows of the embeddings; there may be more than the
/// tokenizer knows, and fewer: a text that needs a row beyond them is refused (text_problem in document_pieces.h).
Result<Done> read_checkpoint_words(const CheckpointSource& source, int count, Model& model);

}  // namespace attn
