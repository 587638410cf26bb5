#pragma once
// What a head does, measured on one run: how much of its weight lies where simple roles would put it.

#include "core/analysis/heads.h"

namespace attn {

/// Shares of weight, each a mean over the rows it is defined for; NaN where there is none.
struct HeadRoles {
    Tag tag;              ///< of the weights
    double previous = 0;  ///< on the token before, from the second row on
    double same = 0;      ///< on the token itself
    double next = 0;      ///< on the token behind, but in the last row
    double first = 0;     ///< on the first token, from the second row on
    double chance = 0;    ///< what one token had if a row's weight were shared equally by all it may look at
    double spread = 0;    ///< a row's entropy by its largest, log of the number of tokens it may look at; 1: even
};
/// Of one map of queries and keys of one text.
HeadRoles head_roles_of(const Trace& trace, const AttentionMap& map);

}  // namespace attn
