#include "tests/support/as_nobody.h"

#include <grp.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <exception>

namespace test_support {
namespace {

constexpr uid_t kNobody = 65534;

/// Takes on the ids of nobody for good: a process without privileges cannot get its old ids back.
bool become_nobody() {
    return ::setgroups(0, nullptr) == 0 && ::setresgid(kNobody, kNobody, kNobody) == 0 &&
           ::setresuid(kNobody, kNobody, kNobody) == 0 && ::geteuid() == kNobody;
}

[[noreturn]] void run_and_leave(const std::function<void()>& check) {
    int status = 0;
    if (!become_nobody()) {
        std::printf("the superuser's rights could not be given up\n");
        status = 1;
    } else {
        try {
            check();
            status = testing::Test::HasFailure() ? 1 : 0;
        } catch (const std::exception& error) {
            std::printf("thrown: %s\n", error.what());
            status = 1;
        }
    }
    std::fflush(stdout);
    ::_exit(status);
}

}  // namespace

void as_nobody(const std::function<void()>& check) {
    if (::geteuid() != 0) return check();
    std::fflush(stdout);
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) run_and_leave(check);
    int status = -1;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << "as nobody: see above, status " << status;
}

void give_to_nobody(const std::filesystem::path& folder) {
    if (::geteuid() != 0) return;
    EXPECT_EQ(::lchown(folder.c_str(), kNobody, kNobody), 0);
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
        EXPECT_EQ(::lchown(entry.path().c_str(), kNobody, kNobody), 0) << entry.path();
}

}  // namespace test_support
