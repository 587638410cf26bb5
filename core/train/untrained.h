#pragma once
// A model as it was before it learned anything: what there is to set beside it, to see what training has made.

#include <string_view>

#include "core/model/model.h"

namespace attn::train {

/// What the name of a model gets behind it: questions@0.
inline constexpr std::string_view kUntrained = "@0";

/// The model before the first step of the training that it records, made again by its recipe: the same task, size and
/// seed, so the same numbers to the bit. Error: it records no training of ours. Made once as long as somebody holds it.
Result<ModelPtr> untrained(const Model& trained);

}  // namespace attn::train
