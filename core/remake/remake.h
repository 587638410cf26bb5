#pragma once
// Values that a run evicts and that are recomputed when they are read. The run holds the residual stream, queries,
// keys, values and the outputs of heads and layers. Matrices of n×n numbers, the interior of the feed-forward layer,
// slices and transposes follow from these by a few operations, so the operations are stored instead of the numbers: the
// recipe. The run itself computes evicted values a few rows at a time, up to the next held value, and never has one of
// them whole.
//
// A recipe uses the operation that recorded the step, and every operation computes a row identically whichever other
// rows are computed with it, so a recomputed value has the same bytes as the first time.

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "core/trace/trace.h"

namespace attn {

/// How an evicted value is made.
struct Recipe {
    std::uint64_t number = 0;  ///< unique in the process
    StepId id = kNoStep;       ///< the step's id in its trace
    Step step;                 ///< its inputs are indices into `inputs`; it has no value
    std::vector<StepValue> inputs;
    std::vector<Note> notes;  ///< rows of inputs that overflowed float32; `step` is an index into `inputs`
    /// For numbers that stay on disk until they are read (read_later): returns them; there are no inputs then.
    std::function<std::shared_ptr<const Matrix>()> read;
    /// The same for some rows (first, count); may be empty.
    std::function<Matrix(Eigen::Index, Eigen::Index)> read_rows;
    /// For such numbers: the state of a row, which is found when it is looked at; may be empty.
    std::function<std::optional<RowState>(const RowVector&)> state;
    bool of_several_runs = false;  ///< once made it is cached, also by a run that needed it only in passing
    mutable std::atomic<bool> noted = false;  ///< its own rows have been checked for notes (Trace::notes)
    mutable std::mutex making;                ///< one thread makes it, others wait
    mutable std::weak_ptr<const Matrix> made;  ///< alive while anybody holds it
    mutable std::shared_ptr<const Matrix> pinned;  ///< read by a thread without a PinScope: stays as long as the step
    Recipe() = default;
    ~Recipe();
    Recipe(const Recipe&) = delete;
    Recipe& operator=(const Recipe&) = delete;
};

/// A checkpoint's run evicts values of this many numbers or more; smaller ones are held.
inline constexpr Eigen::Index kEvictFrom = Eigen::Index{1} << 14;

/// Whether this trace evicts such a step: a forward step of at least Trace::evict_from numbers whose operation and
/// role allow it (Evicted in operation.h), with nothing edited or replaced in it.
bool evicts(const Trace& t, const Step& step, Eigen::Index rows, Eigen::Index cols);
/// The value of an evicted step: shape and recipe, no numbers. `notes`: those of the earlier steps.
StepValue evict(const Trace& t, StepId id, Eigen::Index rows, Eigen::Index cols, const std::vector<Note>& notes);
/// The recipe of an input that stays on disk until it, or something made from it, is read. `read` must not throw; it is
/// called by one thread at a time.
/// `state`: what a note says of a row; empty: no row has one. `rows`: reads some rows without the others; empty: a reader of
/// some rows has the whole value read.
std::shared_ptr<const Recipe> read_later(std::function<std::shared_ptr<const Matrix>()> read,
                                         std::function<std::optional<RowState>(const RowVector&)> state = {},
                                         std::function<Matrix(Eigen::Index, Eigen::Index)> rows = {});
/// Whether a held value must be computed by rows, because its step reads an evicted one.
bool reads_evicted(const Trace& t, const Step& step);
/// compute() for such a step, without ever having the evicted inputs whole. Rows of these that need a note are added to
/// `notes`, which has those of the earlier steps. `finite` becomes true if the step's own numbers were checked on the
/// way and all are finite. Throws Cancelled.
FrozenMatrix compute_by_rows(const Trace& t, StepId id, std::vector<Note>& notes, bool& finite);
/// Whether a value's rows have not been checked for notes yet: it was evicted, and no step of the run has read it.
/// Trace::notes has nothing about it then; notes_of() and row_state() (trace.h) call the next two.
bool notes_wait(const StepValue& value);
std::vector<Note> late_notes(const StepValue& value);
std::optional<RowState> late_state(const StepValue& value, int row);

/// Pin scope: while one lives, references that this thread takes to evicted values stay valid; when it ends, the values
/// first read under it may be evicted again. They nest. A thread without one keeps all that it reads for as long as the
/// run exists, which is always safe but needs the memory for all of it. So loops over many steps open one per
/// iteration, the window one per frame, its worker threads one per job.
class PinScope {
public:
    PinScope();
    ~PinScope();
    PinScope(const PinScope&) = delete;
    PinScope& operator=(const PinScope&) = delete;
};

/// Bytes for the values of one run: three quarters for those it holds (a run that would hold more is refused), one
/// quarter for the cache of recomputed values (least recently used out first). For the whole process; initially half of
/// the machine's memory, at least 2 GiB.
double memory_budget();
double usual_memory_budget();
void set_memory_budget(double bytes);
/// The share of it that a run may hold.
inline double most_held() { return 0.75 * memory_budget(); }
/// Whether so many numbers exceed the whole cache of recomputed values, as the logits of many tokens over a large
/// vocabulary may. Such a value is made whole only where it is viewed from so near that cells are visible.
bool is_huge(Eigen::Index numbers);
/// Bytes of the cached recomputed values, without those that only a PinScope keeps alive.
std::size_t recomputed_bytes();

}  // namespace attn
