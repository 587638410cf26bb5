#pragma once
// The view state of the experiments: the page, and the controls of each.

#include <cstdint>
#include <optional>
#include <string>

#include "core/analysis/paths.h"

namespace app {

/// The controls of the page of paths, and its two tokens.
struct PathsLook {
    attn::PathChoice dials;
    int from = 0, to = -1;               ///< token indices; −1: the last one
    std::optional<attn::PathKind> only;  ///< show only this network; none: all three
    bool operator==(const PathsLook&) const = default;
};

struct ExperimentsLook {
    std::string page;                ///< empty: the first that applies
    int scaling_width = 64;          ///< d, on the page of scaling
    std::uint64_t scaling_seed = 1;  ///< of its random draws
    PathsLook paths;
    bool operator==(const ExperimentsLook&) const = default;
};

}  // namespace app
