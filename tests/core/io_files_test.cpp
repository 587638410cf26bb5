// The one writer of files: the whole file or nothing, whatever fails, memory included (bad-input rows 40, 41 and 43).
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <new>
#include <thread>

#include "core/io/files.h"
#include "tests/support/as_nobody.h"
#include "tests/support/refusing.h"

namespace attn {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

class Files : public ::testing::Test {
protected:
    void SetUp() override {
        std::string pattern = (fs::temp_directory_path() / "attn-files-XXXXXX").string();
        folder_ = ::mkdtemp(pattern.data());
    }
    void TearDown() override {
        fs::permissions(folder_, fs::perms::owner_all);
        fs::remove_all(folder_);
    }

    fs::path at(const std::string& name) const { return folder_ / name; }

    fs::path make(const std::string& name, std::string_view content) const {
        std::ofstream(at(name), std::ios::binary) << content;
        return at(name);
    }

    static std::string content(const fs::path& path) {
        const auto bytes = read_file(path, 1 << 20);
        return bytes.ok() ? *bytes : "(" + bytes.error().text() + ")";
    }

    std::size_t entries() const {
        return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
    }

    /// Expects that writing to `path` is refused with a message that contains `part`, and that nothing is left behind.
    void expect_refused(const fs::path& path, std::string_view part) const {
        const std::size_t before = entries();
        const auto done = atomic_write(path, "new");
        ASSERT_FALSE(done.ok()) << path;
        EXPECT_NE(done.error().message.find(part), std::string::npos) << done.error().text();
        EXPECT_EQ(entries(), before);
    }

    fs::path folder_;
};

TEST_F(Files, WritesAndReplaces) {
    const fs::path path = at("x.json");
    ASSERT_TRUE(atomic_write(path, "one").ok());
    EXPECT_EQ(content(path), "one");
    const std::string large(300'000, 'z');
    ASSERT_TRUE(atomic_write(path, large).ok());
    EXPECT_EQ(content(path), large);
    ASSERT_TRUE(atomic_write(path, "").ok());
    EXPECT_EQ(content(path), "");
    EXPECT_EQ(entries(), 1U);
}

TEST_F(Files, KeepsPermissions) {
    const fs::path path = make("x", "old");
    fs::permissions(path, fs::perms(0640));
    ASSERT_TRUE(atomic_write(path, "new").ok());
    EXPECT_EQ(fs::status(path).permissions(), fs::perms(0640));
    const mode_t before = ::umask(027);
    ASSERT_TRUE(atomic_write(at("y"), "new").ok());
    ::umask(before);
    EXPECT_EQ(fs::status(at("y")).permissions(), fs::perms(0640));
}

TEST_F(Files, WritesToARelativePath) {
    const fs::path before = fs::current_path();
    fs::current_path(folder_);
    const bool ok = atomic_write("plain", "x").ok();
    fs::current_path(before);
    EXPECT_TRUE(ok);
    EXPECT_EQ(content(at("plain")), "x");
}

TEST_F(Files, RefusesWhatIsNoRegularFile) {
    fs::create_directory(at("folder"));
    ASSERT_EQ(::mkfifo(at("pipe").c_str(), 0600), 0);
    expect_refused(at("folder"), "This is a folder");
    expect_refused(at("folder/"), "This is a folder");
    expect_refused(at("missing/"), "names a folder");
    expect_refused(at("pipe"), "pipe");
    expect_refused("/dev/full", "device");
    expect_refused("/dev/null", "device");
    expect_refused(at("missing/x"), "no such file or folder");
    expect_refused(make("plain", "") / "x", "is a file, not a folder");
    expect_refused("", "name is empty");
    expect_refused(fs::path(std::string("a\0b", 3)), "zero byte");
}

TEST_F(Files, FollowsLinksToRegularFilesOnly) {
    const fs::path real = make("real", "old");
    fs::create_symlink("real", at("link"));
    fs::create_symlink("link", at("second"));
    ASSERT_TRUE(atomic_write(at("second"), "new").ok());
    EXPECT_EQ(content(real), "new");
    EXPECT_TRUE(fs::is_symlink(at("second")) && fs::is_symlink(at("link")));
    const auto target = resolve_target(at("second"));
    ASSERT_TRUE(target.ok());
    EXPECT_TRUE(target->through_link && target->exists);
    EXPECT_EQ(target->path.filename(), "real");

    fs::create_symlink("nothing", at("dangling"));
    fs::create_symlink("circle", at("circle"));
    fs::create_symlink("/dev/null", at("device"));
    fs::create_directory_symlink(folder_, at("folder"));
    expect_refused(at("dangling"), "leads to nothing");
    expect_refused(at("circle"), "in a circle");
    expect_refused(at("device"), "device");
    expect_refused(at("folder"), "folder");
}

TEST_F(Files, AcceptsLongAndUnusualNames) {
    for (const std::string& name :
         {std::string(255, 'n'), std::string("two\nlines"), std::string("not\xFFutf8"), std::string(85 * 3, 'x')}) {
        ASSERT_TRUE(atomic_write(at(name), "x").ok()) << name;
        EXPECT_EQ(content(at(name)), "x");
    }
    expect_refused(at(std::string(256, 'n')), "name is too long");
    const auto missing = read_file(at("a\n\x1b[31m"), 10);
    EXPECT_EQ(missing.error().text().find_first_of("\n\x1b"), std::string::npos);
}

TEST_F(Files, RespectsReadOnly) {
    const fs::path path = make("x", "old");
    test_support::give_to_nobody(folder_);
    test_support::as_nobody([&] {
        fs::permissions(path, fs::perms(0444));
        expect_refused(path, "permission is denied");
        fs::permissions(folder_, fs::perms(0555));
        expect_refused(at("new"), "permission is denied");
        fs::permissions(folder_, fs::perms::owner_all);
    });
    EXPECT_EQ(content(path), "old");
}

TEST_F(Files, ReadsOnlyRegularFilesWithinTheLimit) {
    const auto refused = [](const fs::path& path, std::string_view part) {
        const auto bytes = read_file(path, 10);
        ASSERT_FALSE(bytes.ok()) << path;
        EXPECT_NE(bytes.error().message.find(part), std::string::npos) << bytes.error().text();
    };
    EXPECT_EQ(*read_file(make("ten", "0123456789"), 10), "0123456789");
    refused(make("eleven", "01234567890"), "at most 10 bytes");
    ASSERT_EQ(::mkfifo(at("pipe").c_str(), 0600), 0);
    refused(at("pipe"), "pipe");
    refused(folder_, "folder");
    refused("/dev/zero", "device");
    refused(at("none"), "no such file");
    refused("", "name is empty");
    if (fs::exists("/proc/cpuinfo")) refused("/proc/cpuinfo", "at most 10 bytes");  // claims 0 bytes, gives more
}

// --- faults ----------------------------------------------------------------------------------------------------------

/// Makes the n-th system call fail, once or from then on. Removing the temporary file fails only when a test says so:
/// if the disk refuses everything for ever, nothing can be cleaned up.
struct Faults {
    int fail_at = 0;
    bool for_ever = false;
    int error = EIO;
    int calls = 0;

    bool hit() {
        ++calls;
        const bool fails = for_ever ? calls >= fail_at : calls == fail_at;
        if (fails) errno = error;
        return fails;
    }

    FileOps ops() {
        const FileOps real;
        FileOps faulty;
        faulty.open = [this, real](const char* p, int f, mode_t m) { return hit() ? -1 : real.open(p, f, m); };
        faulty.write = [this, real](int fd, const void* b, std::size_t n) -> ssize_t {
            if (hit()) return -1;
            return real.write(fd, b, std::min<std::size_t>(n, 7));  // short writes, as a pipe or quota gives
        };
        faulty.chmod = [this, real](int fd, mode_t m) { return hit() ? -1 : real.chmod(fd, m); };
        faulty.fsync = [this, real](int fd) { return hit() ? -1 : real.fsync(fd); };
        faulty.close = [this, real](int fd) {
            const int saved = real.close(fd);  // closed in spite of the error, as Linux does
            return hit() ? -1 : saved;
        };
        faulty.rename = [this, real](const char* a, const char* b) { return hit() ? -1 : real.rename(a, b); };
        return faulty;
    }
};

class FaultyFiles : public Files, public ::testing::WithParamInterface<std::tuple<bool, int, bool>> {};

TEST_P(FaultyFiles, EveryFaultLeavesTheOldOrTheNewFile) {
    const auto [for_ever, error, exists] = GetParam();
    const std::string old_bytes = "the old bytes";
    const std::string new_bytes = "some new bytes, longer than the old ones";
    const fs::path path = at("target");
    bool succeeded = false;
    for (int n = 1; !succeeded && n < 100; ++n) {
        fs::remove(path);
        if (exists) make("target", old_bytes);
        Faults faults{.fail_at = n, .for_ever = for_ever, .error = error};
        const auto done = atomic_write(path, new_bytes, faults.ops());
        succeeded = faults.calls < n;
        EXPECT_EQ(done.ok(), succeeded) << "call " << n;
        const std::string now = fs::exists(path) ? content(path) : "(none)";
        const bool old_state = now == (exists ? old_bytes : "(none)");
        EXPECT_TRUE(old_state || now == new_bytes) << "call " << n << ": " << now;
        EXPECT_TRUE(!succeeded || now == new_bytes);
        EXPECT_EQ(entries(), fs::exists(path) ? 1U : 0U) << "call " << n << " left a temporary file";
    }
    EXPECT_TRUE(succeeded);
}

INSTANTIATE_TEST_SUITE_P(OneFaultAndAll, FaultyFiles,
                         ::testing::Combine(::testing::Bool(), ::testing::Values(EIO, ENOSPC, EDQUOT),
                                            ::testing::Bool()));

TEST_F(Files, InterruptedCallsAreTriedAgain) {
    for (int n = 1; n < 14; ++n) {
        Faults faults{.fail_at = n, .error = EINTR};
        const auto done = atomic_write(at("target"), "0123456789", faults.ops());
        EXPECT_EQ(entries(), fs::exists(at("target")) ? 1U : 0U);
        EXPECT_TRUE(!done.ok() || content(at("target")) == "0123456789");
    }
}

TEST_F(Files, AFullDiskIsReported) {
    FileOps ops;
    ops.write = [](int, const void*, std::size_t) -> ssize_t { return errno = ENOSPC, -1; };
    make("x", "old");
    const auto done = atomic_write(at("x"), "new", ops);
    EXPECT_EQ(done.error().message, "The file cannot be written: the disk is full.");
    EXPECT_EQ(content(at("x")), "old");
    // A real device that is always full, in place of the temporary file.
    ops = FileOps();
    ops.open = [](const char*, int flags, mode_t) { return ::open("/dev/full", flags & ~(O_CREAT | O_EXCL)); };
    ops.unlink = [](const char*) { return 0; };
    EXPECT_EQ(atomic_write(at("x"), "new", ops).error().message, "The file cannot be written: the disk is full.");
    EXPECT_EQ(content(at("x")), "old");
}

/// Writes while the `fault`th allocation fails. False: the write reported an error or threw.
bool writes_with(const fs::path& path, const std::string& bytes, int fault) {
    const test_support::Refusing refusing(fault);
    try {
        return atomic_write(path, bytes).ok();
    } catch (const std::bad_alloc&) {
        return false;
    }
}

TEST_F(Files, RefusedMemoryLeavesTheOldOrTheNewFile) {
    const fs::path path = at("a document with a name that takes memory of its own.json");
    const std::string before = "what stood here", after(5000, 'n');
    int refused = 0;
    for (int n = 1; n < 400; ++n) {
        make(path.filename(), before);
        const bool written = writes_with(path, after, n);
        const std::string now = content(path);
        EXPECT_TRUE(now == before || now == after) << n;
        EXPECT_TRUE(!written || now == after) << n;
        EXPECT_EQ(entries(), 1U) << "a file is left where allocation " << n << " fails";
        if (written) break;
        ++refused;
    }
    EXPECT_GE(refused, 3);
    EXPECT_EQ(content(path), after);
}

TEST_F(Files, ForeignTemporaryFilesAreAvoided) {
    FileOps ops;
    std::vector<std::string> tried;
    ops.open = [&](const char* path, int flags, mode_t mode) {
        if (tried.size() < 3 && (flags & O_EXCL)) {
            tried.emplace_back(path);
            return errno = EEXIST, -1;
        }
        return ::open(path, flags, mode);
    };
    EXPECT_TRUE(atomic_write(at("x"), "new", ops).ok());
    EXPECT_EQ(tried.size(), 3U);
    EXPECT_NE(tried[0], tried[1]);
}

TEST_F(Files, AKillLeavesTheOldOrTheNewFile) {
    const std::string a(200'000, 'a'), b(200'000, 'b');
    const fs::path path = at("x");
    ASSERT_TRUE(atomic_write(path, a).ok());
    for (int i = 0; i < 30; ++i) {
        const pid_t child = ::fork();
        ASSERT_GE(child, 0);
        if (child == 0) {
            for (;;) static_cast<void>(atomic_write(path, i % 2 ? a : b));
        }
        ::usleep(static_cast<useconds_t>(500 + 700 * i));
        ::kill(child, SIGKILL);
        ::waitpid(child, nullptr, 0);
        const std::string now = content(path);
        ASSERT_TRUE(now == a || now == b) << "torn after kill " << i;
    }
    sweep_stale_temps(folder_, 0s);
    EXPECT_EQ(entries(), 1U) << "the sweep takes what the killed ones left";
}

TEST_F(Files, CleanUpRemovesOnlyStaleFiles) {
    make(".attenscope-1-0.tmp", "stale");
    make("mine.tmp", "kept");
    make(".attenscope-notes", "kept");
    fs::create_directory(at(".attenscope-2-0.tmp"));
    EXPECT_EQ(sweep_stale_temps(folder_), 0) << "too young";
    bool swept_own = false;
    FileOps ops;
    ops.fsync = [&](int fd) {
        swept_own = swept_own || sweep_stale_temps(folder_, 0s) > 1;
        return ::fsync(fd);
    };
    EXPECT_TRUE(atomic_write(at("x"), "new", ops).ok()) << "a file that is being written is locked";
    EXPECT_FALSE(swept_own);
    EXPECT_FALSE(fs::exists(at(".attenscope-1-0.tmp")));
    EXPECT_EQ(entries(), 4U);
    EXPECT_EQ(sweep_stale_temps(at("missing"), 0s), 0);
}

TEST_F(Files, CleanUpRemovesAFileOfTheCurrentSecond) {
    using std::chrono::system_clock;
    const auto next = std::chrono::ceil<std::chrono::seconds>(system_clock::now());
    std::this_thread::sleep_until(next - 2ms);
    while (system_clock::now() < next + 20ms) {
        make(".attenscope-1-0.tmp", "stale");
        ASSERT_EQ(sweep_stale_temps(folder_, 0s), 1);
    }
}

}  // namespace
}  // namespace attn
