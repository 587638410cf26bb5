#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <optional>
#include <system_error>

#include "core/io/file_checks.h"
#include "core/io/files.h"

namespace attn {

namespace {

namespace fs = std::filesystem;

// An independent name rather than the target's plus an ending: a target may already use all 255 bytes of a name.
constexpr std::string_view kTempPrefix = ".attenscope-";
constexpr std::string_view kTempSuffix = ".tmp";
constexpr int kTempTries = 100;
constexpr mode_t kNewFileMode = 0666;  // minus the umask
constexpr mode_t kPermissionBits = 07777;
constexpr mode_t kRunAsOther = S_ISUID | S_ISGID;

fs::path folder_of(const fs::path& file) {
    const fs::path parent = file.parent_path();
    return parent.empty() ? fs::path(".") : parent;
}

/// A temporary file next to the target. Unless renamed, it is closed and removed when it goes out of scope.
class TempFile {
public:
    explicit TempFile(const FileOps& ops) : ops_(ops) {}
    ~TempFile() {
        if (fd_ >= 0) ops_.close(fd_);
        if (!path_.empty()) ops_.unlink(path_.c_str());
    }
    TempFile(const TempFile&) = delete;
    TempFile& operator=(const TempFile&) = delete;

    /// All return 0 or an errno.
    int create(const fs::path& folder, mode_t mode);
    int write_all(std::string_view bytes);
    int take_over(const struct stat& old);
    int flush();
    int close();
    int rename_to(const fs::path& target);

private:
    const FileOps& ops_;
    fs::path path_;
    int fd_ = -1;
};

int TempFile::create(const fs::path& folder, mode_t mode) {
    for (int attempt = 0; attempt < kTempTries; ++attempt) {
        fs::path path = folder / fmt::format("{}{}-{}{}", kTempPrefix, ::getpid(), attempt, kTempSuffix);
        fd_ = ops_.open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode);
        if (fd_ >= 0) {
            path_ = std::move(path);  // copying could run out of memory, and the file to remove would be unknown
            // Tells sweep_stale_temps that this file is in use. On file systems without locks this fails, but the
            // sweep's lock fails as well, and it leaves the file.
            static_cast<void>(::flock(fd_, LOCK_EX | LOCK_NB));
            return 0;
        }
        if (errno != EEXIST && errno != EINTR) return errno;
    }
    return EEXIST;
}

int TempFile::write_all(std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t written = ops_.write(fd_, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return errno;
        if (written == 0) return EIO;  // nothing written and no reason given: do not loop
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return 0;
}

/// Gives the temporary file the owner (if permitted) and the permissions of the file that it replaces.
int TempFile::take_over(const struct stat& old) {
    // Matters when root saves a user's file. Others may not give files away; the file is then the writer's.
    const bool owned = ::fchown(fd_, old.st_uid, old.st_gid) == 0;
    const mode_t mode = old.st_mode & (owned ? kPermissionBits : kPermissionBits & ~kRunAsOther);
    return ops_.chmod(fd_, mode) == 0 ? 0 : errno;
}

int TempFile::flush() {
    while (ops_.fsync(fd_) != 0)
        if (errno != EINTR) return errno;
    return 0;
}

int TempFile::close() {
    const int fd = fd_;
    fd_ = -1;  // on Linux the descriptor is closed even if close() fails: a second try could close another's
    return ops_.close(fd) == 0 || errno == EINTR ? 0 : errno;
}

int TempFile::rename_to(const fs::path& target) {
    if (ops_.rename(path_.c_str(), target.c_str()) != 0) return errno;
    path_.clear();
    return 0;
}

/// Makes the rename itself survive a power failure. Some file systems cannot flush a folder and return EINVAL.
int flush_folder(const fs::path& folder, const FileOps& ops) {
    const int fd = ops.open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
    if (fd < 0) return errno == EACCES ? 0 : errno;  // a folder may be writable but not readable
    int failed = 0;
    while (ops.fsync(fd) != 0) {
        if (errno == EINTR) continue;
        failed = errno == EINVAL || errno == ENOTSUP ? 0 : errno;
        break;
    }
    if (ops.close(fd) != 0 && errno != EINTR && failed == 0) failed = errno;
    return failed;
}

/// The target of a link, or why it is not followed.
Result<fs::path> follow_link(const fs::path& link, uid_t owner) {
    if (owner != ::geteuid() && owner != 0)
        return file_error(link, "This is a link that another user has laid; it is not followed.");
    std::error_code failed;
    fs::path end = fs::canonical(link, failed);
    if (!failed) return end;
    if (failed == std::errc::no_such_file_or_directory) return file_error(link, "This is a link that leads to nothing.");
    return system_error(link, "written", failed.default_error_condition().value());
}

std::optional<Error> refuse_existing(const fs::path& path, const fs::path& file) {
    struct stat info {};
    if (::stat(file.c_str(), &info) != 0) return system_error(path, "written", errno);
    if (auto refused = refuse_kind(info.st_mode)) return file_error(path, *std::move(refused));
    // A rename needs permission on the folder, not on the file; but a read-only file is meant to be left alone.
    if (::faccessat(AT_FDCWD, file.c_str(), W_OK, AT_EACCESS) != 0) return system_error(path, "written", errno);
    return std::nullopt;
}

/// All steps up to the rename. Returns 0 or an errno.
int replace(const WriteTarget& target, std::string_view bytes, const FileOps& ops) {
    struct stat old {};
    if (target.exists && ::stat(target.path.c_str(), &old) != 0) return errno;
    TempFile temp(ops);
    // Private until it has the old file's permissions, which may be narrower than a new file's.
    int failed = temp.create(folder_of(target.path), target.exists ? 0600 : kNewFileMode);
    if (failed == 0) failed = temp.write_all(bytes);
    if (failed == 0 && target.exists) failed = temp.take_over(old);
    if (failed == 0) failed = temp.flush();
    if (failed == 0) failed = temp.close();
    if (failed == 0) failed = temp.rename_to(target.path);
    return failed;
}

bool is_temp_name(std::string_view name) { return name.starts_with(kTempPrefix) && name.ends_with(kTempSuffix); }

/// The current time in seconds. Not std::time(): its clock ticks every few milliseconds, and a file written since its
/// last tick would seem to come from the future.
std::time_t seconds_now() {
    return std::chrono::system_clock::to_time_t(std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now()));
}

bool remove_if_stale(const fs::path& path, std::chrono::seconds min_age) {
    const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (fd < 0) return false;
    struct stat info {};
    const bool stale = ::fstat(fd, &info) == 0 && S_ISREG(info.st_mode) &&
                       seconds_now() - info.st_mtime >= min_age.count() && ::flock(fd, LOCK_EX | LOCK_NB) == 0;
    const bool removed = stale && ::unlink(path.c_str()) == 0;
    ::close(fd);
    return removed;
}

}  // namespace

FileOps::FileOps()
    : open([](Path path, int flags, mode_t mode) { return ::open(path, flags, mode); }),
      write([](int fd, const void* bytes, std::size_t count) { return ::write(fd, bytes, count); }),
      chmod([](int fd, mode_t mode) { return ::fchmod(fd, mode); }),
      fsync([](int fd) { return ::fsync(fd); }),
      close([](int fd) { return ::close(fd); }),
      rename([](Path from, Path to) { return ::rename(from, to); }),
      unlink([](Path path) { return ::unlink(path); }) {}

Result<WriteTarget> resolve_target(const fs::path& path) {
    if (auto refused = refuse_path(path)) return *std::move(refused);
    WriteTarget target{path, false, false};
    struct stat info {};
    if (::lstat(path.c_str(), &info) != 0) {
        if (errno != ENOENT) return system_error(path, "written", errno);
        if (!path.has_filename()) return file_error(path, "This names a folder; a file is expected.");
        return target;  // a missing folder is reported when the file is created
    }
    target.exists = true;
    if (S_ISLNK(info.st_mode)) {
        auto end = follow_link(path, info.st_uid);
        if (!end) return end.error();
        target.path = *std::move(end);
        target.through_link = true;
    }
    if (auto refused = refuse_existing(path, target.path)) return *std::move(refused);
    return target;
}

Result<Done> atomic_write(const fs::path& path, std::string_view bytes, const FileOps& ops) {
    const Result<WriteTarget> target = resolve_target(path);
    if (!target) return target.error();
    if (const int failed = replace(*target, bytes, ops); failed != 0) return system_error(path, "written", failed);
    if (const int failed = flush_folder(folder_of(target->path), ops); failed != 0)
        return system_error(path, "secured against a power cut, though it is written", failed);
    return Done{};
}

int sweep_stale_temps(const fs::path& folder, std::chrono::seconds min_age) {
    int removed = 0;
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
        if (is_temp_name(entry->path().filename().string()) && remove_if_stale(entry->path(), min_age)) ++removed;
    return removed;
}

}  // namespace attn
