#pragma once
// How the experiments are looked at: their page, and the dials of those that have some.

#include <cstdint>
#include <optional>
#include <string>

#include "core/analysis/paths.h"

namespace app {

/// The dials of the page of paths, and its two tokens.
struct PathsLook {
    attn::PathChoice dials;
    int from = 0, to = -1;               ///< from 0; −1: the last
    std::optional<attn::PathKind> only;  ///< the one network that is shown; none: all three
    bool operator==(const PathsLook&) const = default;
};

struct ExperimentsLook {
    std::string page;                ///< empty: the first that applies
    int scaling_width = 64;          ///< d of the one on scaling
    std::uint64_t scaling_seed = 1;  ///< of its draws
    PathsLook paths;
    bool operator==(const ExperimentsLook&) const = default;
};

}  // namespace app
