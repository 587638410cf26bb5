// Work shared between threads: an exception of one part leaves the call once all threads have finished.
#include "core/base/parallel.h"

#include <gtest/gtest.h>

#include <atomic>
#include <new>

namespace attn {
namespace {

TEST(Parallel, AnExceptionOfAPartLeavesTheCall) {
    const int before = threads();
    for (const int count : {1, 4}) {
        set_threads(count);
        for (int round = 0; round < 50; ++round) {
            std::atomic<int> inside = 0;
            const auto work = [&](int part) {
                ++inside;
                const bool refused = part == 3;
                --inside;
                if (refused) throw std::bad_alloc();
            };
            EXPECT_THROW(share_parts(16, work), std::bad_alloc) << count;
            EXPECT_EQ(inside.load(), 0) << "nobody is at work any more";
        }
        std::atomic<int> done = 0;
        share_parts(16, [&](int) { ++done; });
        EXPECT_EQ(done.load(), 16) << "the threads are there for the next";
    }
    set_threads(before);
}

}  // namespace
}  // namespace attn
