#pragma once
// Words of Windows.

#include <filesystem>
#include <string>
#include <string_view>

namespace app {

/// UTF-16 of UTF-8.
inline std::wstring wide(std::string_view text) { return std::filesystem::path(text).wstring(); }
/// The path of this very program.
std::wstring own_file();

}  // namespace app
