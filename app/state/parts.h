#pragma once
// Three levels of detail, and from which of them on each part of the window is drawn: one table, parts.inc. What a level
// lacks is not drawn at all.

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace app {

/// A sentence, its arcs, and what they say; the walk with its figures; formula, steps, settings and inspector as well.
enum class Detail : std::uint8_t { FirstLook, WithNumbers, Everything };
inline constexpr Detail kDetails[] = {Detail::FirstLook, Detail::WithNumbers, Detail::Everything};
/// "first", "numbers", "everything".
std::string_view detail_id(Detail detail);
std::optional<Detail> find_detail(std::string_view id);

/// A part of the window: a view (app/frame/views.inc) or a screen, by the same name.
enum class Part : std::uint8_t {
#define PART(name, from) name,
#include "app/state/parts.inc"
#undef PART
};
struct PartRow {
    Part part;
    std::string_view id;
    Detail from;  ///< the first level that has it
};
std::span<const PartRow> parts();
Detail first_with(Part part);
inline bool has_part(Detail level, Part part) { return level >= first_with(part); }

}  // namespace app
