#pragma once
// A file that was written for the user is handed over: on a desktop it lies where it was asked for, and a page of a
// browser downloads it.

#include <string>

namespace app {

void deliver(const std::string& path);

}  // namespace app
