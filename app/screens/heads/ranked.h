#pragma once
// A sortable table of what all heads of a run do: how much of each head's weight lies where simple roles would put it.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/screens/heads/look.h"
#include "core/analysis/head_roles.h"
#include "core/document/document.h"
#include "core/trace/counting.h"

namespace app {

/// The columns of the table: the roles, and the spread of the weight.
inline constexpr std::size_t kRankedColumns = attn::kHeadRoles + 1;
/// The column with this id (HeadsChoice::role); none: there is no such column.
std::optional<std::size_t> ranked_column(std::string_view id);
std::string_view ranked_id(std::size_t column);
/// A head's value in a column; chance is NaN if there is none.
attn::RoleShare in_column(const attn::HeadRoles& head, std::size_t column);

/// What the rows of the table depend on besides the measured heads.
struct RankedBy {
    std::shared_ptr<const std::vector<attn::HeadRoles>> measured;
    std::string role, find;
    bool only_here = false;
    float times = 0;
    attn::Tag here;
    attn::CountFrom count = attn::CountFrom::One;
    bool operator==(const RankedBy&) const = default;
};

struct RankedHeads {
    std::shared_ptr<const std::vector<attn::HeadRoles>> measured;  ///< null: not yet
    std::uint64_t of = 0;    ///< the run on which they were measured
    bool repeated = false;   ///< that run is of repeated random words
    std::vector<int> order;  ///< indices into `measured`: the table's rows from the top
    std::vector<bool> left;  ///< for each measured head: the filter leaves it, in whichever attention it is
    RankedBy by;             ///< what `order` and `left` were made for

    const attn::HeadRoles* find(const attn::Tag& weights) const;
    /// Whether the filter leaves this head; a head that was not measured has no role to fall short of.
    bool leaves(const attn::Tag& weights) const;
};

/// Whether the document's model has a vocabulary to draw words from.
bool knows_words(const attn::Document& document);
/// The document with random words of the model, repeated, as its text; none if there are no words to draw from.
std::optional<attn::Document> on_repeated_words(const attn::Document& document);

/// Whether what was typed names this head or is a part of its name: "7.11", "L7H11", "head 11", "layer 7", "cross",
/// in either language; ASCII case is ignored. Empty text: every head.
bool names_head(std::string_view typed, const attn::Tag& weights, attn::CountFrom count);
/// Whether the choice filters the heads at all.
bool filters_heads(const HeadsChoice& choice);
/// Filters and sorts the heads of the table: by the chosen column, largest first, else in the order of computation.
/// Nothing is done where that is what the rows already are.
void order_heads(const HeadsChoice& choice, const attn::Tag& here, attn::CountFrom count, RankedHeads& out);

}  // namespace app
