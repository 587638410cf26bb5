#include "app/state/worker.h"

#include <utility>

#include "core/remake/remake.h"

namespace app {

Worker::~Worker() {
    drop();
    thread_.request_stop();
}

void Worker::add(Job job) {
    const std::lock_guard lock(mutex_);
    if (!thread_.joinable()) thread_ = std::jthread([this](const std::stop_token& ending) { loop(ending); });
    jobs_.push_back(std::move(job));
    changed_.notify_all();
}

void Worker::drop() {
    const std::lock_guard lock(mutex_);
    jobs_.clear();
    stop_.request_stop();
    changed_.notify_all();
}

bool Worker::busy() const {
    const std::lock_guard lock(mutex_);
    return is_wanted();
}

void Worker::wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !is_wanted(); });
}

void Worker::on_ready(std::function<void()> wake) {
    const std::lock_guard lock(mutex_);
    wake_ = std::move(wake);
}

void Worker::loop(const std::stop_token& ending) {
    std::unique_lock lock(mutex_);
    while (changed_.wait(lock, ending, [&] { return !jobs_.empty(); })) {
        Job job = std::move(jobs_.front());
        jobs_.pop_front();
        working_ = true;
        stop_ = {};
        const std::stop_token stop = stop_.get_token();
        lock.unlock();
        Keep keep;
        {
            const attn::Looking looking;
            keep = job(stop);
        }
        lock.lock();
        const bool wanted = !stop.stop_requested();
        if (wanted && keep) keep();
        working_ = false;
        changed_.notify_all();
        if (wanted && wake_) wake_();
        lock.unlock();  // what the job held may be large
        job = {};
        keep = {};
        lock.lock();
    }
}

}  // namespace app
