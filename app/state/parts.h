#pragma once
// The three levels of detail, and the first level that draws each part of the window (table: parts.inc). A part that a
// level lacks is not drawn at all.

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace app {

/// FirstLook: a sentence and its arcs. WithNumbers: also the walk and its figures. Everything: also formula, steps,
/// settings and inspector.
enum class Detail : std::uint8_t { FirstLook, WithNumbers, Everything };
inline constexpr Detail kDetails[] = {Detail::FirstLook, Detail::WithNumbers, Detail::Everything};
/// "first", "numbers", "everything".
std::string_view detail_id(Detail detail);
std::optional<Detail> find_detail(std::string_view id);

/// A part of the window: a view (app/frame/views.inc) or a screen; the names are the same.
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
