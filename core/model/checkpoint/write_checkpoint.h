#pragma once
// Writes one of this program's own models as a checkpoint of the Llama family. Internal to core/model.

#include "core/io/safetensors.h"
#include "core/model/folder_names.h"
#include "core/model/model.h"

namespace attn {

/// config.json, tokenizer.json, model.safetensors. The model must have the family's features: RMS norms before the
/// sub-layers, rotary positions by halves, a gated layer with SiLU, a causal mask, no biases, tied words (asserted).
ModelFiles checkpoint_files(const Model& model, TensorNumbers numbers);

}  // namespace attn
