#pragma once
// A sortable table of what all heads of a run do: how much of each head's weight lies where simple roles would put it.

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "app/screens/heads/look.h"
#include "core/analysis/head_roles.h"
#include "core/document/document.h"

namespace app {

/// The columns of the table: the roles, and the spread of the weight.
inline constexpr std::size_t kRankedColumns = attn::kHeadRoles + 1;
/// The column with this id (HeadsChoice::role); none: there is no such column.
std::optional<std::size_t> ranked_column(std::string_view id);
std::string_view ranked_id(std::size_t column);
/// A head's value in a column; chance is NaN if there is none.
attn::RoleShare in_column(const attn::HeadRoles& head, std::size_t column);

struct RankedHeads {
    std::shared_ptr<const std::vector<attn::HeadRoles>> measured;  ///< null: not yet
    std::uint64_t of = 0;    ///< the run on which they were measured
    bool repeated = false;   ///< that run is of repeated random words
    std::vector<int> order;  ///< indices into `measured`: the table's rows from the top

    const attn::HeadRoles* find(const attn::Tag& weights) const;
};

/// Whether the document's model has a vocabulary to draw words from.
bool knows_words(const attn::Document& document);
/// The document with random words of the model, repeated, as its text; none if there are no words to draw from.
std::optional<attn::Document> on_repeated_words(const attn::Document& document);

/// Selects and sorts the heads of the table: by the chosen column, largest first, else in the order of computation.
void order_heads(const HeadsChoice& choice, const attn::Tag& here, RankedHeads& out);

}  // namespace app
