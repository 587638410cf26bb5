#pragma once
// The output of a child process: its progress on one stream, its errors on the other.

#include <string>
#include <string_view>

#include "app/shell/child.h"

namespace app {

struct ChildWords {
    std::string line, said;

    /// More of its standard output: lines "progress 0.5" are passed to the job.
    void hear(std::string_view more, const ChildJob& job);
    /// More of its standard error.
    void hear_error(std::string_view more);
    /// The last line of its standard error, without the program's name and the line feed.
    std::string last_line() const;
};

}  // namespace app
