#pragma once
// What gives way to the figures of the row, the column and the number that are spoken of: one order for every step, form
// and size of a window. The figures themselves are not in it. Pure; widths and heights are pixels.

#include <algorithm>
#include <cstdint>
#include <optional>

#include "app/draw/vocab.h"

namespace app {

/// From the first to go to the last.
enum class Gives : std::uint8_t {
    Inspector,   ///< to a handle at the edge
    Chips,       ///< tokens are the names of rows as well
    SecondLine,  ///< of the formula
    Funnels,     ///< from names to their rows, and names that slant
    Legend,      ///< of colours, and the name beside an operand
    Context,     ///< what is not spoken of shrinks to colours, and what stands aside goes
    Slots,       ///< rows and columns fold to "… 7"
};
inline constexpr int kGives = static_cast<int>(Gives::Slots) + 1;

/// How far the order has been gone through.
struct Given {
    int count = 0;
    bool stands(Gives what) const { return static_cast<int>(what) >= count; }
    bool operator==(const Given&) const = default;
};
/// Everything before this has gone; this and what comes later stands.
constexpr Given given_before(Gives what) { return {static_cast<int>(what)}; }

/// The fewest that must go, beginning with what has, and at most what comes before `last`, for `fits` to hold; none: not
/// even then.
template <typename Fits>
std::optional<Given> give_way(Given from, Gives last, Fits fits) {
    for (Given given = from; given.count <= static_cast<int>(last); ++given.count)
        if (fits(given)) return given;
    return std::nullopt;
}

/// What stands around the picture of a step, in the window that it has.
struct Surroundings {
    Size window;          ///< without what always stands
    float inspector = 0;  ///< width
    float chips = 0;      ///< height
    float formula = 0, one_line = 0;
    float em = 0;         ///< of figures
};
/// What of it gives way to the figures of twelve tokens: the same for every step, so that nothing moves as the walk goes on.
Given around_the_stage(const Surroundings& s);

}  // namespace app
