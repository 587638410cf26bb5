#include "app/state/runner.h"

#include <algorithm>
#include <cmath>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace app {
namespace {

/// More multiply-adds than this (about a millisecond) go to the thread.
constexpr double kAtOnce = 3e6;

StepRange range_of(const attn::Matrix& value) {
    StepRange range;
    bool first = true;
    for (Eigen::Index i = 0; i < value.size(); ++i) {
        const float v = value.data()[i];
        if (!std::isfinite(v)) continue;
        range.low = first ? v : std::min(range.low, v);
        range.high = first ? v : std::max(range.high, v);
        first = false;
    }
    return range;
}

double cost_of(const attn::Document& doc) {
    return attn::find_variant(doc.config.variant) ? attn::estimate(attn::sizes_of(doc), doc.config).multiply_adds : 0;
}

Outcome outcome_of(const attn::Document& document) {
    auto run = attn::run(document);
    if (!run) return {nullptr, run.error()};
    return {compute_all(std::move(*run)), std::nullopt};
}

}  // namespace

std::shared_ptr<const Computed> compute_all(attn::Run run) {
    auto computed = std::make_shared<Computed>();
    computed->run = std::move(run);
    for (const attn::Step& step : computed->run.trace.steps) computed->ranges.push_back(range_of(step.value));
    return computed;
}

/// One thread that computes the newest document asked for; older requests are dropped.
struct DocumentRunner::Worker {
    std::mutex mutex;
    std::condition_variable_any changed;
    std::optional<attn::Document> wanted;
    Outcome result;
    std::uint64_t asked = 0;  ///< of the newest request; a result of an older one is thrown away
    bool done = false;
    std::function<void()> wake;
    std::jthread thread;  // last: it ends before what it uses

    explicit Worker(std::function<void()> when_ready)
        : wake(std::move(when_ready)), thread([this](std::stop_token stop) { loop(stop); }) {}

    void loop(const std::stop_token& stop) {
        std::unique_lock lock(mutex);
        while (changed.wait(lock, stop, [&] { return wanted.has_value(); })) {
            const attn::Document document = std::move(*wanted);
            const std::uint64_t serial = asked;
            wanted.reset();
            lock.unlock();
            Outcome outcome = outcome_of(document);
            lock.lock();
            if (serial != asked) continue;
            result = std::move(outcome);
            done = true;
            changed.notify_all();
            if (wake) wake();
        }
    }
};

DocumentRunner::DocumentRunner() = default;
DocumentRunner::~DocumentRunner() = default;

void DocumentRunner::on_ready(std::function<void()> wake) {
    wake_ = std::move(wake);
    if (!worker_) return;
    const std::lock_guard lock(worker_->mutex);
    worker_->wake = wake_;
}

std::optional<Outcome> DocumentRunner::ask(const attn::Document& document) {
    if (cost_of(document) <= kAtOnce) {
        drop();
        return outcome_of(document);
    }
    if (!worker_) worker_ = std::make_unique<Worker>(wake_);
    const std::lock_guard lock(worker_->mutex);
    worker_->wanted = document;
    ++worker_->asked;
    worker_->done = false;
    worker_->changed.notify_all();
    return std::nullopt;
}

void DocumentRunner::drop() {
    if (!worker_) return;
    const std::lock_guard lock(worker_->mutex);
    worker_->wanted.reset();
    ++worker_->asked;
    worker_->done = false;
}

std::optional<Outcome> DocumentRunner::take() {
    if (!worker_) return std::nullopt;
    const std::lock_guard lock(worker_->mutex);
    if (!worker_->done) return std::nullopt;
    worker_->done = false;
    return std::move(worker_->result);
}

bool DocumentRunner::ready() const {
    if (!worker_) return false;
    const std::lock_guard lock(worker_->mutex);
    return worker_->done;
}

void DocumentRunner::wait() {
    std::unique_lock lock(worker_->mutex);
    worker_->changed.wait(lock, [&] { return worker_->done; });
}

}  // namespace app
