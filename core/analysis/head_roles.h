#pragma once
// What a head does in one run: how much of its weight is where simple roles would put it.

#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "core/analysis/heads.h"

namespace attn {

/// Keys of a simple role. Duplicate and Induction attend to all earlier copies of the query's token: to the copies
/// themselves, and to the tokens that follow them [Elhage et al. 2021; Olsson et al. 2022]. Delimiter attends to all
/// punctuation and all separators, except the first token [Clark et al. 2019, "What Does BERT Look At?"].
enum class HeadRole : std::uint8_t { Previous, Same, Next, First, Duplicate, Induction, Delimiter };
inline constexpr std::size_t kHeadRoles = 7;

struct HeadRoleRow {
    std::string_view id, definition;
};
/// In the order of HeadRole.
std::span<const HeadRoleRow, kHeadRoles> head_roles();

/// Means over the rows in which the role has a key. Rows with a single visible key, whose weight is always 1, and fully
/// masked rows are left out. NaN if there is no such row.
struct RoleShare {
    double share = 0;   ///< of the row's weight
    double chance = 0;  ///< the share of these keys under even weights over all visible keys
    int rows = 0;       ///< number of rows counted
};

struct HeadRoles {
    Tag tag;  ///< of the weights
    std::array<RoleShare, kHeadRoles> roles{};
    double spread = 0;  ///< a row's entropy over its maximum, the log of the number of visible keys; 1: even

    const RoleShare& operator[](HeadRole role) const { return roles[static_cast<std::size_t>(role)]; }
    RoleShare& operator[](HeadRole role) { return roles[static_cast<std::size_t>(role)]; }
};
/// If queries and keys are of two texts (cross-attention), only First has keys: the other roles compare positions in
/// one text.
HeadRoles head_roles_of(const Trace& trace, const AttentionMap& map);
/// Whether queries and keys are tokens of texts.
bool is_of_texts(const AttentionMap& map);
/// Punctuation alone, or a token that a tokenizer adds: [SEP], </s> …
bool is_delimiter(std::string_view token);
/// One per map of texts: encoder, decoder and cross-attention, in order of computation.
std::vector<HeadRoles> measured_heads(const Trace& trace);

}  // namespace attn
