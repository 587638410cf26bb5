// The main program of every test program: GoogleTest's own, with additions. A skipped test is not a passed one: the
// last line names all of them, "SKIPPED 2: A.B, C.D", and where CI is set each counts as a failure. A filter that
// matches no test is a failure, too.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "tests/support/under_test.h"

namespace {

/// Whether CI is set to anything but the empty string, 0 or false, as services that run tests set it.
bool in_ci() {
    const char* set = std::getenv("CI");
    const std::string_view value = set ? set : "";
    return !value.empty() && value != "0" && value != "false";
}

class SkipReport : public testing::EmptyTestEventListener {
public:
    void OnTestEnd(const testing::TestInfo& test) override {
        if (!test.result()->Skipped()) return;
        names_.push_back(std::string(test.test_suite_name()) + "." + test.name());
        if (in_ci()) ADD_FAILURE() << "skipped, and nothing may be skipped where CI is set";
    }
    void OnTestProgramEnd(const testing::UnitTest&) override {
        if (names_.empty()) return;
        std::printf("SKIPPED %zu:", names_.size());
        for (const std::string& name : names_) std::printf("%s %s", &name == names_.data() ? "" : ",", name.c_str());
        std::printf("\n");
    }

private:
    std::vector<std::string> names_;
};

}  // namespace

int main(int argc, char** argv) {
    // Properties try the same cases in each run; RC_PARAMS=seed=N tries others, for a long search.
    ::setenv("RC_PARAMS", "seed=20260101", 0);
    testing::InitGoogleMock(&argc, argv);
    testing::UnitTest& tests = *testing::UnitTest::GetInstance();
    tests.listeners().Append(new SkipReport);    // GoogleTest owns it from here on
    const int status = RUN_ALL_TESTS();
    const bool sharded = std::getenv("GTEST_TOTAL_SHARDS") != nullptr;
    if (!sharded && !testing::GTEST_FLAG(list_tests) && tests.test_to_run_count() == 0) {
        std::fprintf(stderr, "no test fits the filter %s\n", testing::GTEST_FLAG(filter).c_str());
        return 1;
    }
    // The leak checker inspects every thread at exit, and fails on a driver's thread that is just ending.
    if (sanitized()) std::this_thread::sleep_for(std::chrono::seconds(1));
    return status;
}
