#pragma once
// Interactive training: what is chosen, what the job is ordered to do, and the actions. The job itself (job.h) owns the
// trainer; what it has published is in Derived.

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
    std::string task = "questions";  ///< Task::id; unknown ones mean the first of the table
    std::string size;                ///< TaskSize::id; empty: the usual one
    int seed = 0;
    std::string beside;     ///< Variation::id: trained in parallel, with the same seed; empty, not applicable: none
    int example = 0;        ///< index among the task's examples
    std::string text;       ///< the learner's own, instead of the example's; empty: none
    std::int64_t at = -1;   ///< step of the shown snapshot; −1: the newest
    int speed = 0;          ///< maximum steps per second; 0: as fast as possible
    // The order for the job.
    std::uint64_t run = 0;  ///< a new number starts anew
    bool running = false;
    std::int64_t until = 0;  ///< this many steps are taken even while it is not running
    bool operator==(const TrainingLook&) const = default;
};

/// The row of the table, and its complete options.
const attn::train::Task& task_of(const TrainingLook& look);
attn::train::TaskOptions options_of(const TrainingLook& look);
/// The variation that is trained in parallel; null: none.
const attn::train::Variation* beside_of(const TrainingLook& look);


// Actions.

/// Another task, size, seed or variation; discards what was trained.
struct ChooseTraining {
    std::string task, size;
    int seed = 0;
    std::string beside = {};
};
/// Starts, or continues.
struct StartTraining {};
struct PauseTraining {};
/// Pauses, and takes this many more steps.
struct StepTraining {
    int steps = 1;
};
/// Discards what was trained; the same task can then be started again.
struct StopTraining {};
/// Goes to the snapshot whose step is nearest; −1: to the newest, and follows it.
struct SeekSnapshot {
    std::int64_t step = -1;
};
/// To the next or the previous snapshot.
struct TurnSnapshot {
    int by = 1;
};
/// The document is to use the model of the shown snapshot, or of the variation's.
struct TakeSnapshot {
    bool beside = false;
};
/// The snapshot has become a model, or could not be written.
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
