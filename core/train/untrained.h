#pragma once
// A model as it was before training, for comparison with the trained one.

#include <string_view>

#include "core/model/model.h"

namespace attn::train {

/// The suffix of such a model's name: questions@0.
inline constexpr std::string_view kUntrained = "@0";

/// The model before the first step of its recorded training, recomputed from the same task, size and seed, so with the
/// same numbers to the bit. Error: it records no training by this program. Cached as long as somebody holds it.
Result<ModelPtr> untrained(const Model& trained);

}  // namespace attn::train
