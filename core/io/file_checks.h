#pragma once
// Sentences about files that cannot be opened. Internal to files.cpp and write_file.cpp.

#include <sys/stat.h>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace attn {

/// `message` with the path as its place, shown so that no character of it can act.
Error file_error(const std::filesystem::path& path, std::string message);

/// "The file cannot be opened: there is no such file." `doing` finishes "The file cannot be …".
Error system_error(const std::filesystem::path& path, std::string_view doing, int error_number);

/// A sentence for anything but a regular file.
std::optional<std::string> refuse_kind(mode_t mode);

/// Paths that the system would silently cut short or take for another.
std::optional<Error> refuse_path(const std::filesystem::path& path);

}  // namespace attn
