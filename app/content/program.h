#pragma once
// What this program is.

#include <string_view>

namespace app {

/// As in CMakeLists.txt (a test compares them).
inline constexpr std::string_view kVersion = "0.1.0";
/// How files name the program that wrote them.
inline constexpr std::string_view kProgram = "attenscope 0.1.0";

}  // namespace app
