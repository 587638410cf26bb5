#include "core/base/parallel.h"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace attn {
namespace {

constexpr int kMostThreads = 64;
/// How long a thread spins for the next piece of work, or for others to finish theirs, before it sleeps: products
/// follow each other within microseconds, and waking takes as long as a small one.
constexpr auto kAwake = std::chrono::microseconds(200);

/// A hint to the core that this thread spins: leaves its units to the core's other thread.
void rest() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

/// Addresses that will be read soon; each call prefetches a part of them. A prefetch never blocks, and an address that
/// is no longer mapped is ignored.
struct Ahead {
    std::atomic<std::uintptr_t> at = 0, past = 0;

    /// False: nothing is left.
    bool fetch() {
        constexpr std::uintptr_t kLine = 64, kPart = 8 * kLine;
        const std::uintptr_t mine = at.load(std::memory_order_relaxed);
        if (mine >= past.load(std::memory_order_relaxed)) return false;
        if (std::uintptr_t old = mine; !at.compare_exchange_strong(old, mine + kPart, std::memory_order_relaxed)) return true;
        for (std::uintptr_t line = mine; line < mine + kPart; line += kLine) __builtin_prefetch(reinterpret_cast<const void*>(line), 0, 2);
        return true;
    }
};
alignas(64) constinit Ahead ahead;

/// Spins until come() is true or kAwake has passed, prefetching meanwhile.
template <class Come>
void look_for(const Come& come) {
    constexpr int kRests = 64;
    const auto begin = std::chrono::steady_clock::now();
    while (std::chrono::steady_clock::now() - begin < kAwake) {
        for (int i = 0; i < kRests; ++i) {
            if (come()) return;
            if (!ahead.fetch()) rest();
        }
        std::this_thread::yield();
    }
}

int threads_at_start() {
    int requested = 0;
    if (const char* text = std::getenv("ATTENSCOPE_THREADS")) std::from_chars(text, text + std::strlen(text), requested);
    if (requested < 1) requested = static_cast<int>(std::thread::hardware_concurrency());
    return std::clamp(requested, 1, kMostThreads);
}

std::atomic<int>& thread_count() {
    static std::atomic<int> count = threads_at_start();
    return count;
}

/// Whether this thread is working on a part of a job: then it does nested jobs alone.
thread_local bool at_work = false;

struct Job {
    PartWork work;
    int parts;
    std::atomic<int> next = 0;
    std::atomic<bool> failed = false;
    std::exception_ptr failure = {};  ///< the first one: written by the thread that set `failed`

    /// Must not throw: others may still be at their parts, and the caller has to wait for them.
    void help() noexcept {
        at_work = true;
        try {
            for (int part = next.fetch_add(1); part < parts; part = next.fetch_add(1)) work(part);
        } catch (...) {
            if (!failed.exchange(true)) failure = std::current_exception();
            next.store(parts);
        }
        at_work = false;
    }
};

/// Threads that wait for a job. Started when first needed; they end with the process.
class Pool {
public:
    /// False: another caller has the threads.
    bool run(Job& job, int helpers) {
        const std::unique_lock mine(caller_, std::try_to_lock);
        if (!mine) return false;
        {
            const std::lock_guard lock(mutex_);
            try {
                for (; made_ < helpers; ++made_) std::thread([this] { serve(); }).detach();
            } catch (const std::system_error&) {
                // The system allows no more threads: the existing ones do the work, or the caller alone.
            }
            job_ = &job;
            wanted_ = helpers;
            news_.fetch_add(1);
        }
        wake_.notify_all();
        job.help();
        // All parts are claimed now. Helpers must have left before the job goes out of scope: they are at their last
        // part, and sleeping until then would take longer than most parts.
        std::unique_lock lock(mutex_);
        job_ = nullptr;
        if (inside_.load() > 0) {
            lock.unlock();
            look_for([this] { return inside_.load() == 0; });
            lock.lock();
        }
        left_.wait(lock, [this] { return inside_.load() == 0; });
        return true;
    }

private:
    void serve() {
        unsigned seen = 0;
        while (true) {
            look_for([&] { return news_.load() != seen; });
            std::unique_lock lock(mutex_);
            wake_.wait(lock, [&] { return news_.load() != seen; });
            seen = news_.load();
            if (!job_ || inside_.load() >= wanted_) continue;
            Job& job = *job_;
            ++inside_;
            lock.unlock();
            job.help();
            lock.lock();
            if (--inside_ == 0) left_.notify_one();
        }
    }

    std::mutex caller_;  ///< held by the caller that has the threads
    std::mutex mutex_;   ///< guards what follows
    std::condition_variable wake_, left_;
    std::atomic<unsigned> news_ = 0;
    std::atomic<int> inside_ = 0;  ///< changed under the mutex
    Job* job_ = nullptr;
    int wanted_ = 0, made_ = 0;
};

/// Never destroyed: a job may still be running while the process ends.
Pool& pool() {
    static Pool& threads = *new Pool;
    return threads;
}

}  // namespace

int threads() { return thread_count().load(std::memory_order_relaxed); }
void set_threads(int count) { thread_count().store(std::clamp(count, 1, kMostThreads), std::memory_order_relaxed); }

void will_read(const float* numbers, std::ptrdiff_t count) {
    constexpr std::uintptr_t kMost = 1 << 20;
    const auto begin = reinterpret_cast<std::uintptr_t>(numbers);
    ahead.past.store(0, std::memory_order_relaxed);
    ahead.at.store(begin, std::memory_order_relaxed);
    ahead.past.store(begin + std::min(kMost, static_cast<std::uintptr_t>(count) * sizeof(float)), std::memory_order_relaxed);
}

void run_parts(int parts, PartWork work) {
    const int helpers = at_work ? 0 : std::min(threads(), parts) - 1;
    if (Job job{work, parts}; helpers > 0 && pool().run(job, helpers)) {
        if (job.failure) std::rethrow_exception(job.failure);
        return;
    }
    for (int part = 0; part < parts; ++part) work(part);
}

}  // namespace attn
