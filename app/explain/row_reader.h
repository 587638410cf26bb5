#pragma once
// Reads single numbers of a run. If a matrix is evicted (it may have a column for each word of a vocabulary), only the
// row that is read is recomputed.

#include "core/trace/trace.h"

namespace app {

class RowReader {
public:
    explicit RowReader(const attn::Trace& trace) : trace_(trace) {}

    float operator()(attn::Cell cell) const {
        const attn::StepValue& value = trace_[cell.step].value;
        if (value.at_hand()) return value(cell.row, cell.col);
        if (step_ != cell.step || row_ != cell.row) made_ = value.one_row(cell.row);
        step_ = cell.step;
        row_ = cell.row;
        return made_[cell.col];
    }

private:
    const attn::Trace& trace_;
    mutable attn::StepId step_ = attn::kNoStep;
    mutable int row_ = 0;
    mutable attn::RowVector made_;
};

}  // namespace app
