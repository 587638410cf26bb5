#include "app/anim/timeline.h"

#include <algorithm>

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
            return 2.4;
        case Op::Softmax:
            return 6.0;
        case Op::Slice:
            return 1.6;
        case Op::Concat:
            return 1.8;
    }
    return 1.0;
}

/// A pause after each motion, for the eye to arrive.
constexpr double kRest = 0.9;

bool is_operand(Role role) {
    switch (role) {
        case Role::QueryWeight:
        case Role::KeyWeight:
        case Role::ValueWeight:
        case Role::OutputWeight:
        case Role::QueryBias:
        case Role::KeyBias:
        case Role::ValueBias:
        case Role::OutputBias:
        case Role::MaskPattern:
        case Role::Positions:
            return true;
        default:
            return false;
    }
}

}  // namespace

Stage stage_of(Role role) {
    switch (role) {
        case Role::Embeddings:
        case Role::Positions:
        case Role::Inputs:
            return Stage::Vectors;
        case Role::QueryWeight:
        case Role::KeyWeight:
        case Role::ValueWeight:
        case Role::QueryBias:
        case Role::KeyBias:
        case Role::ValueBias:
        case Role::QueryProducts:
        case Role::KeyProducts:
        case Role::ValueProducts:
        case Role::Queries:
        case Role::Keys:
        case Role::Values:
            return Stage::Projections;
        case Role::KeysTransposed:
        case Role::Scores:
            return Stage::Scores;
        case Role::Scaled:
            return Stage::Scale;
        case Role::MaskPattern:
        case Role::Masked:
            return Stage::Mask;
        case Role::Weights:
            return Stage::Softmax;
        case Role::HeadOutput:
            return Stage::Mix;
        case Role::Joined:
        case Role::OutputWeight:
        case Role::OutputBias:
        case Role::OutputProducts:
        case Role::Output:
            return Stage::Output;
    }
    return Stage::Output;
}

Timeline make_timeline(const attn::Trace& trace, int head) {
    Timeline timeline;
    double time = 0;
    for (StepId id = 0; id < trace.size(); ++id) {
        const attn::Step& step = trace[id];
        if (is_operand(step.tag.role)) continue;
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
