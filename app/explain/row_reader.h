#pragma once
// Numbers of a run, for words about one of them: of a matrix that is not at hand, and may have a column a word of a
// vocabulary, only the row is made that is read.

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
