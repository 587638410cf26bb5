#pragma once
// Roles of heads as a table, as a ranking, and as JSON.

#include <string>
#include <vector>

#include "core/analysis/head_roles.h"
#include "core/analysis/over_texts.h"
#include "core/trace/counting.h"

namespace app {

/// One line per head; below heads with the same visible keys, the value by chance.
std::string heads_table(const std::vector<attn::HeadRoles>& heads, attn::CountFrom count);
/// For each role its definition and the heads that score highest.
std::string heads_ranked(const std::vector<attn::HeadRoles>& heads, attn::CountFrom count);
/// Means and deviations over texts, and below them the mean weight by distance to the key.
std::string texts_table(const attn::HeadsOverTexts& over, attn::CountFrom count);
std::string texts_json(const attn::HeadsOverTexts& over);
std::string heads_json(const attn::Trace& trace, const std::vector<attn::HeadRoles>& heads);

}  // namespace app
