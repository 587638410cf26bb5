#include "app/layout/omission.h"

namespace app {
namespace {

/// A product of twelve tokens: number of columns of an operand and of the result side by side, and of rows below each
/// other.
constexpr float kColumns = 12 + 8, kRows = 12 + 12;
/// A cell with room for its figure, and what the names, captions and the sentence need, in ems of the figures.
constexpr float kCellWidth = 3.4f, kCellHeight = 1.75f, kBeside = 17, kAround = 12.5f;

}  // namespace

Omitted around_the_stage(const Surroundings& s) {
    const Size wanted{s.em * (kColumns * kCellWidth + kBeside), s.em * (kRows * kCellHeight + kAround)};
    const auto fits = [&](Omitted omitted) {
        const float right = omitted.shows(Omittable::Inspector) ? s.inspector : 0,
                    chips = omitted.shows(Omittable::Chips) ? s.chips : 0,
                    formula = omitted.shows(Omittable::SecondLine) ? s.formula : s.one_line;
        return s.window.w - right >= wanted.w && s.window.h - chips - formula >= wanted.h;
    };
    return omit_until_it_fits({}, Omittable::SecondLine, fits).value_or(omitted_before(Omittable::Funnels));
}

}  // namespace app
