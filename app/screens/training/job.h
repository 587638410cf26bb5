#pragma once
// A training on its own thread. The window sends it orders, and sees only what it publishes: immutable values, at a
// limited rate. The same order gives the same numbers at any speed.

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
    std::uint64_t run = 0;  ///< a new number starts anew; 0: nothing is trained
    const attn::train::Task* task = nullptr;
    attn::train::TaskOptions options;  ///< complete
    std::string beside = {};           ///< a variation that is trained in parallel, step by step; empty: none
    bool running = false;
    std::int64_t until = 0;  ///< this many steps are taken even if it is not running
    int speed = 0;           ///< maximum steps per second; 0: as fast as possible
};

/// The weights after a step. Their measurement on unseen examples may come later.
struct TrainingSnapshot {
    std::int64_t step = 0;
    attn::train::StepReport report;
    std::shared_ptr<const std::vector<attn::train::Weight>> weights;
    std::shared_ptr<const attn::train::TaskMeasure> measure;  ///< null: not yet
};

/// The measurement after a step.
struct UnseenPoint {
    std::int64_t step = 0;
    std::shared_ptr<const attn::train::TaskMeasure> measure;
};

/// Everything so far. Parts that have not changed since the last news are the same objects.
struct TrainingNews {
    std::uint64_t run = 0;
    std::int64_t step = 0, planned = 0;
    bool finished = false;
    /// One report per step, in pieces of kReportsAPiece: only the last piece grows.
    std::vector<std::shared_ptr<const std::vector<attn::train::StepReport>>> reports;
    std::vector<TrainingSnapshot> snapshots;  ///< by step, newest last
    std::vector<UnseenPoint> unseen;          ///< by step
    /// Of the variation: as many steps, and snapshots after the same ones. Null: there is none.
    std::shared_ptr<const TrainingNews> beside;
};
inline constexpr std::size_t kReportsAPiece = 256;
/// The number of unseen examples on which a snapshot is measured.
inline constexpr int kMeasuredExamples = 48;

class TrainingElsewhere;

class TrainingJob final : public LateJob {
public:
    TrainingJob();
    /// Waits for the step or the measuring under way.
    ~TrainingJob() override;
    TrainingJob(const TrainingJob&) = delete;
    TrainingJob& operator=(const TrainingJob&) = delete;

    /// Returns at once.
    void follow(const TrainingOrder& order);
    /// The latest news, returned once. Null: nothing new.
    std::shared_ptr<const TrainingNews> take();
    bool ready() const override;
    /// Training continues whatever screen is shown.
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
    /// Does the next thing: starts a training, takes a step, or publishes. False: there is nothing to do until another
    /// order comes or, if the speed is limited, until `held_until_`. Allocation may fail.
    bool take_turn(std::unique_lock<std::mutex>& lock);
    bool take_turn_or_refuse(std::unique_lock<std::mutex>& lock);
    /// If no thread can be created and nothing else trains, the work is done on the caller's thread whenever news is
    /// requested.
    void take_turns();
    /// Without a thread: passes the order on, or begins to do without.
    void do_without_thread();
    bool is_due() const;
    void publish(std::unique_lock<std::mutex>& lock);

    mutable std::mutex mutex_;
    std::condition_variable_any changed_;
    TrainingOrder order_;
    bool idle_ = true;  ///< the order is carried out and published
    bool alone_ = false;  ///< without a thread
    std::unique_ptr<TrainingElsewhere> elsewhere_;  ///< trains instead of a thread; null: nothing does
    std::unique_ptr<Run> run_;  ///< used by the thread
    Clock::time_point published_{}, stepped_{};
    std::optional<Clock::time_point> held_until_;  ///< so that it is no faster than ordered
    std::uint64_t published_run_ = 0;
    std::shared_ptr<const TrainingNews> news_;
    Wake wake_;
    std::uint64_t refused_ = 0;  ///< the order for which there was not enough memory
    std::jthread thread_;  ///< last, so that it is joined before what it uses is destroyed
};

}  // namespace app
