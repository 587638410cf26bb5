#pragma once
// Wakes the window's loop from other threads: a result is ready, a file has been written, a signal came.

#include <atomic>
#include <functional>
#include <mutex>
#include <thread>

namespace app {

/// Any thread may call wake(); it does nothing while there is no window. Must outlive its callers.
class Waker {
public:
    /// `post` ends the loop's wait. It is called under a lock, so that it never runs after close() has returned.
    void open(std::function<void()> post);
    void close();
    void wake();

private:
    std::mutex mutex_;
    std::function<void()> post_;
};

/// Turns SIGTERM, SIGINT and SIGHUP into a flag. They are blocked in this thread and those that it starts, and received
/// by a separate thread, so there is no handler and no global state. Create it before any other thread.
class QuitSignals {
public:
    explicit QuitSignals(Waker& waker);
    ~QuitSignals();
    QuitSignals(const QuitSignals&) = delete;
    QuitSignals& operator=(const QuitSignals&) = delete;

    bool came() const { return came_; }

private:
    std::atomic<bool> came_ = false;
    std::atomic<bool> ending_ = false;
    std::thread thread_;
};

}  // namespace app
