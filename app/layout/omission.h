#pragma once
// What makes room for the figures of the row, the column and the cell in focus: one order for all steps, forms and
// window sizes. The figures themselves are never omitted. Pure; lengths are in pixels.

#include <algorithm>
#include <cstdint>
#include <optional>

#include "app/draw/vocab.h"

namespace app {

/// In the order in which they are omitted.
enum class Omittable : std::uint8_t {
    Inspector,   ///< shrinks to a handle at the edge
    Chips,       ///< the tokens are also the names of the rows
    SecondLine,  ///< of the formula
    Funnels,     ///< the ribbons from names to their rows, and slanted names
    Legend,      ///< of the colours, and the name next to an operand
    Context,     ///< rows and columns out of focus shrink to colours, and the column next to the result goes
    Slots,       ///< rows and columns are folded into "… 7"
};
inline constexpr int kOmittable = static_cast<int>(Omittable::Slots) + 1;

/// How many are omitted, in that order.
struct Omitted {
    int count = 0;
    bool shows(Omittable what) const { return static_cast<int>(what) >= count; }
    bool operator==(const Omitted&) const = default;
};
/// Everything before `what` is omitted; `what` and everything after it is still shown.
constexpr Omitted omitted_before(Omittable what) { return {static_cast<int>(what)}; }

/// The fewest that must be omitted for `fits` to hold, starting from `from`; `last` itself is never omitted.
/// None: even the most are not enough.
template <typename Fits>
std::optional<Omitted> omit_until_it_fits(Omitted from, Omittable last, Fits fits) {
    for (Omitted omitted = from; omitted.count <= static_cast<int>(last); ++omitted.count)
        if (fits(omitted)) return omitted;
    return std::nullopt;
}

/// What surrounds the picture of a step in its window.
struct Surroundings {
    Size window;          ///< without what is always shown
    float inspector = 0;  ///< width
    float chips = 0;      ///< height
    float formula = 0, one_line = 0;
    float em = 0;         ///< of the figures
};
/// What must go to make room for the figures of twelve tokens. The same for every step, so that nothing shifts during
/// the walk.
Omitted around_the_stage(const Surroundings& s);

}  // namespace app
