// Work on a separate thread: only the newest job counts, and dropped jobs never report a result.
#include "app/state/latest.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "app/state/runner.h"
#include "tests/support/refusing.h"

namespace app {
namespace {

TEST(LatestOnly, HasNothingBeforeARequest) {
    LatestOnly<int> job;
    EXPECT_FALSE(job.busy());
    EXPECT_FALSE(job.take());
    job.wait();
    job.drop();
}

TEST(LatestOnly, ComputesARequestOnce) {
    LatestOnly<int> job;
    std::atomic<int> woken = 0;
    job.on_ready([&](JobEnd) { ++woken; });
    job.ask([](const std::stop_token&) { return 7; });
    job.wait();
    EXPECT_TRUE(job.ready());
    EXPECT_EQ(job.take(), 7);
    EXPECT_FALSE(job.take());
    EXPECT_EQ(woken, 1);
}

/// The first job is cancelled, and its result is discarded.
TEST(LatestOnly, OnlyTheNewestCounts) {
    LatestOnly<int> job;
    std::atomic<bool> begun = false;
    job.ask([&](const std::stop_token& stop) {
        begun = true;
        while (!stop.stop_requested()) std::this_thread::yield();
        return 1;
    });
    while (!begun) std::this_thread::yield();
    job.ask([](const std::stop_token&) { return 2; });
    job.wait();
    EXPECT_EQ(job.take(), 2);
    EXPECT_FALSE(job.ready());
}

/// Finished parts of a result can be taken before the rest, and the whole still arrives.
TEST(LatestOnly, GivesPartialResults) {
    LatestOnly<int> job;
    std::atomic<int> woken = 0;
    std::atomic<bool> seen = false;
    job.on_ready([&](JobEnd) { ++woken; });
    job.ask_by_parts([&](const std::stop_token&, const LatestOnly<int>::SoFar& so_far) {
        so_far(3);
        while (!seen) std::this_thread::yield();
        return 7;
    });
    std::optional<int> part;
    while (!(part = job.take())) std::this_thread::yield();
    EXPECT_EQ(part, 3);
    EXPECT_TRUE(job.busy());
    seen = true;
    job.wait();
    EXPECT_EQ(job.take(), 7);
    EXPECT_EQ(woken, 2);
}

/// A job that is no longer needed reports nothing, however far it is.
TEST(LatestOnly, PartsOfDroppedJobsNeverArrive) {
    LatestOnly<int> job;
    std::atomic<bool> begun = false, notified = false;
    job.ask_by_parts([&](const std::stop_token& stop, const LatestOnly<int>::SoFar& so_far) {
        begun = true;
        while (!stop.stop_requested()) std::this_thread::yield();
        so_far(1);
        notified = true;
        return 1;
    });
    while (!begun) std::this_thread::yield();
    job.drop();
    while (!notified) std::this_thread::yield();
    job.wait();
    EXPECT_FALSE(job.take());
}

TEST(LatestOnly, DroppedJobsNeverArrive) {
    LatestOnly<int> job;
    job.ask([](const std::stop_token& stop) {
        while (!stop.stop_requested()) std::this_thread::yield();
        return 1;
    });
    job.drop();
    EXPECT_FALSE(job.busy());
    job.wait();
    EXPECT_FALSE(job.take());
}

TEST(LatestOnly, CanBeDestroyedWhileItWorks) {
    LatestOnly<int> job;
    job.ask([](const std::stop_token& stop) {
        while (!stop.stop_requested()) std::this_thread::yield();
        return 1;
    });
}

TEST(Worker, RunsOneJobAfterTheOther) {
    Worker worker;
    std::string done;
    for (const char letter : {'a', 'b', 'c'})
        worker.add([&done, letter](const std::stop_token&) -> Worker::Keep { return [&done, letter] { done += letter; }; });
    worker.wait();
    EXPECT_FALSE(worker.busy());
    EXPECT_EQ(done, "abc");
}

/// Neither the job in progress nor the waiting ones are kept.
TEST(Worker, ForgetsDroppedJobs) {
    Worker worker;
    std::atomic<bool> begun = false;
    int kept = 0;
    worker.add([&](const std::stop_token& stop) -> Worker::Keep {
        begun = true;
        while (!stop.stop_requested()) std::this_thread::yield();
        return [&kept] { ++kept; };
    });
    worker.add([&](const std::stop_token&) -> Worker::Keep { return [&kept] { ++kept; }; });
    while (!begun) std::this_thread::yield();
    EXPECT_TRUE(worker.busy());
    worker.drop();
    EXPECT_FALSE(worker.busy());
    worker.add([&](const std::stop_token&) -> Worker::Keep { return [&kept] { kept += 10; }; });
    worker.wait();
    EXPECT_EQ(kept, 10);
}

/// If memory runs out, the job ends, not the program; its caller gets an error, and the next job runs as usual.
TEST(Worker, ReportsRefusedMemory) {
    Worker worker;
    std::vector<JobEnd> ends;
    worker.on_ready([&](JobEnd end) { ends.push_back(end); });
    worker.add([](const std::stop_token&) -> Worker::Keep { throw std::bad_alloc(); });
    worker.wait();
    bool kept = false;
    worker.add([&](const std::stop_token&) -> Worker::Keep { return [&kept] { kept = true; }; });
    worker.wait();
    EXPECT_TRUE(kept);
    const auto lock = worker.lock();
    EXPECT_EQ(ends, (std::vector{JobEnd::NoMemory, JobEnd::Done}));
}

/// The same when a result is handed over, and wherever else the thread allocates: each allocation fails in turn.
TEST(Worker, MemoryMayBeRefusedAnywhereOnItsThread) {
    Worker worker;
    std::vector<JobEnd> ends;
    ends.reserve(1000);
    worker.on_ready([&](JobEnd end) { ends.push_back(end); });
    std::string kept;
    const auto job = [&](const std::stop_token&) -> Worker::Keep {
        auto made = std::make_shared<std::string>(100, 'a');
        return [made, &kept] { kept = *made + *made; };
    };
    worker.add(job);  // creates the thread
    worker.wait();
    int refused = 0;
    for (bool all = false; !all && refused < 100; ++refused) {
        kept = {};
        ends.clear();
        {
            const test_support::Refusing refusing(refused + 1, test_support::Refusing::Of::OtherThreads);
            worker.add(job);
            worker.wait();
            all = !refusing.came();
        }
        const auto lock = worker.lock();
        EXPECT_EQ(ends, std::vector{all ? JobEnd::Done : JobEnd::NoMemory}) << refused + 1;
        EXPECT_EQ(kept.size(), all ? 200U : 0U) << refused + 1;
    }
    EXPECT_GE(refused, 4);
}

/// Minutes of draws are in progress when the program ends.
TEST(DocumentRunner, QuittingDoesNotWaitForARun) {
    attn::Document document;
    for (int i = 0; i < 400; ++i) document.text += "早上好";
    document.config.selection = "hard";
    document.config.draws = 100000;
    std::chrono::steady_clock::time_point ending;
    {
        DocumentRunner runner;
        ASSERT_FALSE(runner.ask(document));
        std::this_thread::sleep_for(std::chrono::milliseconds(200));
        EXPECT_FALSE(runner.ready());
        ending = std::chrono::steady_clock::now();
    }
    EXPECT_LT(std::chrono::steady_clock::now() - ending, std::chrono::seconds(10));
}

}  // namespace
}  // namespace app
