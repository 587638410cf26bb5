#pragma once
// Two records of a frame: what is expected of it and what was found in it.

#include <string>
#include <vector>

#include "tests/frames/record.h"

namespace frames {

/// Whether two lines say the same. Words and everything that is not a number must be the same to the letter; numbers
/// may be one unit of the last place that is written apart, channels of colours and cells of maps one of their 256
/// levels: a value's last bit may be rounded to either side.
bool same_line(std::string_view one, std::string_view other);

/// A line that is expected and not there, one that is there and not expected, or one that became another.
struct Change {
    std::string expected, found;  ///< empty: none
    /// Of a row of cells, which of them differ, too.
    std::string text() const;
};

/// In order. A line that is where another was expected is one change where both are of one kind.
std::vector<Change> changes(const Record& expected, const Record& found);

/// The first of them in words, and how many more; empty where there are none.
std::string told(const std::vector<Change>& changes);

/// The matching of lines that keeps the most, in order: which line of `found` each of `expected` is, −1 for none.
std::vector<int> matched(const Record& expected, const Record& found, bool (*same)(std::string_view, std::string_view));

}  // namespace frames
