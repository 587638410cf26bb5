#pragma once
// What this program is and what it was made with.

#include <iosfwd>
#include <string>
#include <string_view>

#include "app/content/program.h"

namespace app {

/// One line a part: program, Dear ImGui, OpenGL ("none" and why, where no context can be had), Eigen and the SIMD
/// instructions that it was compiled for, compiler.
std::string version_text();

}  // namespace app
