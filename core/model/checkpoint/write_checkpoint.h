#pragma once
// A model of this program's own as a checkpoint of Llama's family. Internal to core/model.

#include "core/model/model.h"

namespace attn {

/// config.json, tokenizer.json, model.safetensors. The model is of the forms that this family has: root-mean-square norms
/// in front, rotary positions by halves, a gated layer with SiLU, a causal mask, no biases, tied words (asserted).
ModelFiles checkpoint_files(const Model& model, TensorNumbers numbers);

}  // namespace attn
