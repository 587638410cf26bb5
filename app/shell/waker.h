#pragma once
// Wakes the window's loop from other threads: a computation is ready, a file is written, a signal came.

#include <atomic>
#include <functional>
#include <mutex>
#include <thread>

namespace app {

/// Any thread may call wake(); it does nothing while there is no window. Must outlive whoever calls it.
class Waker {
public:
    /// `post`: ends the loop's wait. Called under a lock, so that it never runs once close() has returned.
    void open(std::function<void()> post);
    void close();
    void wake();

private:
    std::mutex mutex_;
    std::function<void()> post_;
};

/// SIGTERM, SIGINT and SIGHUP as a question. They are blocked from here on in this thread and those that it starts, and
/// received by a thread of their own: no handler, hence no global state. Make it before any other thread.
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
