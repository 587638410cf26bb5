#pragma once
// The bookkeeping of a backward pass, for the operations' rules (core/ops/rule.h). Internal to the gradient.

#include "core/gradient/gradient.h"
#include "core/ops/rule.h"

namespace attn {

class ReversePass final : public GradientPass {
public:
    ReversePass(Trace& t, std::span<const Objective> objectives, const std::vector<bool>& wanted);
    Gradients run();

    Trace& trace() override { return t_; }
    bool wants(const Step& step, std::size_t slot) const override;
    Tag on_the_way(StepId of) override;
    Tag of_use(StepId of) override;
    void put_in(StepId of, StepId gradient) override { uses_[index(of)].parts.push_back(gradient); }
    void put_in_columns(StepId of, int first, StepId gradient) override { uses_[index(of)].columns.push_back({first, gradient}); }
    void put_in_rows(StepId of, int first, StepId gradient) override { uses_[index(of)].rows.push_back({first, gradient}); }
    StepId transposed(StepId step) override;
    StepId untouched(StepId step) override;
    StepId constant(StepId of, Matrix value, Axis rows, Axis cols) override;
    StepId decision(StepId of, Matrix value, Axis rows, Axis cols) override;

private:
    struct Piece {
        int first;
        StepId gradient;
    };
    /// The contributions of one step's uses to its gradient.
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
    StepId without_replaced(StepId step, StepId gradient);

    Trace& t_;
    Gradients out_;
    std::vector<bool> active_;
    std::vector<Uses> uses_;
    std::vector<StepId> turned_;
};

}  // namespace attn
