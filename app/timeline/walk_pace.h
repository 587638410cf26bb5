#pragma once
// How fast the walk goes.

#include <cstdint>
#include <optional>
#include <string_view>

#include "app/content/strings.h"

namespace app {

/// Story: the time of a step depends on its news. Deep: on its operation. Step: like Deep, and the walk waits at each
/// step.
enum class WalkPace : std::uint8_t { Story, Deep, Step };
inline constexpr WalkPace kWalkPaces[] = {WalkPace::Story, WalkPace::Deep, WalkPace::Step};

/// "story", "deep", "step".
std::string_view walk_pace_id(WalkPace pace);
std::optional<WalkPace> find_walk_pace(std::string_view id);
Str title_of(WalkPace pace);

}  // namespace app
