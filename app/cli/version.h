#pragma once
// The program's version, and what it was built with.

#include <iosfwd>
#include <string>
#include <string_view>

#include "app/content/program.h"

namespace app {

/// One line per part: program, Dear ImGui, OpenGL ("none" and the reason if there is no context), Eigen with the SIMD
/// instructions that it was compiled for, compiler.
std::string version_text();

}  // namespace app
