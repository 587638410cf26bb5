#include "core/io/file_checks.h"

#include <fmt/format.h>

#include <cerrno>
#include <system_error>

#include "core/io/safe_text.h"

namespace attn {

namespace {

/// Completes "The file cannot be opened: …" with the reason and, if there is one, the remedy.
std::string reason(int error_number) {
    switch (error_number) {
        case ENOENT:
            return "there is no such file or folder";
        case ENOTDIR:
            return "a part of its path is a file, not a folder";
        case EACCES:
        case EPERM:
            return "permission is denied";
        case EROFS:
            return "it lies on a disk that can only be read";
        case ENOSPC:
            return "the disk is full";
        case EDQUOT:
            return "your share of the disk (quota) is used up";
        case EFBIG:
            return "it would be larger than the disk, or the limit of files (ulimit -f), allows";
        case ENAMETOOLONG:
            return "its name is too long for this disk (255 bytes, as a rule)";
        case EISDIR:
            return "it is a folder";
        case ELOOP:
            return "its links lead in a circle";
        case EIO:
            return "the disk reports a fault";
        case EMFILE:
        case ENFILE:
            return "too many files are open";
        case EINVAL:
            return "the disk does not accept such a name";
        default:
            return std::generic_category().message(error_number);
    }
}

}  // namespace

Error file_error(const std::filesystem::path& path, std::string message) {
    return {std::move(message), visible_text(path.string()), {}, 0};
}

Error system_error(const std::filesystem::path& path, std::string_view doing, int error_number) {
    return file_error(path, fmt::format("The file cannot be {}: {}.", doing, reason(error_number)));
}

std::optional<std::string> refuse_kind(mode_t mode) {
    if (S_ISREG(mode)) return std::nullopt;
    if (S_ISDIR(mode)) return "This is a folder; a file is expected.";
    if (S_ISFIFO(mode)) return "This is a pipe (FIFO); a regular file is expected.";
    if (S_ISSOCK(mode)) return "This is a socket; a regular file is expected.";
    if (S_ISCHR(mode) || S_ISBLK(mode)) return "This is a device; a regular file is expected.";
    return "This is not a regular file.";
}

std::optional<Error> refuse_path(const std::filesystem::path& path) {
    if (path.empty()) return file_error(path, "The file's name is empty.");
    if (path.string().find('\0') != std::string::npos) return file_error(path, "The file's name holds a zero byte.");
    return std::nullopt;
}

}  // namespace attn
