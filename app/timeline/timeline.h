#pragma once
// When each step is on the stage. Time is an argument: a pose is a pure function of the timeline and the seconds.

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "app/timeline/labels.h"
#include "app/timeline/news.h"
#include "app/timeline/walk_pace.h"
#include "core/analysis/heads.h"
#include "core/analysis/prediction.h"
#include "core/trace/trace.h"

namespace app {

/// The steps as a learner counts them: the entries of the list and of the timeline, as far as a run has them.
enum class Stage : std::uint8_t {
    Vectors,
    States,
    Norm,
    Projections,
    Scores,
    Scale,
    Bias,
    Scope,
    Mask,
    Select,
    Softmax,
    Draw,
    Mix,
    Output,
    Residual,
    FeedForward,
    Predict,
};
inline constexpr int kStageCount = 17;

Stage stage_of(attn::Role role);

/// One step on the stage: it moves for `motion` seconds, then rests for `rest`.
struct Stop {
    attn::StepId step = attn::kNoStep;
    Stage stage = Stage::Vectors;
    double start = 0;
    double motion = 0;
    double rest = 0;
    News news = News::Usual;
    bool reverse = false;  ///< of the reverse pass
    double end() const { return start + motion + rest; }
};

/// Stops that follow each other in one stage of one block and time: an entry of the list of steps. Of a reverse pass:
/// those that make the gradient of one role's value.
struct Section {
    Stage stage = Stage::Vectors;
    bool encoder = false, cross = false;  ///< of an encoder's stack; of a decoder's look into it
    int layer = attn::kNoLayer, time = attn::kNoTime;
    int first = 0, last = 0;  ///< stops
    bool reverse = false;
    attn::Role role = attn::Role::Embeddings;  ///< of a reverse pass: whose gradient

    bool same_place(const Section& other) const {
        return reverse == other.reverse && encoder == other.encoder && cross == other.cross && layer == other.layer && time == other.time;
    }
    bool has(int stop) const { return stop >= first && stop <= last; }
};

struct Timeline {
    std::vector<Stop> stops;
    std::vector<Section> sections;  ///< in order; together they have every stop
    double length() const { return stops.empty() ? 0.0 : stops.back().end(); }
};

/// The steps worth showing for one head (attn::kNoHead where there is one), in order: its own, those of no head, and
/// those of a key and value head that it reads. Weights and patterns are not stops of their own: they stand beside the
/// product that reads them. The pace says how long each takes. A reverse pass comes behind the run, from its end to its
/// beginning, with the gradients of weights, too; it has a story's time of its own.
Timeline make_timeline(const attn::Trace& trace, int head, WalkPace pace = WalkPace::Story);

/// The weights that a story ends on: after its last step the words stand once more, with the arcs of the word that was
/// followed. kNoStep: it ends on its last step, because that tells a word that several heads found together, or one of a
/// translation, because the text is long, because words ask another text, or because no weights are held.
attn::StepId ends_on(const attn::Trace& trace, int head);
/// Where words ask another text it ends on this map: both texts in a line, and what each word reads of the other.
std::optional<attn::AttentionMap> ends_across(const attn::Trace& trace, int head);
/// What stands beside these arcs: the shares of the words that may come next, where the run is for what comes next; else kNoStep.
attn::StepId ends_before(const attn::Trace& trace, attn::StepId weights);
/// All of that, once for a run and a head.
struct StoryEnd {
    attn::StepId weights = attn::kNoStep;      ///< ends_on()
    std::vector<attn::LikelyWord> likely;      ///< of the words that may come behind the last one; empty: the text does not go on
    std::optional<attn::AttentionMap> across;  ///< ends_across(), where there are no weights to end on
    std::vector<std::string> written;          ///< of `across`: the word that each row is written as
};
StoryEnd story_end(const attn::Trace& trace, const AxisLabels& labels, int head);
/// Seconds of the last stop's rest: the step stands, then the arcs do.
inline constexpr double kStepStands = 0.9, kArcsStand = 2.4, kArcsCome = 0.6;

/// Which stop, and how far its motion is: 0 at its start, 1 from the end of the motion on.
struct Pose {
    int stop = 0;
    attn::StepId step = attn::kNoStep;
    double progress = 0;
    double arrived = 1;  ///< on the stage: how far what stays of the step before has come to its new place; then the motion begins
};
/// Times outside the timeline are taken as its ends. A timeline without stops gives kNoStep.
Pose pose_at(const Timeline& timeline, double time);
/// The same on the stage, where matrices first go to where the step needs them: a beginning of the motion is theirs.
Pose with_arrival(const Timeline& timeline, Pose pose);

/// The time at which a stop shows `progress` (1: the end of its motion).
double time_of(const Timeline& timeline, int stop, double progress);
/// The stop that shows a tag, or that of the same role which has most in common with it (another head, time …); −1 if
/// there is none.
int stop_of(const Timeline& timeline, const attn::Trace& trace, attn::Tag tag);
int stop_of(const Timeline& timeline, const attn::Trace& trace, attn::StepId step);

/// The section that a stop belongs to, as an index; −1 outside the timeline.
int section_of(const Timeline& timeline, int stop);
/// The section of that part of the formula which `stop` is in or comes to next, else the first; −1 when there is none.
int section_with(const Timeline& timeline, std::string_view part, int stop);

/// 0 → 1 with rest at both ends: fast, smooth, still. `t` outside 0…1 is clamped.
double ease(double t);
/// Where `t` stands between `from` and `to`, clamped to 0…1.
double phase(double t, double from, double to);

}  // namespace app
