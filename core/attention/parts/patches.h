#pragma once
// The input of a picture model, instead of word vectors.

#include "core/attention/inputs.h"

namespace attn {

/// The input is a picture: the rows are its patches.
inline bool has_patches(const Inputs& in) { return in.pixels.size() > 0; }
/// [class; pixels · E + b] under `tag`: the pixel values of each patch times one matrix, preceded by the class token's
/// own vector [Dosovitskiy et al. 2021, eq. 1] and, if the model has one, the distillation token's after it [Touvron et
/// al. 2021, 4].
StepId embed_patches(Trace& t, const Inputs& in, Tag tag);

}  // namespace attn
