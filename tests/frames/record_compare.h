#pragma once
// Two records of a frame: the expected one and the one found.

#include <string>
#include <vector>

#include "tests/frames/record.h"

namespace frames {

/// Whether two lines are equal. Everything that is not a number must be exactly equal; numbers may differ by one unit of the
/// last written place, channels of colours and cells of maps by one of their 256 levels: a value's last bit may be rounded to
/// either side.
bool same_line(std::string_view one, std::string_view other);

/// A line that is missing, one that is unexpected, or one that was replaced by another.
struct Change {
    std::string expected, found;  ///< empty: none
    /// Of a row of cells, also which cells differ.
    std::string text() const;
};

/// In order. A line in the place of an expected one is one change if both are of one kind.
std::vector<Change> changes(const Record& expected, const Record& found);

/// The first changes in words, and the number of the others; empty if there are none.
std::string text_of_changes(const std::vector<Change>& changes);

/// The longest matching of lines, in order: for each line of `expected` the line of `found`, −1 for none.
std::vector<int> matched(const Record& expected, const Record& found, bool (*same)(std::string_view, std::string_view));

}  // namespace frames
