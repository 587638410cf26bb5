// The main program of every test program: the framework's own, and what it lacks. A test that skips itself is not
// one that passed: all of them are named in the last line, "SKIPPED 2: A.B, C.D", and where CI is set each is a failure.
// A filter that no test fits is one, too.

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

/// Set to anything but nothing, 0 and false, as the services that run tests do.
bool in_ci() {
    const char* set = std::getenv("CI");
    const std::string_view value = set ? set : "";
    return !value.empty() && value != "0" && value != "false";
}

class SkipsAreTold : public testing::EmptyTestEventListener {
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
    // Properties try the same cases each time; RC_PARAMS=seed=N tries others, for a long search.
    ::setenv("RC_PARAMS", "seed=20260101", 0);
    testing::InitGoogleMock(&argc, argv);
    testing::UnitTest& tests = *testing::UnitTest::GetInstance();
    tests.listeners().Append(new SkipsAreTold);  // the framework's from here on
    const int status = RUN_ALL_TESTS();
    const bool sharded = std::getenv("GTEST_TOTAL_SHARDS") != nullptr;
    if (!sharded && !testing::GTEST_FLAG(list_tests) && tests.test_to_run_count() == 0) {
        std::fprintf(stderr, "no test fits the filter %s\n", testing::GTEST_FLAG(filter).c_str());
        return 1;
    }
    // The leak checker looks at every thread as the process ends, and trips over one of a driver that is just ending.
    if (sanitized()) std::this_thread::sleep_for(std::chrono::seconds(1));
    return status;
}
