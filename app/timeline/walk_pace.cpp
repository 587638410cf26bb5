#include "app/timeline/walk_pace.h"

#include <algorithm>
#include <iterator>

namespace app {
namespace {

constexpr std::string_view kIds[] = {"story", "deep", "step"};
constexpr Str kTitles[] = {Str::pace_story, Str::pace_deep, Str::pace_step};

}  // namespace

std::string_view walk_pace_id(WalkPace pace) { return kIds[static_cast<std::size_t>(pace)]; }

std::optional<WalkPace> find_walk_pace(std::string_view id) {
    const auto* at = std::find(std::begin(kIds), std::end(kIds), id);
    return at == std::end(kIds) ? std::nullopt : std::optional(static_cast<WalkPace>(at - std::begin(kIds)));
}

Str title_of(WalkPace pace) { return kTitles[static_cast<std::size_t>(pace)]; }

}  // namespace app
