// Work on a thread of its own: the newest counts, what is dropped never comes.
#include "app/state/newest.h"

#include <gtest/gtest.h>

#include <atomic>

namespace app {
namespace {

TEST(NewestOnly, HasNothingBeforeItIsAsked) {
    NewestOnly<int> job;
    EXPECT_FALSE(job.busy());
    EXPECT_FALSE(job.take());
    job.wait();
    job.drop();
}

TEST(NewestOnly, MakesWhatIsAskedForOnce) {
    NewestOnly<int> job;
    std::atomic<int> woken = 0;
    job.on_ready([&] { ++woken; });
    job.ask([](const std::stop_token&) { return 7; });
    job.wait();
    EXPECT_TRUE(job.ready());
    EXPECT_EQ(job.take(), 7);
    EXPECT_FALSE(job.take());
    EXPECT_EQ(woken, 1);
}

/// The first is told to stop, and its result is thrown away.
TEST(NewestOnly, OnlyTheNewestCounts) {
    NewestOnly<int> job;
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

TEST(NewestOnly, WhatIsDroppedNeverComes) {
    NewestOnly<int> job;
    job.ask([](const std::stop_token& stop) {
        while (!stop.stop_requested()) std::this_thread::yield();
        return 1;
    });
    job.drop();
    EXPECT_FALSE(job.busy());
    job.wait();
    EXPECT_FALSE(job.take());
}

TEST(NewestOnly, GoesWhileItWorks) {
    NewestOnly<int> job;
    job.ask([](const std::stop_token& stop) {
        while (!stop.stop_requested()) std::this_thread::yield();
        return 1;
    });
}

}  // namespace
}  // namespace app
