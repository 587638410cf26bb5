#pragma once
// A computation of fixed shape, compiled to run many times: the steps of a trace and of its reverse pass (gradient.h)
// become a list of instructions over one block of memory. Running it records and allocates nothing.
//
// A plan runs a batch: steps that depend on an example have a value for each example, stacked as rows; weights, and
// values that depend only on weights, have one. So a projection of a whole batch is one product, and a weight's
// gradient is one product over all rows of the batch.

#include <cstdint>
#include <span>
#include <vector>

#include "core/trace/trace.h"

namespace attn::train {

/// What to compile from a trace.
struct PlanRequest {
    const Trace* trace = nullptr;        ///< one example: provides shapes and steps, but numbers only for constants
    std::vector<StepId> per_example;     ///< inputs that each example fills
    std::vector<StepId> weights;         ///< inputs stored outside the plan, shared by all examples
    std::vector<StepId> objectives;      ///< steps at which the loss writes its gradient
    std::vector<StepId> wanted;          ///< inputs (of either kind) whose gradient is needed
    std::vector<StepId> watched;         ///< other steps whose value is read after a run
    int batch = 1;                       ///< examples
};

/// Memory for one run; each thread has its own.
class PlanMemory {
    friend class Plan;
    std::vector<float> arena_;
    std::vector<float> scratch_;
    std::vector<const float*> outside_;
};

class Plan {
public:
    /// Fails if the trace has an operation whose reverse pass depends on the values (top-k, sparsemax, running maxima),
    /// or one that cannot be trained through (draws).
    static Result<Plan> make(const PlanRequest& request);

    PlanMemory memory() const;
    int batch() const { return batch_; }

    /// Sets where a weight is stored: row-major, in the step's shape; it must outlive the runs.
    void place_weight(PlanMemory& memory, StepId weight, const float* numbers) const;
    /// An example's input, to be filled before forward().
    float* example(PlanMemory& memory, StepId input, int index) const;
    /// Runs everything up to the objectives.
    void forward(PlanMemory& memory) const;
    /// A step's value after forward(); the step must be an objective or watched.
    const float* value(const PlanMemory& memory, StepId step, int index) const;
    /// Where the loss writes its gradient at an objective, between forward() and backward().
    float* objective(PlanMemory& memory, StepId step, int index) const;
    void backward(PlanMemory& memory) const;
    /// After backward(): a weight's gradient summed over the batch; an example's input has its own.
    const float* gradient(const PlanMemory& memory, StepId wanted, int index = 0) const;

    double multiply_adds() const { return multiply_adds_; }  ///< of one run, products only

private:
    friend class PlanMaker;
    enum class Kind : std::uint8_t { Operation, Reduce, ReduceProduct, ReduceColumns };
    struct Buffer {
        std::size_t offset = 0;  ///< in the arena; for outside buffers an index of outside_
        int rows = 0, cols = 0;
        bool batched = false, outside = false;
        std::size_t size() const { return static_cast<std::size_t>(rows) * static_cast<std::size_t>(cols); }
    };
    struct Instruction {
        Kind kind = Kind::Operation;
        Op op = Op::Input;
        Params params;
        std::vector<int> inputs;  ///< buffers
        bool left_transposed = false, right_transposed = false;  ///< of a product
        int output = 0;
        int examples = 1;  ///< number of runs; 1 if the rows of the whole batch are computed together
        int rows = 0;      ///< of the output, per run
    };
    struct Site {
        StepId step;
        int buffer;
    };

    void run(PlanMemory& memory, std::size_t first, std::size_t last) const;
    void run_one(PlanMemory& memory, const Instruction& i) const;
    void product(PlanMemory& memory, const Instruction& i, const float* a, const float* b, float* out) const;
    const float* at(const PlanMemory& memory, int buffer, int example) const;
    /// The same for writing; never for outside buffers.
    float* room_at(PlanMemory& memory, int buffer, int example) const;
    static int found(const std::vector<Site>& sites, StepId step);

    int batch_ = 1;
    std::vector<Buffer> buffers_;
    std::vector<Instruction> instructions_;
    std::size_t forward_ = 0;  ///< instructions before the objectives' gradients
    std::size_t arena_size_ = 0, scratch_size_ = 0;
    std::vector<float> constants_;  ///< at the beginning of the arena
    std::vector<Site> weights_, examples_, values_, objectives_, gradients_;
    double multiply_adds_ = 0;
};

}  // namespace attn::train
