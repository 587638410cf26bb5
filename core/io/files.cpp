#include "core/io/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "core/io/file_checks.h"

namespace attn {

namespace {

/// A descriptor for reading; a failing close() loses nothing.
class ReadHandle {
public:
    explicit ReadHandle(int fd) : fd_(fd) {}
    ~ReadHandle() {
        if (fd_ >= 0) ::close(fd_);
    }
    ReadHandle(const ReadHandle&) = delete;
    ReadHandle& operator=(const ReadHandle&) = delete;

    int get() const { return fd_; }

private:
    int fd_;
};

Error too_large(const std::filesystem::path& path, std::size_t max_bytes) {
    return file_error(path, fmt::format("The file is too large: at most {} bytes are read.", max_bytes));
}

Result<std::string> read_all(int fd, const std::filesystem::path& path, std::size_t expected, std::size_t max_bytes) {
    std::string out;
    out.reserve(expected);
    std::array<char, 65536> piece;
    for (;;) {
        const ssize_t got = ::read(fd, piece.data(), piece.size());
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return system_error(path, "read", errno);
        if (got == 0) return out;
        if (static_cast<std::size_t>(got) > max_bytes - out.size()) return too_large(path, max_bytes);
        out.append(piece.data(), static_cast<std::size_t>(got));
    }
}

}  // namespace

Result<std::string> read_file(const std::filesystem::path& path, std::size_t max_bytes) {
    if (auto refused = refuse_path(path)) return *std::move(refused);
    // Non-blocking: opening a pipe without a writer would otherwise wait for ever.
    const ReadHandle file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
    if (file.get() < 0) {
        const int failed = errno;
        struct stat info {};
        if (failed == ENXIO && ::stat(path.c_str(), &info) == 0)  // what open() reports for a socket
            if (auto refused = refuse_kind(info.st_mode)) return file_error(path, *refused);
        return system_error(path, "opened", failed);
    }
    struct stat info {};
    if (::fstat(file.get(), &info) != 0) return system_error(path, "read", errno);
    if (auto refused = refuse_kind(info.st_mode)) return file_error(path, *std::move(refused));
    if (info.st_size > 0 && static_cast<std::size_t>(info.st_size) > max_bytes) return too_large(path, max_bytes);
    return read_all(file.get(), path, static_cast<std::size_t>(std::max<off_t>(info.st_size, 0)), max_bytes);
}

}  // namespace attn
