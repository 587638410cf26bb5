#pragma once
// Delivers a file written for the user: on a desktop it is already where it was requested, and a browser page downloads
// it.

#include <string>

namespace app {

void deliver(const std::string& path);

}  // namespace app
