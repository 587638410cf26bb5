#pragma once
// Values that a run lets go of and that are made again when somebody looks. The residual stream, queries, keys and values
// and what heads and layers make are held; matrices of n×n numbers, the insides of the feed-forward layer, cuts and
// transposes follow from these by a few operations, which are kept instead of the numbers: the recipe. The run itself
// makes them a few rows at a time, up to the next value that is held, and never has one of them whole.
//
// The operations are those that recorded the step, and each makes a row of numbers the same whichever rows it is given
// with it (ATTENTION 9), so that what is made again has the bytes that it had at first.

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "core/trace/trace.h"

namespace attn {

/// What a value that was let go of is made of.
struct Recipe {
    std::uint64_t number = 0;  ///< no two recipes of a process have the same
    StepId id = kNoStep;       ///< of the step in its trace
    Step step;                 ///< inputs count in `inputs`; without a value
    std::vector<StepValue> inputs;
    std::vector<Note> notes;  ///< rows of inputs beyond float32; `step` counts in `inputs`
    /// Of numbers that stay on disk until somebody looks (read_later): gives them; then there are no inputs.
    std::function<std::shared_ptr<const Matrix>()> read;
    bool of_several_runs = false;  ///< once made it stays, also for a run that only needed it
    mutable std::atomic<bool> noted = false;  ///< its own rows have been looked through (Trace::notes)
    mutable std::mutex making;                ///< one thread makes it, others wait
    mutable std::weak_ptr<const Matrix> made;  ///< while anybody holds it
    mutable std::shared_ptr<const Matrix> pinned;  ///< looked at by a thread without a Looking: for as long as the step
    Recipe() = default;
    ~Recipe();
    Recipe(const Recipe&) = delete;
    Recipe& operator=(const Recipe&) = delete;
};

/// A value of so many numbers and more is let go of by the run of a checkpoint; a smaller one is held.
inline constexpr Eigen::Index kLetGoFrom = Eigen::Index{1} << 14;

/// Whether this trace lets go of a step like this: it is a forward step with one of the roles that are made again, of
/// Trace::let_go_from numbers or more, nothing is typed over in it, and its operation works row by row.
bool lets_go(const Trace& t, const Step& step, Eigen::Index rows, Eigen::Index cols);
/// The value of a step that is let go of: shape and recipe, no numbers. `notes`: of the steps before.
StepValue let_go(const Trace& t, StepId id, Eigen::Index rows, Eigen::Index cols, const std::vector<Note>& notes);
/// The recipe of an input that stays where it is until somebody looks at it, or at what is made of it. `read` must not
/// throw, and is called by one thread at a time.
std::shared_ptr<const Recipe> read_later(std::function<std::shared_ptr<const Matrix>()> read);
/// Whether the value of a step that is held is to be made by rows: it reads one that was let go of.
bool reads_let_go(const Trace& t, const Step& step);
/// compute() of such a step, without any of what was let go of ever being there whole; rows of these that a reader must
/// be told of are noted: `notes` has those of the steps before. `finite` becomes true where its own numbers were looked at on
/// the way, and all are finite. Throws Cancelled.
FrozenMatrix compute_by_rows(const Trace& t, StepId id, std::vector<Note>& notes, bool& finite);
/// Whether nobody has looked yet which rows of a value must be told apart: it was let go of, and no step of the run has
/// read it. Then Trace::notes says nothing of it; notes_of() and row_state() (trace.h) ask these.
bool notes_wait(const StepValue& value);
std::vector<Note> late_notes(const StepValue& value);
std::optional<RowState> late_state(const StepValue& value, int row);

/// While one lives, this thread may hold references to values that were let go of; when it ends, what was looked at under
/// it may go. They nest: what was first looked at under the inner one goes with it. A thread without any keeps what
/// it looks at for as long as the run is there, which is always safe and needs the memory of all of it: loops over many
/// steps have one around each round, the window around each frame, its threads around each job.
class Looking {
public:
    Looking();
    ~Looking();
    Looking(const Looking&) = delete;
    Looking& operator=(const Looking&) = delete;
};

/// Bytes that the values of one run may take: those that it holds (a run that would hold more is refused), and a quarter
/// of it beside them for what was made again, of which those longest unused go first. For the whole process; at the start
/// half of the machine's memory, but no less than 2 GiB.
double memory_budget();
double usual_memory_budget();
void set_memory_budget(double bytes);
/// What of it a run may hold.
inline double most_held() { return 0.75 * memory_budget(); }
/// So many numbers take more than what is made again may take in all: logits of many tokens and words. They are made whole
/// only where they are looked at from so near that cells are seen.
bool is_huge(Eigen::Index numbers);
/// Bytes of what was made again and is kept now, without those that are pinned by a Looking alone.
std::size_t remade_bytes();

}  // namespace attn
