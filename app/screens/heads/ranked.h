#pragma once
// What all heads of a run do, as a table that can be sorted: how much of each head's weight lies where simple roles would put it.

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "app/screens/heads/look.h"
#include "core/analysis/head_roles.h"
#include "core/document/document.h"

namespace app {

/// The columns of the table: the roles, and how far the weight is spread.
inline constexpr std::size_t kRankedColumns = attn::kHeadRoles + 1;
/// By its id, as HeadsChoice::role has it; none: it is no column's.
std::optional<std::size_t> ranked_column(std::string_view id);
std::string_view ranked_id(std::size_t column);
/// What a head has of a column; chance NaN: there is none.
attn::RoleShare in_column(const attn::HeadRoles& head, std::size_t column);

struct RankedHeads {
    std::shared_ptr<const std::vector<attn::HeadRoles>> measured;  ///< null: not yet
    std::uint64_t of = 0;    ///< the run that they were measured on
    bool repeated = false;   ///< which is that of repeated random words
    std::vector<int> order;  ///< of `measured`: those that the table has, from above

    const attn::HeadRoles* find(const attn::Tag& weights) const;
};

/// The document is of a model that has words to draw from.
bool knows_words(const attn::Document& document);
/// Random words of the model, repeated, in the place of the document's text; none: there are no words to draw from.
std::optional<attn::Document> on_repeated_words(const attn::Document& document);

/// Which heads the table has, and in which order: by the chosen column, the largest first, else as they are computed.
void order_heads(const HeadsChoice& choice, const attn::Tag& here, RankedHeads& out);

}  // namespace app
