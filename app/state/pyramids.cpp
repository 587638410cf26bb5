#include "app/state/pyramids.h"

#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <thread>

namespace app {

/// One thread; what was asked for first is made first.
struct Pyramids::Worker {
    struct Job {
        PyramidKey key;
        const attn::Matrix* value;
        std::shared_ptr<const void> owner;
    };
    struct Kept {
        std::shared_ptr<const Pyramid> pyramid;  ///< null: being made
        std::uint64_t used = 0;
    };
    mutable std::mutex mutex;
    std::condition_variable_any changed;
    std::deque<Job> jobs;
    std::map<PyramidKey, Kept> kept;
    std::optional<PyramidKey> making;
    std::stop_source stop_making;
    std::atomic<float> done = 1;
    std::uint64_t frame = 0, generation = 0;
    bool news = false;
    std::function<void()> wake;
    std::jthread thread;  // last: it ends before what it uses

    explicit Worker(std::function<void()> when_ready)
        : wake(std::move(when_ready)), thread([this](const std::stop_token& stop) { loop(stop); }) {}
    ~Worker() {
        {
            const std::lock_guard lock(mutex);
            jobs.clear();
            stop_making.request_stop();
        }
        thread.request_stop();
        changed.notify_all();
    }

    void loop(const std::stop_token& stop) {
        std::unique_lock lock(mutex);
        while (changed.wait(lock, stop, [&] { return !jobs.empty(); })) {
            const Job job = std::move(jobs.front());
            jobs.pop_front();
            making = job.key;
            stop_making = {};
            done = 0;
            const std::stop_token enough = stop_making.get_token();
            lock.unlock();
            auto pyramid = build_pyramid(*job.value, enough, &done);
            lock.lock();
            making.reset();
            if (const auto at = kept.find(job.key); pyramid && at != kept.end()) {
                at->second.pyramid = std::make_shared<const Pyramid>(std::move(*pyramid));
                news = true;
                fit();
            }
            changed.notify_all();
            if (wake) wake();
        }
    }

    std::size_t bytes() const {
        std::size_t sum = 0;
        for (const auto& [key, one] : kept)
            if (one.pyramid) sum += one.pyramid->bytes();
        return sum;
    }

    /// Back into the budget.
    void fit() {
        while (bytes() > kBudget) {
            auto oldest = kept.end();
            for (auto at = kept.begin(); at != kept.end(); ++at)
                if (at->second.pyramid && at->second.used + 1 < frame &&
                    (oldest == kept.end() || at->second.used < oldest->second.used))
                    oldest = at;
            if (oldest == kept.end()) return;
            kept.erase(oldest);
        }
    }
};

Pyramids::Pyramids() = default;
Pyramids::~Pyramids() = default;

void Pyramids::begin(std::uint64_t generation) {
    if (!worker_) return;
    Worker& w = *worker_;
    const std::lock_guard lock(w.mutex);
    ++w.frame;
    w.news = false;
    if (w.generation == generation) return;
    w.generation = generation;
    std::erase_if(w.kept, [&](const auto& one) { return one.first.generation != generation; });
    std::erase_if(w.jobs, [&](const Worker::Job& job) { return job.key.generation != generation; });
    if (w.making && w.making->generation != generation) w.stop_making.request_stop();
}

const Pyramid* Pyramids::get(PyramidKey key, const attn::Matrix& value, std::shared_ptr<const void> owner) {
    if (!worker_) {
        worker_ = std::make_unique<Worker>(wake_);
        worker_->generation = key.generation;
    }
    Worker& w = *worker_;
    const std::lock_guard lock(w.mutex);
    const auto [at, fresh] = w.kept.try_emplace(key);
    at->second.used = w.frame;
    if (!fresh) return at->second.pyramid.get();
    const attn::Matrix* numbers = &value;
    if (!owner) {
        auto copy = std::make_shared<const attn::Matrix>(value);
        numbers = copy.get();
        owner = std::move(copy);
    }
    w.jobs.push_back({key, numbers, std::move(owner)});
    w.changed.notify_all();
    return nullptr;
}

const Pyramid* Pyramids::peek(PyramidKey key) const {
    if (!worker_) return nullptr;
    const std::lock_guard lock(worker_->mutex);
    const auto at = worker_->kept.find(key);
    return at == worker_->kept.end() ? nullptr : at->second.pyramid.get();
}

float Pyramids::progress() const { return busy() ? worker_->done.load() : 1; }

bool Pyramids::busy() const {
    if (!worker_) return false;
    const std::lock_guard lock(worker_->mutex);
    return worker_->making || !worker_->jobs.empty();
}

bool Pyramids::ready() const {
    if (!worker_) return false;
    const std::lock_guard lock(worker_->mutex);
    return worker_->news;
}

void Pyramids::wait() {
    if (!worker_) return;
    std::unique_lock lock(worker_->mutex);
    worker_->changed.wait(lock, [&] { return !worker_->making && worker_->jobs.empty(); });
}

void Pyramids::on_ready(std::function<void()> wake) {
    wake_ = std::move(wake);
    if (!worker_) return;
    const std::lock_guard lock(worker_->mutex);
    worker_->wake = wake_;
}

std::size_t Pyramids::bytes() const {
    if (!worker_) return 0;
    const std::lock_guard lock(worker_->mutex);
    return worker_->bytes();
}

}  // namespace app
