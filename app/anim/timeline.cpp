#include "app/anim/timeline.h"

#include <algorithm>

#include "app/anim/roles.h"

namespace app {
namespace {

using attn::Op;
using attn::Role;
using attn::StepId;

/// Seconds that an operation moves at speed 1: one cell slowly, one row faster, the rest at once.
double motion_of(Op op) {
    switch (op) {
        case Op::Input:
            return 1.2;
        case Op::MatMul:
            return 6.0;
        case Op::Transpose:
            return 2.0;
        case Op::Scale:
            return 2.4;
        case Op::Add:
        case Op::AddRow:
            return 2.0;
        case Op::Mask:
        case Op::TopK:
        case Op::TopP:
        case Op::Window:
        case Op::Gaussian:
            return 2.4;
        case Op::Softmax:
        case Op::Sparsemax:
        case Op::Draw:
        case Op::Recur:
            return 6.0;
        case Op::LayerNorm:
        case Op::RmsNorm:
        case Op::Rotate:
        case Op::PairSum:
        case Op::PairConcat:
            return 4.0;
        case Op::Multiply:
        case Op::Divide:
        case Op::Activate:
        case Op::Unit:
        case Op::Fold:
        case Op::Spread:
        case Op::Collect:
        case Op::RowSum:
        case Op::RowMax:
        case Op::ColumnSum:
        case Op::ExpShift:
        case Op::Penalty:
            return 2.4;
        case Op::Slice:
        case Op::SliceRows:
            return 1.6;
        case Op::Concat:
        case Op::Stack:
            return 1.8;
    }
    return 1.0;
}

/// A pause after each motion, for the eye to arrive.
constexpr double kRest = 0.9;

}  // namespace

Stage stage_of(Role role) { return look_of(role).stage; }

Timeline make_timeline(const attn::Trace& trace, int head) {
    Timeline timeline;
    double time = 0;
    for (StepId id = 0; id < trace.size(); ++id) {
        const attn::Step& step = trace[id];
        if (look_of(step.tag.role).operand) continue;
        if (step.tag.head != attn::kNoHead && step.tag.head != head) continue;
        Stop stop{id, stage_of(step.tag.role), time, motion_of(step.op), kRest};
        // softmax(X Xᵀ) X has no projection after the mixture: its output is the mixture.
        if (step.tag.role == Role::Output && trace[step.inputs[0]].tag.role == Role::Weights) stop.stage = Stage::Mix;
        timeline.stops.push_back(stop);
        time = stop.end();
    }
    return timeline;
}

Pose pose_at(const Timeline& timeline, double time) {
    if (timeline.stops.empty()) return {};
    const auto after = std::upper_bound(timeline.stops.begin(), timeline.stops.end(), time,
                                        [](double t, const Stop& stop) { return t < stop.start; });
    const auto at = after == timeline.stops.begin() ? after : after - 1;
    const double progress = std::clamp((time - at->start) / at->motion, 0.0, 1.0);
    return {static_cast<int>(at - timeline.stops.begin()), at->step, progress};
}

double time_of(const Timeline& timeline, int stop, double progress) {
    if (timeline.stops.empty()) return 0;
    const auto last = static_cast<int>(timeline.stops.size()) - 1;
    const Stop& s = timeline.stops[static_cast<std::size_t>(std::clamp(stop, 0, last))];
    return s.start + std::clamp(progress, 0.0, 1.0) * s.motion;
}

int stop_of(const Timeline& timeline, const attn::Trace& trace, StepId step) {
    if (step == attn::kNoStep) return -1;
    int same_role = -1;
    for (std::size_t i = 0; i < timeline.stops.size(); ++i) {
        const StepId shown = timeline.stops[i].step;
        if (shown == step) return static_cast<int>(i);
        if (same_role < 0 && trace[shown].tag.role == trace[step].tag.role) same_role = static_cast<int>(i);
    }
    return same_role;
}

StopRange stops_of(const Timeline& timeline, Stage stage) {
    StopRange range;
    for (std::size_t i = 0; i < timeline.stops.size(); ++i) {
        if (timeline.stops[i].stage != stage) continue;
        if (range.first < 0) range.first = static_cast<int>(i);
        range.last = static_cast<int>(i);
    }
    return range;
}

double ease(double t) {
    t = std::clamp(t, 0.0, 1.0);
    return t * t * t * (t * (6 * t - 15) + 10);
}

double phase(double t, double from, double to) { return std::clamp((t - from) / (to - from), 0.0, 1.0); }

}  // namespace app
