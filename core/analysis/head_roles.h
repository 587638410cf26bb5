#pragma once
// What a head does, measured on one run: how much of its weight lies where simple roles would put it.

#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "core/analysis/heads.h"

namespace attn {

/// Where a head may put its weight. Duplicate and Induction look at all earlier copies of the query's token, at themselves and
/// at what follows them [Elhage et al. 2021; Olsson et al. 2022].
enum class HeadRole : std::uint8_t { Previous, Same, Next, First, Duplicate, Induction };
inline constexpr std::size_t kHeadRoles = 6;

struct HeadRoleRow {
    std::string_view id, definition;
};
/// In the order of HeadRole.
std::span<const HeadRoleRow, kHeadRoles> head_roles();

/// Means over the rows in which the role has a key: rows that may look at one key alone, where any weight is 1, are left out,
/// and so are rows that are wholly masked. NaN where there is no such row.
struct RoleShare {
    double share = 0;   ///< of the row's weight
    double chance = 0;  ///< what these keys had if the row's weight were shared equally by all that it may look at
    int rows = 0;       ///< that were counted
};

struct HeadRoles {
    Tag tag;  ///< of the weights
    std::array<RoleShare, kHeadRoles> roles{};
    double spread = 0;  ///< a row's entropy by its largest, log of the number of keys it may look at; 1: even

    const RoleShare& operator[](HeadRole role) const { return roles[static_cast<std::size_t>(role)]; }
    RoleShare& operator[](HeadRole role) { return roles[static_cast<std::size_t>(role)]; }
};
/// Where queries and keys are of two texts (cross-attention) only First has keys: the others compare places of one text.
HeadRoles head_roles_of(const Trace& trace, const AttentionMap& map);
/// Queries and keys are tokens of texts.
bool is_of_texts(const AttentionMap& map);
/// One a map of texts: encoder, decoder and cross-attention, in the order of the computation.
std::vector<HeadRoles> measured_heads(const Trace& trace);

}  // namespace attn
