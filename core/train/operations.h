#pragma once
// The operations of ops.h, into memory that is there. Same definitions, float32 throughout where ops.h sums in float64:
// what trains need not show its last digit. Internal to the plan.

#include <span>

#include "core/trace/trace.h"

namespace attn::train::operation {

struct View {
    const float* data = nullptr;
    int rows = 0, cols = 0;
    const float* row(int r) const { return data + static_cast<std::ptrdiff_t>(r) * cols; }
    float operator()(int r, int c) const { return row(r)[c]; }
};

struct Call {
    Op op;
    const Params* params;
    std::span<const View> inputs;
    float* out;
    int rows, cols;  ///< of the output
    float* room;
};

/// Whether the operation is made here at all (MatMul is the plan's own).
bool known(Op op);
/// Whether the rows of many examples, one below the other, are made as those of one.
bool row_by_row(Op op);
void compute(const Call& call);
/// out[c] = Σ_r in[r, c], r in order.
void sum_of_rows(const float* in, int rows, int cols, float* out);

}  // namespace attn::train::operation
