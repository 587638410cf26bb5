#pragma once
// Training: AdamW over a course, one step at a time. A batch is divided into fixed parts, which threads take in any
// order; the parts' gradients are added in a fixed order, so the result does not depend on the number of threads. All
// random draws depend only on the seed and the step, so an interrupted run continues exactly as if it had not stopped.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/matrix.h"
#include "core/train/plan.h"

namespace attn::train {

/// A trained matrix, by its step's name.
struct Weight {
    std::string name;
    Matrix value;
    float decay = 0;  ///< of AdamW, per step: value −= rate · decay · value
    int from_phase = 0, to_phase = 1 << 20;  ///< the phases of the course in which it is trained
};

/// The result of one part of a batch.
struct Tally {
    double loss = 0;
    double right = 0, targets = 0;  ///< right answers, and rows with a target
};

/// Consecutive steps with one schedule: linear warm-up, then a cosine from the rate down to `last` times the rate.
struct Phase {
    int steps = 0;
    float rate = 0.01f;
    int warm_up = 0;
    float last = 0.02f;
    bool fresh = false;  ///< the optimiser's moments are reset
};

/// What is trained, and on which examples. `parts` of a batch each run through `plan`.
struct Course {
    std::vector<Weight> weights;
    /// Weights that are one: they begin alike, and each moves by the gradients of both.
    std::vector<std::pair<std::size_t, std::size_t>> shared = {};
    std::vector<StepId> weight_steps;  ///< in the plan, in the order of weights; kNoStep: only looked up (look_back)
    std::shared_ptr<const Plan> plan;
    int parts = 1;
    std::vector<Phase> phases;
    float clip = 1;  ///< the largest norm of the gradient of all weights together; 0: no limit
    /// Draws the examples of step `step`; called by one thread.
    std::function<void(std::int64_t step)> draw;
    /// Fills in the examples of one part. Called by several threads, for different parts.
    std::function<void(PlanMemory&, const std::vector<Weight>&, int part)> fill;
    /// After forward(): writes the gradients of the loss and returns the loss. `step` counts from 0.
    std::function<Tally(PlanMemory&, int part, std::int64_t step)> judge;
    /// After backward(), if rows of the first weight were looked up: adds their gradients to `gradient`, in that
    /// weight's shape. May be empty.
    std::function<void(const PlanMemory&, int part, float* gradient)> look_back;

    std::int64_t steps() const;
};

/// The measures of one step.
struct StepReport {
    std::int64_t step = 0;  ///< number of steps taken
    double loss = 0, accuracy = 0;
    double gradient_length = 0;
    float rate = 0;
};

/// The weights after some step, for going back in time or for export.
struct Snapshot {
    std::int64_t step = 0;
    std::vector<Matrix> weights;
    StepReport report;
};

class Trainer {
public:
    Trainer(Course course, int threads);
    ~Trainer();
    Trainer(const Trainer&) = delete;
    Trainer& operator=(const Trainer&) = delete;

    StepReport step();
    bool finished() const { return step_ >= course_.steps(); }
    std::int64_t steps_taken() const { return step_; }
    std::int64_t steps_planned() const { return course_.steps(); }
    const std::vector<Weight>& weights() const { return course_.weights; }
    const StepReport& last_report() const { return report_; }

    /// Weights, moments and step as bytes (a safetensors file), and back: continuing from them gives the same bytes as
    /// never having stopped.
    std::string state() const;
    Result<Done> restore(std::string_view bytes);

    /// On a log scale: after steps 0, 1, 2, 4, …, one for every power of √2, and the newest; within the byte limit.
    const std::vector<Snapshot>& snapshots() const { return snapshots_; }
    void keep_snapshots(std::size_t bytes) { snapshot_bytes_ = bytes; }

private:
    struct Crew;
    void run_part(PlanMemory& memory, int part);
    void add_up();
    double clip();
    float rate_now(const Phase*& phase, int& phase_index, std::int64_t& within) const;
    void update(float rate, int phase_index);
    void take_snapshot();

    Course course_;
    std::int64_t step_ = 0, since_fresh_ = 0;
    StepReport report_;
    std::vector<Matrix> gradients_, first_, second_;
    std::vector<std::vector<float>> part_gradients_;
    std::vector<Tally> tallies_;
    std::unique_ptr<Crew> crew_;
    std::vector<Snapshot> snapshots_;
    std::size_t snapshot_bytes_ = std::size_t{64} << 20;
};

}  // namespace attn::train
