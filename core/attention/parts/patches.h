#pragma once
// What a model of pictures reads in place of word vectors.

#include "core/attention/inputs.h"

namespace attn {

/// A picture is looked at: its patches are the rows.
inline bool has_patches(const Inputs& in) { return in.pixels.size() > 0; }
/// [class; pixels · E + b] under `tag`: the numbers of each patch times one matrix, and the class token's own vector before
/// them [Dosovitskiy et al. 2021, eq. 1]; behind it the distillation token's, where the model has one [Touvron et al. 2021, 4].
StepId embed_patches(Trace& t, const Inputs& in, Tag tag);

}  // namespace attn
