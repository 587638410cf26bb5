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

/// The steps as a learner counts them: the entries of the list and of the timeline, if a run has them.
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

/// Consecutive stops in one stage of one block and time: an entry in the list of steps. In a reverse pass, the stops
/// that make the gradient of one role's value.
struct Section {
    Stage stage = Stage::Vectors;
    bool encoder = false, cross = false;  ///< in an encoder's stack; in a decoder's cross-attention
    int layer = attn::kNoLayer, time = attn::kNoTime;
    int first = 0, last = 0;  ///< stops
    bool reverse = false;
    attn::Role role = attn::Role::Embeddings;  ///< in a reverse pass: whose gradient it is

    bool same_place(const Section& other) const {
        return reverse == other.reverse && encoder == other.encoder && cross == other.cross && layer == other.layer && time == other.time;
    }
    bool has(int stop) const { return stop >= first && stop <= last; }
};

struct Timeline {
    std::vector<Stop> stops;
    std::vector<Section> sections;  ///< in order; together they contain every stop
    double length() const { return stops.empty() ? 0.0 : stops.back().end(); }
};

/// The steps worth showing for one head (attn::kNoHead if there is only one), in order: its own, those of no head, and
/// those of a key/value head that it reads. Weight matrices and mask patterns are not stops: they are drawn next to the
/// product that reads them. `pace` sets how long each step takes. A reverse pass follows the run, from its end to its
/// beginning, and includes the gradients of weights; its story is timed separately.
Timeline make_timeline(const attn::Trace& trace, int head, WalkPace pace = WalkPace::Story);

/// The weights on which a story ends: after its last step the words are shown again with the arcs of the word that was
/// followed. kNoStep if it ends on its last step instead, because that is a word predicted from several heads, or a
/// word of a translation; because the text is long; because words attend to another text; or because no weights are
/// held.
attn::StepId ends_on(const attn::Trace& trace, int head);
/// Where words attend to another text, the story ends on this map: both texts in a line, with the weights between them.
std::optional<attn::AttentionMap> ends_across(const attn::Trace& trace, int head);
/// The step with the probabilities of the next word, shown next to these arcs if the run predicts the next word; else
/// kNoStep.
attn::StepId ends_before(const attn::Trace& trace, attn::StepId weights);
/// All of that, once per run and head.
struct StoryEnd {
    attn::StepId weights = attn::kNoStep;      ///< ends_on()
    std::vector<attn::LikelyWord> likely;      ///< the likeliest words after the last one; empty if the text ends there
    std::optional<attn::AttentionMap> across;  ///< ends_across(), if there are no weights to end on
    std::vector<std::string> written;          ///< for `across`: the word that each row writes
};
StoryEnd story_end(const attn::Trace& trace, const AxisLabels& labels, int head);
/// Seconds of the last stop's rest: for the step, then for the arcs, and how long of these the arcs take to appear.
inline constexpr double kStepSeconds = 0.9, kArcsSeconds = 2.4, kArcsAppearSeconds = 0.6;

/// The stop, and the progress of its motion: 0 at its start, 1 once the motion has ended.
struct Pose {
    int stop = 0;
    attn::StepId step = attn::kNoStep;
    double progress = 0;
    double arrived = 1;  ///< on the stage: how far matrices that stay have moved; the motion begins after that
};
/// Times outside the timeline are clamped. A timeline without stops gives kNoStep.
Pose pose_at(const Timeline& timeline, double time);
/// The same for the stage, where the first part of the motion moves matrices to where the step needs them.
Pose with_arrival(const Timeline& timeline, Pose pose);

/// The time at which a stop has this progress (1: the end of its motion).
double time_of(const Timeline& timeline, int stop, double progress);
/// The stop that shows a tag, or the one of the same role that matches best (another head, time …); −1 if there is
/// none.
int stop_of(const Timeline& timeline, const attn::Trace& trace, attn::Tag tag);
int stop_of(const Timeline& timeline, const attn::Trace& trace, attn::StepId step);

/// The section that a stop belongs to, as an index; −1 outside the timeline.
int section_of(const Timeline& timeline, int stop);
/// The section for that part of the formula that contains `stop` or comes next after it, else the first; −1 if there is
/// none.
int section_with(const Timeline& timeline, std::string_view part, int stop);

/// 0 → 1 with zero slope at both ends. `t` is clamped to 0…1.
double ease(double t);
/// The fraction of the way from `from` to `to`, clamped to 0…1.
double phase(double t, double from, double to);

}  // namespace app
