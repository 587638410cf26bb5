#pragma once
// What this program is and what it was made with.

#include <iosfwd>
#include <string>
#include <string_view>

namespace app {

/// As in CMakeLists.txt (a test compares them).
inline constexpr std::string_view kVersion = "0.1.0";
/// How files name the program that wrote them.
inline constexpr std::string_view kProgram = "attenscope 0.1.0";

/// One line a part: program, Dear ImGui, OpenGL ("none" and why, where no context can be had), Eigen and the SIMD
/// instructions that it was compiled for, compiler.
std::string version_text();

}  // namespace app
