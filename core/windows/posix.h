#pragma once
// What the sources need of POSIX and Windows' C library lacks, or has for narrow file names only: file names are wide
// here, as in std::filesystem. The headers in core/windows/include provide it under the POSIX names.

#include <sys/types.h>

#include <cstddef>

struct _stat64;

using uid_t = unsigned;
using gid_t = unsigned;

// These flags have no effect: no process inherits a file, no name is a terminal, and nothing waits for a pipe.
constexpr int O_CLOEXEC = 0, O_NOCTTY = 0, O_NOFOLLOW = 0, O_NONBLOCK = 0;
constexpr int O_DIRECTORY = 0x100000;  ///< refused like an unreadable folder: renaming flushes to disk by itself
constexpr int S_IFLNK = 0xA000, S_IFSOCK = 0xC000;
constexpr int S_ISUID = 04000, S_ISGID = 02000;
constexpr bool S_ISLNK(int mode) { return (mode & 0xF000) == S_IFLNK; }
constexpr bool S_ISSOCK(int mode) { return (mode & 0xF000) == S_IFSOCK; }
constexpr int LOCK_EX = 2, LOCK_NB = 4;
constexpr int EDQUOT = 10069;  // value of the socket error
constexpr int AT_FDCWD = -100, AT_EACCESS = 0x200;
constexpr int RTLD_LAZY = 1, RTLD_NOLOAD = 4;

int open(const wchar_t* path, int flags, int mode = 0);
int access(const wchar_t* path, int mode);
int faccessat(int folder, const wchar_t* path, int mode, int flags);
int rename(const wchar_t* from, const wchar_t* to);
int unlink(const wchar_t* path);
int mkdir(const wchar_t* path, int mode);
/// Of the file that a link points to, or of the link.
int stat(const wchar_t* path, struct _stat64* out);
int lstat(const wchar_t* path, struct _stat64* out);

ssize_t pread(int fd, void* bytes, std::size_t count, long long offset);
int fsync(int fd);
int flock(int fd, int how);
/// Permissions are inherited from the folder, and the owner does not change.
int fchmod(int fd, int mode);
int fchown(int fd, uid_t user, gid_t group);
/// The owner that stat() reports for all files.
uid_t geteuid();

/// `replace` is ignored: a variable that is set keeps its value.
int setenv(const char* name, const char* value, int replace);

inline void* dlopen(const char*, int) { return nullptr; }
inline void* dlsym(void*, const char*) { return nullptr; }
