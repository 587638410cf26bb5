#include <fcntl.h>
#include <io.h>
#include <sys/stat.h>
#include <unistd.h>

#define NOMINMAX
#define WIN32_LEAN_AND_MEAN
#include <windows.h>

#include <algorithm>
#include <cerrno>
#include <limits>
#include <system_error>

namespace {

/// Sets errno from the last Windows error; returns −1.
int failed() {
    const std::error_condition known = std::system_category().default_error_condition(static_cast<int>(GetLastError()));
    errno = known.category() == std::generic_category() ? known.value() : EIO;
    return -1;
}

HANDLE handle_of(int fd) { return reinterpret_cast<HANDLE>(_get_osfhandle(fd)); }

/// A lock blocks reads and writes of its range, so it is set on a byte far beyond the content.
OVERLAPPED far_behind() {
    OVERLAPPED place{};
    place.OffsetHigh = 0x7FFFFFFF;
    return place;
}

bool is_folder(DWORD attributes) { return attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_DIRECTORY) != 0; }

}  // namespace

int open(const wchar_t* path, int flags, int) {
    if ((flags & O_DIRECTORY) != 0) return errno = EACCES, -1;
    const bool writes = (flags & (O_WRONLY | O_RDWR)) != 0;
    const DWORD how = (flags & O_CREAT) == 0 ? OPEN_EXISTING : (flags & O_EXCL) != 0 ? CREATE_NEW : OPEN_ALWAYS;
    // Like elsewhere, an open file may be renamed and removed.
    const HANDLE file = CreateFileW(path, writes ? GENERIC_READ | GENERIC_WRITE : GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                                    nullptr, how, FILE_ATTRIBUTE_NORMAL, nullptr);
    if (file == INVALID_HANDLE_VALUE) {
        failed();
        if (errno == EACCES && is_folder(GetFileAttributesW(path))) errno = EISDIR;
        return -1;
    }
    const int fd = _open_osfhandle(reinterpret_cast<intptr_t>(file), _O_BINARY | _O_NOINHERIT | (writes ? 0 : _O_RDONLY));
    if (fd < 0) CloseHandle(file);
    return fd;
}

int access(const wchar_t* path, int mode) { return _waccess(path, mode); }
int faccessat(int, const wchar_t* path, int mode, int) { return access(path, mode); }
int rename(const wchar_t* from, const wchar_t* to) {
    return MoveFileExW(from, to, MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH) != 0 ? 0 : failed();
}
int unlink(const wchar_t* path) { return DeleteFileW(path) != 0 ? 0 : failed(); }
int mkdir(const wchar_t* path, int) { return _wmkdir(path); }
int stat(const wchar_t* path, struct _stat64* out) { return _wstat64(path, out); }

int lstat(const wchar_t* path, struct _stat64* out) {
    WIN32_FIND_DATAW found{};
    const HANDLE search = FindFirstFileW(path, &found);
    if (search != INVALID_HANDLE_VALUE) FindClose(search);
    const bool link = search != INVALID_HANDLE_VALUE && (found.dwFileAttributes & FILE_ATTRIBUTE_REPARSE_POINT) != 0 &&
                      found.dwReserved0 == IO_REPARSE_TAG_SYMLINK;
    if (!link) return _wstat64(path, out);
    *out = {};
    out->st_mode = static_cast<unsigned short>(S_IFLNK);
    return 0;
}

ssize_t pread(int fd, void* bytes, std::size_t count, long long offset) {
    OVERLAPPED place{};
    place.Offset = static_cast<DWORD>(offset);
    place.OffsetHigh = static_cast<DWORD>(offset >> 32);
    const auto most = static_cast<DWORD>(std::min<std::size_t>(count, std::numeric_limits<int>::max()));
    DWORD got = 0;
    if (ReadFile(handle_of(fd), bytes, most, &got, &place) != 0 || GetLastError() == ERROR_HANDLE_EOF) return got;
    return failed();
}

int fsync(int fd) { return FlushFileBuffers(handle_of(fd)) != 0 ? 0 : failed(); }

int flock(int fd, int) {
    OVERLAPPED place = far_behind();
    return LockFileEx(handle_of(fd), LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &place) != 0 ? 0 : failed();
}

int fchmod(int, int) { return 0; }
int fchown(int, uid_t, gid_t) { return errno = EPERM, -1; }
uid_t geteuid() { return 0; }
