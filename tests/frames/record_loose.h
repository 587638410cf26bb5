#pragma once
// Two records of a frame that were drawn with different fonts: letters of another width move lines, columns and items beside
// them. Everything else must be equal: every word, digit, colour, role of type, cell and symbol, in order. Only places may
// differ, and not by more than the widths allow.

#include "tests/frames/record_compare.h"

namespace frames {

/// How far places may be apart, in pixels.
struct Looseness {
    float place = 0;    ///< for any item
    float wrapped = 0;  ///< for any item on a frame where a line breaks elsewhere: what is below is a line or more lower
};
/// `ratio`: the larger width of the same words divided by the smaller one, 1 or more.
Looseness looseness_of(double ratio);

/// What letters of another width changed in a frame, as lines: "- fill #6D4AE0 r" is missing, "+ text #1F2533 body "more:""
/// is unexpected (without places; words one by one), "@ fill 10 20 40 40 #6D4AE0 r3" is further from its place than it may
/// be. Empty if everything is equal and in its place.
Record moved_by_widths(const Record& expected, const Record& found, Looseness looseness);

/// As changes(): the result of moved_by_widths() without the lines in `known`, which are known of these fonts (a label has
/// room here and is shortened there, a sum has one more term on its line), and the known lines that do not occur any more.
std::vector<Change> loose_changes(const Record& expected, const Record& found, Looseness looseness, const Record& known = {});

}  // namespace frames
