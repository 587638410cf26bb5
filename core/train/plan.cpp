#include "core/train/plan.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "core/kernels/kernels.h"
#include "core/ops/operation.h"
#include "core/train/product.h"

namespace attn::train {

const float* Plan::at(const PlanMemory& memory, int buffer, int example) const {
    const Buffer& b = buffers_[static_cast<std::size_t>(buffer)];
    if (b.outside) return memory.outside_[b.offset];
    return memory.arena_.data() + b.offset + (b.batched ? b.size() * static_cast<std::size_t>(example) : 0);
}

float* Plan::room_at(PlanMemory& memory, int buffer, int example) const {
    const Buffer& b = buffers_[static_cast<std::size_t>(buffer)];
    assert(!b.outside);
    return memory.arena_.data() + b.offset + (b.batched ? b.size() * static_cast<std::size_t>(example) : 0);
}

int Plan::found(const std::vector<Site>& sites, StepId step) {
    const auto there = std::find_if(sites.begin(), sites.end(), [step](const Site& s) { return s.step == step; });
    assert(there != sites.end());
    return there->buffer;
}

PlanMemory Plan::memory() const {
    PlanMemory out;
    out.arena_.assign(arena_size_, 0.0f);
    std::copy(constants_.begin(), constants_.end(), out.arena_.begin());
    out.scratch_.resize(scratch_size_);
    out.outside_.resize(weights_.size(), nullptr);
    return out;
}

void Plan::place_weight(PlanMemory& memory, StepId weight, const float* numbers) const {
    memory.outside_[buffers_[static_cast<std::size_t>(found(weights_, weight))].offset] = numbers;
}

float* Plan::example(PlanMemory& memory, StepId input, int index) const {
    return room_at(memory, found(examples_, input), index);
}

const float* Plan::value(const PlanMemory& memory, StepId step, int index) const {
    return at(memory, found(values_, step), index);
}

float* Plan::objective(PlanMemory& memory, StepId step, int index) const {
    return room_at(memory, found(objectives_, step), index);
}

const float* Plan::gradient(const PlanMemory& memory, StepId wanted, int index) const {
    return at(memory, found(gradients_, wanted), index);
}

void Plan::forward(PlanMemory& memory) const { run(memory, 0, forward_); }
void Plan::backward(PlanMemory& memory) const { run(memory, forward_, instructions_.size()); }

void Plan::run(PlanMemory& memory, std::size_t first, std::size_t last) const {
    for (std::size_t i = first; i < last; ++i) run_one(memory, instructions_[i]);
}

void Plan::product(PlanMemory& memory, const Instruction& i, const float* a, const float* b, float* out) const {
    const Buffer& left = buffers_[static_cast<std::size_t>(i.inputs[0])];
    const Buffer& right = buffers_[static_cast<std::size_t>(i.inputs[1])];
    const auto operand = [](const float* data, int cols, bool transposed) {
        return transposed ? Operand{data, 1, cols} : Operand{data, cols, 1};
    };
    const int cols = i.right_transposed ? right.rows : right.cols;
    if (i.kind == Kind::ReduceProduct) {  // over all rows of the batch
        const int inner = left.rows * batch_;
        product_into(left.cols, cols, inner, {a, 1, left.cols}, {b, right.cols, 1}, out, memory.scratch_.data());
        return;
    }
    const int inner = i.left_transposed ? left.rows : left.cols;
    product_into(i.rows, cols, inner, operand(a, left.cols, i.left_transposed), operand(b, right.cols, i.right_transposed), out,
                 memory.scratch_.data());
}

void Plan::run_one(PlanMemory& memory, const Instruction& i) const {
    constexpr std::size_t kMostInputs = 64;
    const Buffer& to = buffers_[static_cast<std::size_t>(i.output)];
    if (i.kind == Kind::Reduce || i.kind == Kind::ReduceColumns) {
        const Buffer& from = buffers_[static_cast<std::size_t>(i.inputs[0])];
        float* out = room_at(memory, i.output, 0);
        const float* in = at(memory, i.inputs[0], 0);
        const int rows = i.kind == Kind::Reduce ? batch_ : from.rows * batch_;
        buffers::sum_of_rows(in, rows, static_cast<int>(to.size()), out);
        return;
    }
    for (int example = 0; example < i.examples; ++example) {
        float* out = room_at(memory, i.output, example);
        if (i.kind == Kind::ReduceProduct || i.op == Op::MatMul) {
            product(memory, i, at(memory, i.inputs[0], example), at(memory, i.inputs[1], example), out);
            continue;
        }
        buffers::Call call{&i.params, {}, out, i.rows, to.cols, memory.scratch_.data()};
        assert(i.inputs.size() <= kMostInputs);
        buffers::View views[kMostInputs];
        const bool together = i.examples == 1 && to.batched;
        for (std::size_t k = 0; k < i.inputs.size(); ++k) {
            const Buffer& from = buffers_[static_cast<std::size_t>(i.inputs[k])];
            const int rows = together && from.batched ? from.rows * batch_ : from.rows;
            views[k] = {at(memory, i.inputs[k], example), rows, from.cols};
        }
        call.inputs = {views, i.inputs.size()};
        operation_of(i.op).trained->value(call);
    }
}

}  // namespace attn::train
