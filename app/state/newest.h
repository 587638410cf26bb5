#pragma once
// Work that would hold a frame up, on a thread of its own: one result after the other; of several that are asked for
// only the newest counts.

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>
#include <utility>

namespace app {

template <class Result>
class NewestOnly {
public:
    /// Makes the result from what it holds itself; where the token asks for a stop nobody wants it any more.
    using Make = std::function<Result(const std::stop_token&)>;

    void ask(Make make) {
        if (!worker_) worker_ = std::make_unique<Worker>(wake_);
        replace(std::move(make));
    }
    /// Nothing is wanted any more.
    void drop() {
        if (worker_) replace({});
    }
    /// The result that became ready since; once.
    std::optional<Result> take() {
        if (!worker_) return std::nullopt;
        const std::lock_guard lock(worker_->mutex);
        return std::exchange(worker_->result, std::nullopt);
    }
    bool ready() const {
        if (!worker_) return false;
        const std::lock_guard lock(worker_->mutex);
        return worker_->result.has_value();
    }
    /// It was asked for and is not ready.
    bool busy() const {
        if (!worker_) return false;
        const std::lock_guard lock(worker_->mutex);
        return worker_->waits;
    }
    /// Until nothing is being made.
    void wait() {
        if (!worker_) return;
        std::unique_lock lock(worker_->mutex);
        worker_->changed.wait(lock, [&] { return !worker_->waits; });
    }
    /// Called from the thread when a result is ready.
    void on_ready(std::function<void()> wake) {
        wake_ = std::move(wake);
        if (!worker_) return;
        const std::lock_guard lock(worker_->mutex);
        worker_->wake = wake_;
    }

private:
    struct Worker {
        mutable std::mutex mutex;
        std::condition_variable_any changed;
        Make wanted;
        std::optional<Result> result;
        bool waits = false;  ///< for what was asked for last
        std::stop_source stop_making;
        std::function<void()> wake;
        std::jthread thread;  // last: it ends before what it uses

        explicit Worker(std::function<void()> when_ready)
            : wake(std::move(when_ready)), thread([this](const std::stop_token& stop) { loop(stop); }) {}
        ~Worker() {
            {
                const std::lock_guard lock(mutex);
                wanted = {};
                stop_making.request_stop();
            }
            thread.request_stop();
            changed.notify_all();
        }

        void loop(const std::stop_token& stop) {
            std::unique_lock lock(mutex);
            while (changed.wait(lock, stop, [&] { return static_cast<bool>(wanted); })) {
                const Make make = std::exchange(wanted, {});
                stop_making = {};
                const std::stop_token enough = stop_making.get_token();
                lock.unlock();
                Result made = make(enough);
                lock.lock();
                if (enough.stop_requested()) continue;
                result = std::move(made);
                waits = false;
                changed.notify_all();
                if (wake) wake();
            }
        }
    };

    void replace(Make make) {
        const std::lock_guard lock(worker_->mutex);
        worker_->wanted = std::move(make);
        worker_->waits = static_cast<bool>(worker_->wanted);
        worker_->result.reset();
        worker_->stop_making.request_stop();
        worker_->changed.notify_all();
    }

    std::function<void()> wake_;
    std::unique_ptr<Worker> worker_;  ///< from the first request on
};

}  // namespace app
