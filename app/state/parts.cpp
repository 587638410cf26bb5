#include "app/state/parts.h"

#include <algorithm>
#include <iterator>

namespace app {
namespace {

constexpr std::string_view kDetailIds[] = {"first", "numbers", "everything"};
static_assert(std::size(kDetailIds) == std::size(kDetails));

constexpr PartRow kPartRows[] = {
#define PART(name, from) {Part::name, #name, Detail::from},
#include "app/state/parts.inc"
#undef PART
};

}  // namespace

std::string_view detail_id(Detail detail) { return kDetailIds[static_cast<std::size_t>(detail)]; }

std::optional<Detail> find_detail(std::string_view id) {
    const auto found = std::find(std::begin(kDetailIds), std::end(kDetailIds), id);
    return found == std::end(kDetailIds) ? std::nullopt : std::optional(kDetails[found - std::begin(kDetailIds)]);
}

std::span<const PartRow> parts() { return kPartRows; }
Detail first_with(Part part) { return kPartRows[static_cast<std::size_t>(part)].from; }

}  // namespace app
