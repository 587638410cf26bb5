#pragma once
// A text without meaning: random words of a model, repeated once.

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "core/model/model.h"

namespace attn {

/// Different words of the model's vocabulary, drawn by the seed, followed by the same words again; without special
/// tokens, and together with those that the model adds no more than it has positions for, or `most`. The token after
/// the earlier copy is then the only thing that an induction head could attend to [Olsson et al. 2022].
std::vector<std::string> repeated_words(const ModelPtr& model, std::uint64_t seed, int most = std::numeric_limits<int>::max());

}  // namespace attn
