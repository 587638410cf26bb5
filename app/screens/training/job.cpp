#include "app/screens/training/job.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <new>
#include <system_error>
#include <utility>

#include "app/screens/training/elsewhere.h"

namespace app {

namespace train = attn::train;

namespace {

/// The time between two publications of a running training.
constexpr auto kPublishPause = std::chrono::milliseconds(70);
constexpr std::size_t kSnapshotBytes = std::size_t{64} << 20;
constexpr unsigned kMostTrainThreads = 4;

/// One thread is left for the window.
int threads_here() {
    const unsigned all = std::max(std::thread::hardware_concurrency(), 2u);
    return static_cast<int>(std::min(all - 1, kMostTrainThreads));
}

/// Snapshots are stored and measured at steps that are powers of √2, like the trainer's.
double rung(std::int64_t step) { return step < 1 ? -1.0 : std::floor(2 * std::log2(static_cast<double>(step))); }
bool begins_rung(std::int64_t step) { return step == 0 || rung(step) != rung(step - 1); }

}  // namespace

/// One training.
class TrainingLane {
public:
    TrainingLane(std::uint64_t id, const train::Task& task, train::TaskOptions options)
        : id_(id), task_(task), options_(std::move(options)), trainer_(task_.course(options_), threads_here()) {
        trainer_.keep_snapshots(kSnapshotBytes);
        measure();
    }

    std::int64_t steps() const { return trainer_.steps_taken(); }
    bool finished() const { return trainer_.finished(); }
    bool measured() const { return !unseen_.empty() && unseen_.back().step == steps(); }

    void step() {
        const train::StepReport report = trainer_.step();
        if (pieces_.empty() || last_.size() == kReportsAPiece) {
            seal();
            last_.clear();
            pieces_.emplace_back();
        }
        last_.push_back(report);
        pieces_.back().reset();
        if (begins_rung(report.step) || trainer_.finished()) measure();
    }

    /// Measures the current weights on examples that are never used for training.
    void measure() {
        unseen_.push_back({steps(), std::make_shared<const train::TaskMeasure>(
                                        task_.measure(options_, trainer_.weights(), kMeasuredExamples))});
    }

    std::shared_ptr<TrainingNews> news() {
        auto out = std::make_shared<TrainingNews>();
        out->run = id_;
        out->step = steps();
        out->planned = trainer_.steps_planned();
        out->finished = finished();
        seal();
        out->reports = pieces_;
        follow_snapshots();
        out->snapshots = snapshots_;
        out->unseen = unseen_;
        return out;
    }

private:
    /// Publishes the last piece as far as it has grown.
    void seal() {
        if (!pieces_.empty() && !pieces_.back())
            pieces_.back() = std::make_shared<const std::vector<train::StepReport>>(last_);
    }

    /// The trainer's snapshots, each copied once.
    void follow_snapshots() {
        std::vector<TrainingSnapshot> now;
        for (const train::Snapshot& one : trainer_.snapshots()) {
            const auto before = std::find_if(snapshots_.begin(), snapshots_.end(),
                                             [&](const TrainingSnapshot& s) { return s.step == one.step; });
            now.push_back(before == snapshots_.end() ? TrainingSnapshot{one.step, one.report, weights_of(one), nullptr} : *before);
            const auto point = std::find_if(unseen_.begin(), unseen_.end(),
                                            [&](const UnseenPoint& p) { return p.step == one.step; });
            if (point != unseen_.end()) now.back().measure = point->measure;
        }
        snapshots_ = std::move(now);
    }

    std::shared_ptr<const std::vector<train::Weight>> weights_of(const train::Snapshot& snapshot) const {
        auto out = std::make_shared<std::vector<train::Weight>>();
        for (std::size_t w = 0; w < snapshot.weights.size(); ++w) {
            const train::Weight& like = trainer_.weights()[w];
            out->push_back({like.name, snapshot.weights[w], like.decay, like.from_phase, like.to_phase});
        }
        return out;
    }

    std::uint64_t id_;
    const train::Task& task_;
    train::TaskOptions options_;
    train::Trainer trainer_;
    std::vector<train::StepReport> last_;
    std::vector<std::shared_ptr<const std::vector<train::StepReport>>> pieces_;  ///< the last is null while it grows
    std::vector<TrainingSnapshot> snapshots_;
    std::vector<UnseenPoint> unseen_;
};

/// One training, or two in parallel, used by the thread.
class TrainingJob::Run {
public:
    explicit Run(const TrainingOrder& order) : id_(order.run), first_(order.run, *order.task, order.options) {
        if (order.beside.empty()) return;
        train::TaskOptions other = order.options;
        other.variation = order.beside;
        beside_ = std::make_unique<TrainingLane>(order.run, *order.task, std::move(other));
    }

    std::uint64_t id() const { return id_; }
    std::int64_t steps() const { return first_.steps(); }
    bool finished() const { return first_.finished(); }
    bool measured() const { return first_.measured() && (!beside_ || beside_->measured()); }
    void step() {
        first_.step();
        if (beside_) beside_->step();
    }
    void measure() {
        first_.measure();
        if (beside_) beside_->measure();
    }
    std::shared_ptr<const TrainingNews> news() {
        const auto out = first_.news();
        if (!beside_) return out;
        const auto other = beside_->news();
        // Since their sizes differ, they may not have kept the same snapshots within the same memory.
        keep_common(*out, *other);
        out->beside = other;
        return out;
    }

private:
    static void keep_common(TrainingNews& a, TrainingNews& b) {
        const auto only_of = [](TrainingNews& one, const TrainingNews& other) {
            std::erase_if(one.snapshots, [&](const TrainingSnapshot& s) {
                return std::none_of(other.snapshots.begin(), other.snapshots.end(), [&](const TrainingSnapshot& o) { return o.step == s.step; });
            });
        };
        only_of(a, b);
        only_of(b, a);
    }

    std::uint64_t id_;
    TrainingLane first_;
    std::unique_ptr<TrainingLane> beside_;  ///< the variation, or null
};

TrainingJob::TrainingJob() = default;

TrainingJob::~TrainingJob() {
    thread_.request_stop();
    changed_.notify_all();
    if (thread_.joinable()) thread_.join();
}

void TrainingJob::follow(const TrainingOrder& order) {
    const std::lock_guard lock(mutex_);
    if (order.run == 0 && !thread_.joinable() && !alone_ && !elsewhere_) return;
    const bool same = order_.run == order.run && order_.running == order.running && order_.until == order.until &&
                      order_.speed == order.speed;
    if (same) return;
    if (order_.run != order.run) news_.reset();
    order_ = order;
    idle_ = false;
    held_until_.reset();
    try {
        if (!thread_.joinable() && !alone_ && !elsewhere_) thread_ = std::jthread([this](const std::stop_token& ending) { loop(ending); });
    } catch (const std::system_error&) {
        do_without_thread();
    }
    if (elsewhere_) elsewhere_->follow(order_);
    changed_.notify_all();
}

void TrainingJob::do_without_thread() {
    if (!elsewhere_ && !alone_) {
        elsewhere_ = training_elsewhere();
        if (elsewhere_) elsewhere_->on_ready(wake_);
    }
    if (elsewhere_ && !elsewhere_->works()) elsewhere_.reset();
    alone_ = !elsewhere_;
}

std::shared_ptr<const TrainingNews> TrainingJob::take() {
    {
        const std::lock_guard lock(mutex_);
        if (elsewhere_) do_without_thread();
        if (elsewhere_) return elsewhere_->take();
    }
    take_turns();
    const std::lock_guard lock(mutex_);
    return std::exchange(news_, nullptr);
}

bool TrainingJob::ready() const {
    const std::lock_guard lock(mutex_);
    if (elsewhere_) return elsewhere_->ready() || !elsewhere_->works();
    return news_ != nullptr || (alone_ && !idle_);
}

void TrainingJob::wait() {
    std::unique_lock lock(mutex_);
    if (elsewhere_) return;  // its news come between frames
    const auto shown = [&] { return idle_ || (order_.running && published_run_ == order_.run); };
    while (alone_ && !shown()) take_turn_or_refuse(lock);
    changed_.wait(lock, shown);
}

void TrainingJob::on_ready(Wake wake) {
    const std::lock_guard lock(mutex_);
    wake_ = std::move(wake);
    if (elsewhere_) elsewhere_->on_ready(wake_);
}

/// Whether there is a step to take.
bool TrainingJob::is_due() const {
    if (order_.run == 0 || order_.run == refused_) return false;
    if (!run_ || run_->id() != order_.run) return true;
    return !run_->finished() && (order_.running || run_->steps() < order_.until);
}

void TrainingJob::publish(std::unique_lock<std::mutex>& lock) {
    lock.unlock();
    auto made = run_->news();
    lock.lock();
    if (order_.run != run_->id()) return;  // another one has been ordered meanwhile
    news_ = std::move(made);
    published_run_ = run_->id();
    changed_.notify_all();
    if (wake_) wake_(JobEnd::Done);
}

void TrainingJob::loop(const std::stop_token& ending) {
    std::unique_lock lock(mutex_);
    while (!ending.stop_requested()) {
        if (take_turn_or_refuse(lock)) continue;
        const TrainingOrder before = order_;
        const auto another = [&] {
            return order_.run != before.run || order_.running != before.running || order_.speed != before.speed || order_.until != before.until;
        };
        if (held_until_)
            changed_.wait_until(lock, ending, *held_until_, another);
        else
            changed_.wait(lock, ending, [&] { return !idle_; });
    }
    run_.reset();
}

void TrainingJob::take_turns() {
    constexpr auto kPart = std::chrono::milliseconds(24);
    std::unique_lock lock(mutex_);
    const auto end = Clock::now() + kPart;
    while (alone_ && !idle_ && Clock::now() < end && take_turn_or_refuse(lock)) {
    }
}

bool TrainingJob::take_turn_or_refuse(std::unique_lock<std::mutex>& lock) {
    try {
        return take_turn(lock);
    } catch (const std::bad_alloc&) {
        if (!lock.owns_lock()) lock.lock();
        run_.reset();
        refused_ = order_.run;
        if (wake_) wake_(JobEnd::NoMemory);
        return true;
    }
}

bool TrainingJob::take_turn(std::unique_lock<std::mutex>& lock) {
    held_until_.reset();
    if (run_ && run_->id() != order_.run) run_.reset();
    if (!is_due()) {
        // At rest, the current weights are measured, and everything is published.
        if (run_ && !idle_) {
            lock.unlock();
            if (!run_->measured()) run_->measure();
            lock.lock();
            publish(lock);
            if (is_due() || run_->id() != order_.run) return true;
        }
        idle_ = true;
        changed_.notify_all();
        return false;
    }
    if (!run_) {
        const TrainingOrder order = order_;
        lock.unlock();
        auto begun = std::make_unique<Run>(order);
        lock.lock();
        run_ = std::move(begun);
        published_ = Clock::now() - kPublishPause;
        stepped_ = Clock::now() - std::chrono::seconds(1);
        publish(lock);
        return true;
    }
    if (order_.running && order_.speed > 0) {
        const auto next = stepped_ + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(1.0 / order_.speed));
        if (Clock::now() < next) {
            held_until_ = next;
            return false;
        }
    }
    lock.unlock();
    stepped_ = Clock::now();
    run_->step();
    lock.lock();
    if (Clock::now() - published_ < kPublishPause) return true;
    published_ = Clock::now();
    publish(lock);
    return true;
}

}  // namespace app
