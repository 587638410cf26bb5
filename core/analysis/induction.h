#pragma once
// Where a head looks when a token stands again.

#include "core/analysis/heads.h"

namespace attn {

/// The share of weight on the token behind the last earlier place of the same token, a mean over the rows whose token
/// has one: what the training task "induction" asks of a head. NaN where no token stands again.
/// [Elhage et al. 2021; Olsson et al. 2022]
double induction_share(const Trace& trace, const AttentionMap& map);

}  // namespace attn
