#pragma once
// Roles of heads as a table, ranked, and in JSON.

#include <string>
#include <vector>

#include "core/analysis/head_roles.h"
#include "core/model/model.h"

namespace app {

/// One a map whose queries are tokens of a text: encoder, decoder and cross-attention, in the order of the computation.
std::vector<attn::HeadRoles> measured_heads(const attn::Trace& trace);
/// A head a line; below those that may look at the same keys what chance gives.
std::string heads_table(const std::vector<attn::HeadRoles>& heads);
/// For each role its definition and the heads that have the most of it.
std::string heads_ranked(const std::vector<attn::HeadRoles>& heads);
std::string heads_json(const attn::Trace& trace, const std::vector<attn::HeadRoles>& heads);

/// So many different words of the model's vocabulary, drawn by the seed, and then the same once more; no special ones,
/// and no more than the model has places for, or `most`, together with what it adds.
std::vector<std::string> repeated_words(const attn::ModelPtr& model, std::uint64_t seed, int most);

}  // namespace app
