#pragma once
// Two records of a frame that were drawn with different typefaces: letters of another width put lines, columns and what
// stands beside them elsewhere. What is said and shown must be the same all the same: every word, digit, colour, role of
// type, cell and sign, in order. Only places differ, and not by more than the widths allow.

#include "tests/frames/record_compare.h"

namespace frames {

/// How far places may be apart, in pixels.
struct Looseness {
    float place = 0;    ///< of anything
    float wrapped = 0;  ///< of anything on a frame where a line breaks elsewhere: what is below stands a line or more lower
};
/// `ratio`: the larger width of the same words by the smaller one, 1 or more.
Looseness looseness_of(double ratio);

/// What letters of another width made of a frame, as lines: "- fill #6D4AE0 r" is expected and not there, "+ text #1F2533
/// body "more:"" is there and not expected (without places; words one by one), "@ fill 10 20 40 40 #6D4AE0 r3" stands
/// further from its place than it may. Empty where all that is said and shown is the same and in its place.
Record moved_by_widths(const Record& expected, const Record& found, Looseness looseness);

/// As changes(): what moved_by_widths() tells, less what of it is `known` of these typefaces (a label has its room here and
/// is shortened there, a sum has one more term on its line), and what is known and is not so any more.
std::vector<Change> loose_changes(const Record& expected, const Record& found, Looseness looseness, const Record& known = {});

}  // namespace frames
