#pragma once
// Training in front of the user: what is chosen, what the job is told to do, and what can be done. The job itself
// (job.h) owns the trainer; what it has published is in Derived.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/model/model.h"
#include "core/train/variations.h"

namespace app {

/// What the screen shows, and of which training.
struct TrainingLook {
    std::string task = "questions";  ///< Task::id; one that there is not: the first of the table
    std::string size;                ///< TaskSize::id; empty: the usual one
    int seed = 0;
    std::string beside;     ///< Variation::id: trained beside it, on the same seed; empty, or one that does not apply: nothing
    int example = 0;        ///< of the task's
    std::string text;       ///< of the learner's own, in place of the example's; empty: none
    std::int64_t at = -1;   ///< the step of the snapshot that is shown; −1: the newest
    int speed = 0;          ///< steps a second at most; 0: as fast as possible
    // What the job is told.
    std::uint64_t run = 0;  ///< another one begins anew
    bool running = false;
    std::int64_t until = 0;  ///< while it is not running: so many steps are taken all the same
    bool operator==(const TrainingLook&) const = default;
};

/// The row of the table, and its options in full.
const attn::train::Task& task_of(const TrainingLook& look);
attn::train::TaskOptions options_of(const TrainingLook& look);
/// What is trained beside it; null: nothing.
const attn::train::Variation* beside_of(const TrainingLook& look);

// Actions.

/// Another task, size, seed, or another variation beside it: what was trained is let go.
struct ChooseTraining {
    std::string task, size;
    int seed = 0;
    std::string beside = {};
};
/// Begins, or goes on.
struct StartTraining {};
struct PauseTraining {};
/// One step more than have been taken.
struct StepTraining {
    int steps = 1;
};
/// What was trained is let go; the same task may begin again.
struct StopTraining {};
/// To the snapshot whose step is nearest; −1: to the newest, as it is made.
struct SeekSnapshot {
    std::int64_t step = -1;
};
/// To the next or the previous snapshot.
struct TurnSnapshot {
    int by = 1;
};
/// The document shall use the model of the snapshot that is shown, or of the one beside it.
struct TakeSnapshot {
    bool beside = false;
};
/// It has become a model, or could not be written.
struct SnapshotTaken {
    attn::ModelPtr model;  ///< null: `problem` says why
    std::string problem;
};
using TrainingAction = std::variant<ChooseTraining, StartTraining, PauseTraining, StepTraining, StopTraining, SeekSnapshot,
                                    TurnSnapshot, TakeSnapshot, SnapshotTaken>;

struct AppState;
struct Derived;
/// True: the document changed.
bool act_on(AppState& state, const TrainingAction& action, const Derived& derived);

}  // namespace app
