#include "app/timeline/timeline.h"

#include <algorithm>

#include "app/timeline/reverse.h"
#include "app/timeline/roles.h"

namespace app {
namespace {

using attn::Role;
using attn::StepId;

/// A pause after each motion, for the eye to follow.
constexpr double kRest = 0.9;

/// Seconds in which matrices that stay move to their new places, and the largest share of the motion that this may
/// take.
constexpr double kArrives = 0.45, kArrivesOfMotion = 0.3;

/// Seconds of an operation's motion at speed 1: one cell slowly, one row faster, the others at once.
constexpr double kMotion[] = {
#define OP_LOOK(name, seconds, lay_out, folds, in_reverse, of_nothing) seconds,
#include "app/timeline/op_looks.inc"
#undef OP_LOOK
};

/// Several heads can share these (grouped-query attention): their head number is the group's.
bool of_a_group(Role role) {
    return role == Role::Keys || role == Role::Values || role == Role::CachedKeys || role == Role::CachedValues;
}

/// The number of steps of the forward run; those of a reverse pass follow.
StepId forward_steps(const attn::Trace& trace) {
    const auto first = std::partition_point(trace.steps.begin(), trace.steps.end(),
                                            [](const attn::Step& step) { return !is_reverse(step.tag); });
    return static_cast<StepId>(first - trace.steps.begin());
}

/// Whether a step is a stop. In a reverse pass, gradients and intermediate results are.
bool is_stop(const attn::Step& step) {
    using attn::Op;
    if (!is_reverse(step.tag)) return !look_of(step.tag.role).operand;
    return is_gradient(step.tag) || (step.op != Op::Input && step.op != Op::Transpose);
}

/// Which steps belong to the shown head. A step of a key/value group is wanted where this head reads it, not where all
/// heads are joined.
std::vector<bool> shown_for(const attn::Trace& trace, int head) {
    std::vector<bool> wanted(static_cast<std::size_t>(trace.size()), false);
    const StepId forward = forward_steps(trace);
    for (StepId id = forward; id-- > 0;) {
        const attn::Tag tag = trace[id].tag;
        const bool own = tag.head == head && !of_a_group(tag.role);
        if (tag.head == attn::kNoHead || own) wanted[static_cast<std::size_t>(id)] = true;
        if (!wanted[static_cast<std::size_t>(id)] || tag.head == attn::kNoHead) continue;
        for (const StepId input : trace[id].inputs) wanted[static_cast<std::size_t>(input)] = true;
    }
    // Gradients are shown for the steps that are shown.
    for (StepId id = forward; id < trace.size(); ++id) {
        const attn::Tag tag = trace[id].tag;
        bool shown = tag.head == attn::kNoHead || (tag.head == head && !of_a_group(tag.role));
        for (StepId of = 0; of < forward && !shown && of_a_group(tag.role); ++of)
            shown = trace[of].tag == tag.of_pass(0) && wanted[static_cast<std::size_t>(of)];
        wanted[static_cast<std::size_t>(id)] = shown;
    }
    return wanted;
}

void add_to_section(Timeline& timeline, attn::Tag tag, Stage stage, bool encoders) {
    const auto at = static_cast<int>(timeline.stops.size());
    const bool encoder = tag.part == attn::Part::Encoder || tag.part == attn::Part::EncoderFeedForward ||
                         (tag.part == attn::Part::Source && encoders);
    const Section fresh{stage, encoder, tag.part == attn::Part::Cross, tag.layer, tag.time, at, at, is_reverse(tag), tag.role};
    if (!timeline.sections.empty()) {
        Section& last = timeline.sections.back();
        if (last.stage == stage && last.same_place(fresh) && (!fresh.reverse || last.role == fresh.role)) {
            last.last = at;
            return;
        }
    }
    timeline.sections.push_back(fresh);
}

}  // namespace

Stage stage_of(Role role) { return look_of(role).stage; }

Timeline make_timeline(const attn::Trace& trace, int head, WalkPace pace) {
    Timeline timeline;
    const std::vector<bool> wanted = shown_for(trace, head);
    // The second text belongs to the encoder, if there is one.
    const bool encoders = std::any_of(trace.steps.begin(), trace.steps.end(),
                                      [](const attn::Step& step) { return step.tag.part == attn::Part::Encoder; });
    std::vector<StepId> steps, back;
    for (StepId id = 0; id < trace.size(); ++id)
        if (wanted[static_cast<std::size_t>(id)] && is_stop(trace[id])) (is_reverse(trace[id].tag) ? back : steps).push_back(id);
    std::vector<News> news = news_of(trace, steps);
    std::vector<StorySeconds> story = story_seconds(trace, steps, news);
    const std::vector<News> back_news = news_of(trace, back);
    const std::vector<StorySeconds> back_story = story_seconds(trace, back, back_news);
    steps.insert(steps.end(), back.begin(), back.end());
    news.insert(news.end(), back_news.begin(), back_news.end());
    story.insert(story.end(), back_story.begin(), back_story.end());
    double time = 0;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const attn::Step& step = trace[steps[i]];
        const bool deep = pace == WalkPace::Deep || (pace == WalkPace::Step && news[i] != News::Nothing);
        Stop stop{steps[i],
                  stage_of(step.tag.role),
                  time,
                  deep ? kMotion[static_cast<std::size_t>(step.op)] : story[i].motion,
                  deep ? kRest : story[i].rest,
                  // In the paces with time for every step, each is treated as new.
                  pace != WalkPace::Story && news[i] == News::Again ? News::Usual : news[i],
                  is_reverse(step.tag)};
        // softmax(X Xᵀ) X has no projection after the mixture: its output is the mixture.
        if (!stop.reverse && step.tag.role == Role::Output && mixes_values(trace, steps[i])) stop.stage = Stage::Mix;
        add_to_section(timeline, step.tag, stop.stage, encoders);
        timeline.stops.push_back(stop);
        time = stop.end();
    }
    if (pace == WalkPace::Story && !timeline.stops.empty() && (ends_on(trace, head) != attn::kNoStep || ends_across(trace, head)))
        timeline.stops.back().rest = kStepSeconds + kArcsSeconds;
    return timeline;
}

namespace {

/// Whether no word attends to a later one, so that the run can predict the next word.
bool looks_at_none_behind(const attn::Matrix& weights) {
    for (Eigen::Index r = 0; r < weights.rows(); ++r)
        if ((weights.row(r).tail(weights.cols() - r - 1).array() != 0).any()) return false;
    return true;
}

}  // namespace

StepId ends_on(const attn::Trace& trace, int head) {
    constexpr std::size_t kMostTokens = 24;
    if (trace.tokens.size() > kMostTokens || forward_steps(trace) != trace.size()) return attn::kNoStep;
    bool predicts = false;
    for (StepId id = trace.size(); id-- > 0;) {
        const attn::Step& step = trace[id];
        predicts = predicts || stage_of(step.tag.role) == Stage::Predict;
        const auto tokens = [](const attn::Axis& axis) { return axis.kind == attn::Axis::Kind::Tokens; };
        const bool own = step.tag.head == attn::kNoHead || step.tag.head == head;
        if (step.tag.role == Role::Weights && own && step.tag.time == attn::kNoTime && tokens(step.rows) && tokens(step.cols) &&
            step.value.rows() > 1 && step.value.rows() == step.value.cols())
            return !predicts || (looks_at_none_behind(step.value) ? trace.source_tokens.empty() : step.tag.head == attn::kNoHead) ? id : attn::kNoStep;
    }
    return attn::kNoStep;
}

std::optional<attn::AttentionMap> ends_across(const attn::Trace& trace, int head) {
    constexpr std::size_t kMostTokens = 24;
    if (std::max(trace.tokens.size(), trace.source_tokens.size()) > kMostTokens || forward_steps(trace) != trace.size()) return std::nullopt;
    std::vector<attn::AttentionMap> maps = attn::attention_maps(trace);
    const auto across = [&](const attn::AttentionMap& map) {
        return map.queries.kind == attn::Axis::Kind::Tokens && map.keys.kind == attn::Axis::Kind::SourceTokens && map.rows() > 1 &&
               (map.tag.head == attn::kNoHead || map.tag.head == head);
    };
    const auto last = std::find_if(maps.rbegin(), maps.rend(), across);
    return last == maps.rend() ? std::nullopt : std::optional(std::move(*last));
}

StepId ends_before(const attn::Trace& trace, StepId weights) {
    if (weights == attn::kNoStep || !looks_at_none_behind(trace[weights].value)) return attn::kNoStep;
    const StepId shares = attn::find_id(trace, {Role::Probabilities});
    return shares != attn::kNoStep && trace[shares].value.rows() == trace[weights].value.rows() ? shares : attn::kNoStep;
}

namespace {

std::vector<std::string> words_written(const attn::Trace& trace, const AxisLabels& labels, const attn::AttentionMap& map) {
    const bool own = attn::writes_own_place(trace);
    std::vector<std::string> out;
    for (int r = own ? 0 : 1; r < map.rows(); ++r) out.push_back(labels.of(map.queries, r));
    if (own) return out;
    const StepId shares = attn::find_id(trace, {Role::Probabilities});
    const bool said = shares != attn::kNoStep && trace[shares].value.rows() == map.rows();
    out.push_back(said ? attn::likeliest(trace, shares, map.rows() - 1, 1).front().text : "…");
    return out;
}

}  // namespace

StoryEnd story_end(const attn::Trace& trace, const AxisLabels& labels, int head) {
    constexpr int kWordsToCome = 5;
    StoryEnd out{.weights = ends_on(trace, head), .likely = {}, .across = {}, .written = {}};
    if (out.weights == attn::kNoStep) {
        out.across = ends_across(trace, head);
        if (out.across) out.written = words_written(trace, labels, *out.across);
    } else if (const StepId shares = ends_before(trace, out.weights); shares != attn::kNoStep) {
        out.likely = attn::likeliest(trace, shares, static_cast<int>(trace[shares].value.rows()) - 1, kWordsToCome);
    }
    return out;
}

Pose pose_at(const Timeline& timeline, double time) {
    if (timeline.stops.empty()) return {};
    const auto after = std::upper_bound(timeline.stops.begin(), timeline.stops.end(), time,
                                        [](double t, const Stop& stop) { return t < stop.start; });
    const auto at = after == timeline.stops.begin() ? after : after - 1;
    const double progress = std::clamp((time - at->start) / at->motion, 0.0, 1.0);
    return {static_cast<int>(at - timeline.stops.begin()), at->step, progress};
}

Pose with_arrival(const Timeline& timeline, Pose pose) {
    if (pose.stop <= 0 || pose.stop >= static_cast<int>(timeline.stops.size())) return pose;
    const double share = std::min(kArrivesOfMotion, kArrives / timeline.stops[static_cast<std::size_t>(pose.stop)].motion);
    pose.arrived = phase(pose.progress, 0, share);
    pose.progress = phase(pose.progress, share, 1);
    return pose;
}

double time_of(const Timeline& timeline, int stop, double progress) {
    if (timeline.stops.empty()) return 0;
    const auto last = static_cast<int>(timeline.stops.size()) - 1;
    const Stop& s = timeline.stops[static_cast<std::size_t>(std::clamp(stop, 0, last))];
    return s.start + std::clamp(progress, 0.0, 1.0) * s.motion;
}

int stop_of(const Timeline& timeline, const attn::Trace& trace, attn::Tag tag) {
    int best = -1, most = -1;
    for (std::size_t i = 0; i < timeline.stops.size(); ++i) {
        const attn::Tag shown = trace[timeline.stops[i].step].tag;
        if (shown.role != tag.role || is_reverse(shown) != is_reverse(tag)) continue;
        const int common = (shown.pass == tag.pass) * 16 + (shown.part == tag.part) * 8 + (shown.layer == tag.layer) * 4 +
                           (shown.time == tag.time) * 2 + (shown.head == tag.head);
        if (common <= most) continue;
        most = common;
        best = static_cast<int>(i);
    }
    return best;
}

int stop_of(const Timeline& timeline, const attn::Trace& trace, StepId step) {
    return step == attn::kNoStep ? -1 : stop_of(timeline, trace, trace[step].tag);
}

int section_of(const Timeline& timeline, int stop) {
    for (std::size_t i = 0; i < timeline.sections.size(); ++i)
        if (timeline.sections[i].has(stop)) return static_cast<int>(i);
    return -1;
}

int section_with(const Timeline& timeline, std::string_view part, int stop) {
    int first = -1;
    for (std::size_t i = 0; i < timeline.sections.size(); ++i) {
        if (look_of(timeline.sections[i].stage).part != part) continue;
        if (timeline.sections[i].last >= stop) return static_cast<int>(i);
        if (first < 0) first = static_cast<int>(i);
    }
    return first;
}

double ease(double t) {
    t = std::clamp(t, 0.0, 1.0);
    return t * t * t * (t * (6 * t - 15) + 10);
}

double phase(double t, double from, double to) { return std::clamp((t - from) / (to - from), 0.0, 1.0); }

}  // namespace app
