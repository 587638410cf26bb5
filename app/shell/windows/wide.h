#pragma once
// Strings for Windows.

#include <filesystem>
#include <string>
#include <string_view>

namespace app {

/// UTF-8 to UTF-16.
inline std::wstring wide(std::string_view text) { return std::filesystem::path(text).wstring(); }
/// The path of this program.
std::wstring own_file();

}  // namespace app
