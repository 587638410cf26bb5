#pragma once
// A training on a thread of its own. The window tells it what it wants (an order), and sees only what it published:
// values that never change, at most so often a second. The same order gives the same numbers whatever the speed.

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "app/state/latest.h"
#include "core/train/tasks.h"

namespace app {

struct TrainingOrder {
    std::uint64_t run = 0;  ///< another one begins anew; 0: nothing is trained
    const attn::train::Task* task = nullptr;
    attn::train::TaskOptions options;  ///< complete
    std::string beside = {};           ///< a variation that is trained beside it, step by step; empty: none
    bool running = false;
    std::int64_t until = 0;  ///< so many steps even where it is not running
    int speed = 0;           ///< steps a second at most; 0: as fast as possible
};

/// The weights after some step. What is measured of it on unseen examples may come later.
struct TrainingSnapshot {
    std::int64_t step = 0;
    attn::train::StepReport report;
    std::shared_ptr<const std::vector<attn::train::Weight>> weights;
    std::shared_ptr<const attn::train::TaskMeasure> measure;  ///< null: not yet
};

/// What was measured after some step.
struct UnseenPoint {
    std::int64_t step = 0;
    std::shared_ptr<const attn::train::TaskMeasure> measure;
};

/// Everything so far. Parts that did not change since the last news are the same objects.
struct TrainingNews {
    std::uint64_t run = 0;
    std::int64_t step = 0, planned = 0;
    bool finished = false;
    /// One report a step, in pieces of kReportsAPiece: only the last one grows.
    std::vector<std::shared_ptr<const std::vector<attn::train::StepReport>>> reports;
    std::vector<TrainingSnapshot> snapshots;  ///< by step; the newest is the last
    std::vector<UnseenPoint> unseen;          ///< by step
    /// Of the variation beside it: as many steps, and snapshots after the same ones. Null: there is none.
    std::shared_ptr<const TrainingNews> beside;
};
inline constexpr std::size_t kReportsAPiece = 256;
/// Unseen examples that a snapshot is measured on.
inline constexpr int kMeasuredExamples = 48;

class TrainingJob final : public LateJob {
public:
    TrainingJob();
    /// Waits for the step or the measuring under way.
    ~TrainingJob() override;
    TrainingJob(const TrainingJob&) = delete;
    TrainingJob& operator=(const TrainingJob&) = delete;

    /// Returns at once.
    void follow(const TrainingOrder& order);
    /// What was published since; once. Null: nothing.
    std::shared_ptr<const TrainingNews> take();
    bool ready() const override;
    /// It goes on by itself, whatever is shown.
    bool busy() const override { return false; }
    void look_away() override {}
    /// Until what was ordered is done and published; of a training that runs on, until there is something to show.
    void wait() override;
    /// Called from the thread when there is news.
    void on_ready(Wake wake) override;

private:
    using Clock = std::chrono::steady_clock;
    class Run;
    void loop(const std::stop_token& ending);
    /// What is next: a training that begins, a step of it, news. False: nothing is, until another order comes or, of one
    /// that is held back, until `held_until_`. Memory may be refused.
    bool take_turn(std::unique_lock<std::mutex>& lock);
    bool take_turn_or_refuse(std::unique_lock<std::mutex>& lock);
    /// Where no thread is to be had whoever asks for news gives it a part of his time.
    void take_turns();
    bool is_due() const;
    void publish(std::unique_lock<std::mutex>& lock);

    mutable std::mutex mutex_;
    std::condition_variable_any changed_;
    TrainingOrder order_;
    bool idle_ = true;  ///< what was ordered is done and published
    bool alone_ = false;  ///< without a thread
    std::unique_ptr<Run> run_;  ///< of the thread
    Clock::time_point published_{}, stepped_{};
    std::optional<Clock::time_point> held_until_;  ///< so that it is no faster than was ordered
    std::uint64_t published_run_ = 0;
    std::shared_ptr<const TrainingNews> news_;
    Wake wake_;
    std::uint64_t refused_ = 0;  ///< the order that there was no memory for
    std::jthread thread_;  ///< last: it ends before what it uses
};

}  // namespace app
