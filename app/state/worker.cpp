#include "app/state/worker.h"

#include <new>
#include <system_error>
#include <utility>

#include "core/remake/remake.h"

namespace app {

Worker::~Worker() {
    drop();
    thread_.request_stop();
}

void Worker::add(Job job) {
    std::unique_lock lock(mutex_);
    jobs_.push_back(std::move(job));
    try {
        if (!thread_.joinable()) thread_ = std::jthread([this](const std::stop_token& ending) { loop(ending); });
    } catch (const std::system_error&) {
        return do_next(lock);
    }
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

void Worker::on_ready(Wake wake) {
    const std::lock_guard lock(mutex_);
    wake_ = std::move(wake);
}

void Worker::keep_so_far(const std::stop_token& stop, const Keep& keep) {
    const std::lock_guard lock(mutex_);
    if (stop.stop_requested()) return;
    keep();
    if (wake_) wake_(JobEnd::Done);
}

void Worker::loop(const std::stop_token& ending) {
    std::unique_lock lock(mutex_);
    while (changed_.wait(lock, ending, [&] { return !jobs_.empty(); })) do_next(lock);
}

void Worker::do_next(std::unique_lock<std::mutex>& lock) {
    Job job = std::move(jobs_.front());
    jobs_.pop_front();
    working_ = true;
    std::stop_token stop;
    Keep keep;
    JobEnd end = JobEnd::Done;
    // If any of this runs out of memory, handing over the result included, the job is given up and the thread lives on.
    try {
        stop_ = {};
        stop = stop_.get_token();
        lock.unlock();
        {
            const attn::PinScope pins;
            keep = job(stop);
        }
        lock.lock();
        if (keep && !stop.stop_requested()) keep();
    } catch (const std::bad_alloc&) {
        end = JobEnd::NoMemory;
        if (!lock.owns_lock()) lock.lock();
    }
    const bool wanted = !stop.stop_requested();
    working_ = false;
    changed_.notify_all();
    if (wanted && wake_) wake_(end);
    lock.unlock();  // freeing what the job held may take long
    job = {};
    keep = {};
    lock.lock();
}

}  // namespace app
