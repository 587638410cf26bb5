#pragma once
// The bookkeeping of a reverse pass, for the rules of the operations (gradient_rules.cpp). Internal to the gradient.

#include "core/gradient/gradient.h"

namespace attn {

/// Whether the value of a step changes smoothly with this input.
bool has_slope(const Trace& t, const Step& step, std::size_t slot);

class ReversePass {
public:
    ReversePass(Trace& t, std::span<const Objective> objectives, const std::vector<bool>& wanted);
    Gradients run();

    Trace& trace() { return t_; }
    /// Whether this input of this step is to get a gradient.
    bool wants(const Step& step, std::size_t slot) const;

    /// The tag of a step on the way to the gradient of `of`.
    Tag on_the_way(StepId of);
    /// The tag of what one use puts into the gradient of `of`: the gradient's own where it is the only one.
    Tag of_use(StepId of);
    /// `gradient` is what one use puts in.
    void put_in(StepId of, StepId gradient) { uses_[index(of)].parts.push_back(gradient); }
    /// Only columns (rows) from `first` on were used.
    void put_in_columns(StepId of, int first, StepId gradient) { uses_[index(of)].columns.push_back({first, gradient}); }
    void put_in_rows(StepId of, int first, StepId gradient) { uses_[index(of)].rows.push_back({first, gradient}); }

    /// The transpose of a step, recorded once for the pass; a matrix transposed twice is what it came from.
    StepId transposed(StepId step);
    /// The step without what was typed over: itself, or recorded again.
    StepId untouched(StepId step);
    /// A constant on the way to the gradient of `of`.
    StepId constant(StepId of, Matrix value, Axis rows, Axis cols);
    /// The same, holding what these values decided.
    StepId decision(StepId of, Matrix value, Axis rows, Axis cols);

private:
    struct Piece {
        int first;
        StepId gradient;
    };
    /// What the uses of one step put into its gradient.
    struct Uses {
        int expected = 0, named = 1;
        std::vector<StepId> parts;
        std::vector<Piece> columns, rows;
    };

    static std::size_t index(StepId id) { return static_cast<std::size_t>(id); }
    void find_active(std::span<const Objective> objectives, const std::vector<bool>& wanted);
    void count_uses();
    void join_columns(StepId of);
    void join_rows(StepId of);
    StepId collected(StepId of);
    StepId kept_only(StepId step, StepId gradient);

    Trace& t_;
    Gradients out_;
    std::vector<bool> active_;
    std::vector<Uses> uses_;
    std::vector<StepId> turned_;
};

/// What a step's gradient g puts into the gradients of its inputs.
void pass_back(ReversePass& pass, StepId step, StepId g);

}  // namespace attn
