#pragma once
// Runs work that would hold up a frame on a separate thread, one job after the other. A job that is no longer wanted is
// asked to stop.

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
/// Wakes the window when a job on a thread has ended.
using Wake = std::function<void(JobEnd)>;

class Worker {
public:
    /// Runs on the thread, concurrently with everything else. The function that it returns then runs under the worker's
    /// lock, and only if the job is still wanted.
    using Keep = std::function<void()>;
    using Job = std::function<Keep(const std::stop_token&)>;

    Worker() = default;
    /// Waits for the current job to notice its stop request.
    ~Worker();
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;

    /// Adds a job behind those requested before. If no thread can be started, it runs here and now.
    void add(Job job);
    /// Cancels all jobs requested so far.
    void drop();
    /// Whether a job that is still wanted is not done yet.
    bool busy() const;
    /// Blocks until busy() is false.
    void wait();
    /// Keeps the jobs' results from being stored meanwhile.
    std::unique_lock<std::mutex> lock() const { return std::unique_lock(mutex_); }
    /// Called from the thread when a job is done, or was given up because memory ran out.
    void on_ready(Wake wake);
    /// Called by a running job, on its thread, to store a partial result. `keep` runs like a job's returned function.
    void keep_so_far(const std::stop_token& stop, const Keep& keep);

private:
    void loop(const std::stop_token& ending);
    /// Runs the first job to its end.
    void do_next(std::unique_lock<std::mutex>& lock);
    bool is_wanted() const { return !jobs_.empty() || (working_ && !stop_.stop_requested()); }

    mutable std::mutex mutex_;
    mutable std::condition_variable_any changed_;
    std::deque<Job> jobs_;
    bool working_ = false;
    std::stop_source stop_;  ///< for the current job
    Wake wake_;
    std::jthread thread_;  ///< started with the first job; last, so that it ends before what it uses
};

}  // namespace app
