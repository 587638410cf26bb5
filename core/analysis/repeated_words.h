#pragma once
// A text without a meaning to go by: random words of a model, and then the same once more.

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "core/model/model.h"

namespace attn {

/// So many different words of the model's vocabulary, drawn by the seed, and then the same once more; no special ones,
/// and no more than the model has places for, or `most`, together with what it adds. What follows a token's earlier copy
/// is then the only thing that an induction head could look for [Olsson et al. 2022].
std::vector<std::string> repeated_words(const ModelPtr& model, std::uint64_t seed, int most = std::numeric_limits<int>::max());

}  // namespace attn
