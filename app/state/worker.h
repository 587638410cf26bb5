#pragma once
// Work that would hold a frame up, on a thread of its own: one job after the other, each told to stop when nobody wants
// it any more.

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <stop_token>
#include <thread>

namespace app {

enum class JobEnd : std::uint8_t { Done, NoMemory };
/// What wakes the window when a job on a thread has ended.
using Wake = std::function<void(JobEnd)>;

class Worker {
public:
    /// Runs on the thread, beside everything else. What it returns runs after it, alone: under the worker's lock, and
    /// only where the job is still wanted.
    using Keep = std::function<void()>;
    using Job = std::function<Keep(const std::stop_token&)>;

    Worker() = default;
    /// Waits for the job under way to notice that it shall stop.
    ~Worker();
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;

    /// To be done after what was asked for before. Where no thread is to be had it is done here and now.
    void add(Job job);
    /// Nothing that was asked for so far is wanted.
    void drop();
    /// Something that is wanted is not done yet.
    bool busy() const;
    /// Until nothing is.
    void wait();
    /// Holds off what jobs keep.
    std::unique_lock<std::mutex> lock() const { return std::unique_lock(mutex_); }
    /// Called from the thread when a job has been done, or was given up for want of memory.
    void on_ready(Wake wake);
    /// For a job on its way, from its thread: what it has made so far. `keep` runs as what a job returns does.
    void keep_so_far(const std::stop_token& stop, const Keep& keep);

private:
    void loop(const std::stop_token& ending);
    /// The first of the jobs, from its beginning to its end.
    void do_next(std::unique_lock<std::mutex>& lock);
    bool is_wanted() const { return !jobs_.empty() || (working_ && !stop_.stop_requested()); }

    mutable std::mutex mutex_;
    mutable std::condition_variable_any changed_;
    std::deque<Job> jobs_;
    bool working_ = false;
    std::stop_source stop_;  ///< of the job under way
    Wake wake_;
    std::jthread thread_;  ///< from the first job on; last: it ends before what it uses
};

}  // namespace app
