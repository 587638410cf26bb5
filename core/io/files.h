#pragma once
// The only code that reads and writes files. Everything else takes and returns bytes.

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace attn {

/// The system calls used for writing, so that tests can make the n-th of them fail. The defaults are the real ones;
/// each returns what the system call returns and sets errno.
struct FileOps {
    FileOps();

    using Path = const std::filesystem::path::value_type*;

    std::function<int(Path path, int flags, mode_t mode)> open;
    std::function<ssize_t(int fd, const void* bytes, std::size_t count)> write;
    std::function<int(int fd, mode_t mode)> chmod;
    std::function<int(int fd)> fsync;
    std::function<int(int fd)> close;
    std::function<int(Path from, Path to)> rename;
    std::function<int(Path path)> unlink;
};

/// The whole content of a regular file of at most `max_bytes`. Directories, pipes, sockets and devices are refused
/// without waiting on them, each with its own message; so is a file that grows past the limit while it is read.
Result<std::string> read_file(const std::filesystem::path& path, std::size_t max_bytes);

/// Where a write to `path` would really go, so that a front end can ask before it overwrites something.
struct WriteTarget {
    std::filesystem::path path;  ///< the regular file itself: links followed
    bool exists = false;
    bool through_link = false;
};

/// Refuses what atomic_write refuses. A symbolic link is followed if it ends at a regular file: whoever keeps a
/// document behind a link wants the document replaced, not the link. A dangling link is refused, and so is one that
/// another user (except root) created: in a shared folder, such a link can trick a user into overwriting their own
/// files.
Result<WriteTarget> resolve_target(const std::filesystem::path& path);

/// Replaces the content of a file, or creates it: creates a temporary file next to it exclusively, writes it whole,
/// flushes it to disk, closes it, renames it over the target, and flushes the folder. Whatever fails, and whenever the
/// program is killed, the target holds the old bytes or the new ones, never a mixture; on failure no temporary file is
/// left. An existing file keeps its permissions; a read-only one, a directory, a pipe, a socket and a device are
/// refused. (Other names of a hard-linked file keep the old content.)
Result<Done> atomic_write(const std::filesystem::path& path, std::string_view bytes, const FileOps& ops = {});

/// Removes temporary files at least `min_age` old that killed runs of atomic_write left in `folder`, and returns how
/// many. One that a running program is still writing is locked and stays. Missing or unreadable folders count 0.
int sweep_stale_temps(const std::filesystem::path& folder, std::chrono::seconds min_age = std::chrono::seconds(60));

}  // namespace attn
