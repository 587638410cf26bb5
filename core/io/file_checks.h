#pragma once
// Messages about files that cannot be opened. Internal to files.cpp and write_file.cpp.

#include <sys/stat.h>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace attn {

/// `message` with the path as its place, its control characters made visible.
Error file_error(const std::filesystem::path& path, std::string message);

/// "The file cannot be opened: there is no such file." `doing` completes "The file cannot be …".
Error system_error(const std::filesystem::path& path, std::string_view doing, int error_number);

/// A message for anything but a regular file.
std::optional<std::string> refuse_kind(mode_t mode);

/// Refuses paths that the system would silently truncate or misread.
std::optional<Error> refuse_path(const std::filesystem::path& path);

}  // namespace attn
