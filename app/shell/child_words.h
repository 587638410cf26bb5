#pragma once
// What a child says: its progress on one stream, what went wrong on the other.

#include <string>
#include <string_view>

#include "app/shell/child.h"

namespace app {

struct ChildWords {
    std::string line, said;

    /// More of its standard output: lines "progress 0.5" are told to the job.
    void hear(std::string_view more, const ChildJob& job);
    /// More of its standard error.
    void hear_error(std::string_view more);
    /// The last line of its standard error, without the program's name and the line feed.
    std::string last_line() const;
};

}  // namespace app
