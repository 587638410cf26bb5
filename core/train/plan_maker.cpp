// Compiles a trace to a plan: which steps are needed, which of them have a value per example, where each is in memory,
// and how a gradient is summed over the batch.
#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <map>

#include "core/gradient/gradient.h"
#include "core/ops/operation.h"
#include "core/train/plan.h"
#include "core/train/product.h"

namespace attn::train {
namespace {

constexpr int kNoBuffer = -1;
/// In numbers: buffers begin at a cache line.
constexpr std::size_t kAlign = 16;

/// Whether the stacked rows of many examples are computed like the rows of one.
bool row_by_row(Op op) { return rows_of(op) != RowsOf::Whole && operation_of(op).remade->from_row == nullptr; }

bool contains(const std::vector<StepId>& list, StepId id) { return std::find(list.begin(), list.end(), id) != list.end(); }

}  // namespace

class PlanMaker {
public:
    explicit PlanMaker(const PlanRequest& request) : request_(request), t_(*request.trace) {
        plan_.batch_ = request.batch;
    }

    Result<Plan> make() {
        std::vector<Objective> objectives;
        for (const StepId step : request_.objectives) {
            const Matrix nothing = Matrix::Zero(t_[step].value.rows(), t_[step].value.cols());
            objectives.push_back(objective_of(t_, step, nothing));
        }
        std::vector<bool> wanted(static_cast<std::size_t>(t_.size()), false);
        for (const StepId step : request_.wanted) wanted[static_cast<std::size_t>(step)] = true;
        const StepId forward_end = t_.size() - static_cast<StepId>(objectives.size());
        const Gradients gradients = record_gradients(t_, objectives, wanted);
        if (!gradients.decided.empty())
            return refusal(t_[gradients.decided.front()].tag);
        find_batched(objectives);
        buffer_of_.assign(static_cast<std::size_t>(t_.size()), kNoBuffer);
        place_inputs(objectives);
        for (const StepId step : request_.objectives)
            if (auto made = need(step); !made) return made.error();
        for (const StepId step : request_.watched)
            if (auto made = need(step); !made) return made.error();
        for (const std::vector<StepId>* list : {&request_.objectives, &request_.watched})
            for (const StepId step : *list) plan_.values_.push_back({step, buffer_of_[static_cast<std::size_t>(step)]});
        plan_.forward_ = plan_.instructions_.size();
        for (const StepId step : request_.wanted) {
            const StepId of = step < forward_end ? gradients.of[static_cast<std::size_t>(step)] : kNoStep;
            if (of == kNoStep)
                return Error{fmt::format("{} has no part in the loss", step_name(t_[step].tag)), "", "", 0};
            const auto made = batched_[static_cast<std::size_t>(step)] ? need(of) : summed(of);
            if (!made) return made.error();
            plan_.gradients_.push_back({step, *made});
        }
        lay_out();
        return std::move(plan_);
    }

private:
    Error refusal(Tag tag) const {
        return {fmt::format("{} is not trained through: what it keeps depends on the numbers", step_name(tag)), "", "", 0};
    }

    void find_batched(const std::vector<Objective>& objectives) {
        batched_.assign(static_cast<std::size_t>(t_.size()), false);
        for (StepId id = 0; id < t_.size(); ++id) {
            bool any = contains(request_.per_example, id);
            for (const Objective& objective : objectives) any = any || objective.gradient == id;
            for (const StepId input : t_[id].inputs) any = any || batched_[static_cast<std::size_t>(input)];
            batched_[static_cast<std::size_t>(id)] = any;
        }
    }

    int new_buffer(StepId like, bool batched) {
        const auto& value = t_[like].value;
        plan_.buffers_.push_back({0, static_cast<int>(value.rows()), static_cast<int>(value.cols()), batched, false});
        return static_cast<int>(plan_.buffers_.size()) - 1;
    }

    void place_inputs(const std::vector<Objective>& objectives) {
        for (const StepId id : request_.weights) {
            const int buffer = buffer_of_[static_cast<std::size_t>(id)] = new_buffer(id, false);
            plan_.buffers_[static_cast<std::size_t>(buffer)].outside = true;
            plan_.buffers_[static_cast<std::size_t>(buffer)].offset = plan_.weights_.size();
            plan_.weights_.push_back({id, buffer});
        }
        for (const StepId id : request_.per_example) {
            const int buffer = buffer_of_[static_cast<std::size_t>(id)] = new_buffer(id, true);
            pinned_.push_back(buffer);
            plan_.examples_.push_back({id, buffer});
        }
        for (const Objective& objective : objectives) {
            const int buffer = buffer_of_[static_cast<std::size_t>(objective.gradient)] = new_buffer(objective.gradient, true);
            pinned_.push_back(buffer);
            plan_.objectives_.push_back({objective.step, buffer});
        }
    }

    /// The buffer of a step; computes what it needs first.
    Result<int> need(StepId id) {
        const int there = buffer_of_[static_cast<std::size_t>(id)];
        if (there != kNoBuffer) return there;
        const Step step = t_[id];
        if (step.op == Op::Input) return constant(id);
        if (step.op == Op::MatMul) return product(id);
        if (operation_of(step.op).trained->value == nullptr) return refusal(step.tag);
        Plan::Instruction i;
        i.op = step.op;
        i.params = step.params;
        bool all_batched = batched_[static_cast<std::size_t>(id)];
        for (const StepId input : step.inputs) {
            const auto made = need(input);
            if (!made) return made;
            i.inputs.push_back(*made);
            const Plan::Buffer& buffer = plan_.buffers_[static_cast<std::size_t>(*made)];
            // γ, β and biases have one row for all examples.
            const bool one_for_all = buffer.rows == 1 && rows_of(step.op) == RowsOf::First;
            all_batched = all_batched && (buffer.batched || one_for_all);
        }
        finish(i, id, all_batched && row_by_row(step.op));
        scratch(static_cast<std::size_t>(step.value.cols()));
        return buffer_of_[static_cast<std::size_t>(id)];
    }

    /// A constant of the trace, stored at the beginning of the arena.
    Result<int> constant(StepId id) {
        const int buffer = buffer_of_[static_cast<std::size_t>(id)] = new_buffer(id, false);
        const auto& value = t_[id].value;
        plan_.buffers_[static_cast<std::size_t>(buffer)].offset = plan_.constants_.size();
        plan_.constants_.insert(plan_.constants_.end(), value.data(), value.data() + value.size());
        plan_.constants_.resize((plan_.constants_.size() + kAlign - 1) / kAlign * kAlign, 0.0f);
        constant_.push_back(buffer);
        return buffer;
    }

    /// A factor of a product: a transposition is not computed, the matrix is read transposed.
    Result<int> factor(StepId id, bool& transposed) {
        transposed = t_[id].op == Op::Transpose && buffer_of_[static_cast<std::size_t>(id)] == kNoBuffer;
        return need(transposed ? t_[id].inputs[0] : id);
    }

    Result<int> product(StepId id) {
        Plan::Instruction i;
        i.op = Op::MatMul;
        const std::vector<StepId> inputs = t_[id].inputs;
        const auto left = factor(inputs[0], i.left_transposed);
        if (!left) return left;
        const auto right = factor(inputs[1], i.right_transposed);
        if (!right) return right;
        i.inputs = {*left, *right};
        const Plan::Buffer a = plan_.buffers_[static_cast<std::size_t>(*left)], b = plan_.buffers_[static_cast<std::size_t>(*right)];
        finish(i, id, a.batched && !b.batched && !i.left_transposed);
        count_product(t_[id].value.rows(), t_[id].value.cols(), i.left_transposed ? a.rows : a.cols,
                      batched_[static_cast<std::size_t>(id)] ? request_.batch : 1);
        return buffer_of_[static_cast<std::size_t>(id)];
    }

    void count_product(Eigen::Index rows, Eigen::Index cols, Eigen::Index inner, int times) {
        plan_.multiply_adds_ += static_cast<double>(rows * cols) * static_cast<double>(inner) * times;
        scratch(product_room(inner));
    }

    void finish(Plan::Instruction& i, StepId id, bool together) {
        const bool batched = batched_[static_cast<std::size_t>(id)];
        i.output = buffer_of_[static_cast<std::size_t>(id)] = new_buffer(id, batched);
        const auto rows = static_cast<int>(t_[id].value.rows());
        i.examples = batched && !together ? request_.batch : 1;
        i.rows = together ? rows * request_.batch : rows;
        plan_.instructions_.push_back(std::move(i));
    }

    void scratch(std::size_t numbers) { plan_.scratch_size_ = std::max(plan_.scratch_size_, numbers); }

    /// The sum of a step's values over the batch.
    Result<int> summed(StepId id) {
        if (!batched_[static_cast<std::size_t>(id)]) {
            // Summed, it would be the same value once per example.
            return Error{fmt::format("{} does not depend on the examples", step_name(t_[id].tag)), "", "", 0};
        }
        if (const auto there = summed_.find(id); there != summed_.end()) return there->second;
        const Step step = t_[id];
        Plan::Instruction i;
        const auto whole = [&] {
            const int buffer = new_buffer(id, false);
            i.output = buffer;
            i.rows = static_cast<int>(step.value.rows());
            plan_.instructions_.push_back(i);
            summed_[id] = buffer;
            return buffer;
        };
        const bool left_transposed = step.op == Op::MatMul && t_[step.inputs[0]].op == Op::Transpose;
        if (left_transposed && batched_[static_cast<std::size_t>(step.inputs[0])] && batched_[static_cast<std::size_t>(step.inputs[1])]) {
            const auto left = need(t_[step.inputs[0]].inputs[0]), right = need(step.inputs[1]);
            if (!left) return left;
            if (!right) return right;
            i.kind = Plan::Kind::ReduceProduct;
            i.inputs = {*left, *right};
            const Eigen::Index inner = t_[step.inputs[1]].value.rows() * request_.batch;
            count_product(step.value.rows(), step.value.cols(), inner, 1);
            return whole();
        }
        if (step.op == Op::ColumnSum) {
            const auto from = need(step.inputs[0]);
            if (!from) return from;
            i.kind = Plan::Kind::ReduceColumns;
            i.inputs = {*from};
            return whole();
        }
        if (operation_of(step.op).trained->linear && std::all_of(step.inputs.begin(), step.inputs.end(), [&](StepId in) { return batched_[static_cast<std::size_t>(in)]; })) {
            i.op = step.op;
            i.params = step.params;
            for (const StepId input : step.inputs) {
                const auto part = summed(input);
                if (!part) return part;
                i.inputs.push_back(*part);
            }
            return whole();
        }
        const auto from = need(id);
        if (!from) return from;
        i.kind = Plan::Kind::Reduce;
        i.inputs = {*from};
        return whole();
    }

    /// Assigns memory: a buffer's memory is reused after its last use.
    void lay_out() {
        const std::size_t count = plan_.buffers_.size();
        std::vector<std::size_t> first(count, plan_.instructions_.size()), last(count, 0);
        for (std::size_t i = 0; i < plan_.instructions_.size(); ++i) {
            const Plan::Instruction& one = plan_.instructions_[i];
            first[static_cast<std::size_t>(one.output)] = std::min(first[static_cast<std::size_t>(one.output)], i);
            last[static_cast<std::size_t>(one.output)] = std::max(last[static_cast<std::size_t>(one.output)], i);
            for (const int input : one.inputs) last[static_cast<std::size_t>(input)] = i;
        }
        for (const auto* sites : {&plan_.values_, &plan_.gradients_})
            for (const Plan::Site& site : *sites) pinned_.push_back(site.buffer);
        std::size_t end = plan_.constants_.size();
        const auto room = [&](int buffer) {
            const Plan::Buffer& b = plan_.buffers_[static_cast<std::size_t>(buffer)];
            const std::size_t numbers = b.size() * static_cast<std::size_t>(b.batched ? request_.batch : 1);
            return (numbers + kAlign - 1) / kAlign * kAlign;
        };
        std::vector<bool> placed(count, false);
        for (const int buffer : constant_) placed[static_cast<std::size_t>(buffer)] = true;
        for (std::size_t b = 0; b < count; ++b) placed[b] = placed[b] || plan_.buffers_[b].outside;
        for (const int buffer : pinned_) {
            if (placed[static_cast<std::size_t>(buffer)]) continue;
            plan_.buffers_[static_cast<std::size_t>(buffer)].offset = end;
            end += room(buffer);
            placed[static_cast<std::size_t>(buffer)] = true;
        }
        const std::vector<bool> fixed = placed;
        std::multimap<std::size_t, std::size_t> free;  // size -> offset
        for (std::size_t i = 0; i < plan_.instructions_.size(); ++i) {
            const auto output = static_cast<std::size_t>(plan_.instructions_[i].output);
            if (!placed[output]) {
                const std::size_t size = room(static_cast<int>(output));
                if (const auto fit = free.find(size); fit != free.end()) {
                    plan_.buffers_[output].offset = fit->second;
                    free.erase(fit);
                } else {
                    plan_.buffers_[output].offset = end;
                    end += size;
                }
                placed[output] = true;
            }
            std::vector<int> used = plan_.instructions_[i].inputs;
            used.push_back(static_cast<int>(output));
            std::sort(used.begin(), used.end());
            used.erase(std::unique(used.begin(), used.end()), used.end());
            for (const int buffer : used)
                if (!fixed[static_cast<std::size_t>(buffer)] && last[static_cast<std::size_t>(buffer)] == i)
                    free.emplace(room(buffer), plan_.buffers_[static_cast<std::size_t>(buffer)].offset);
        }
        plan_.arena_size_ = end;
    }

    const PlanRequest& request_;
    Trace t_;
    Plan plan_;
    std::vector<bool> batched_;
    std::vector<int> buffer_of_, pinned_, constant_;
    std::map<StepId, int> summed_;
};

Result<Plan> Plan::make(const PlanRequest& request) { return PlanMaker(request).make(); }

}  // namespace attn::train
