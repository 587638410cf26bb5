// record.h, and the deferred heads of side_by_side.h.
#include "core/ops/record.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <utility>

#include "core/base/cancel.h"
#include "core/base/parallel.h"
#include "core/base/progress.h"
#include "core/kernels/multiply.h"
#include "core/ops/measure.h"
#include "core/ops/ops.h"
#include "core/ops/pattern_rules.h"
#include "core/ops/side_by_side.h"
#include "core/remake/remake.h"

namespace attn {
namespace {

/// For a cell that is replaced twice, the first entry holds the computed number.
void put(Step& step, Matrix& value, int row, int col, float number, std::size_t noted_before) {
    float& cell = value(row, col);
    const auto before = step.replaced.begin() + static_cast<std::ptrdiff_t>(noted_before);
    const bool noted = std::any_of(step.replaced.begin(), before, [&](const Step::Replaced& one) { return one.row == row && one.col == col; });
    if (!noted) step.replaced.push_back({row, col, cell});
    cell = number;
}

/// What can replace the rows of a step: one row for all of them, or one for each.
struct Instead {
    RowVector all;
    Matrix each;
};

Instead what_replaces(const Trace& t, const Replacement& by, const Step& step) {
    if (by.by == Replacement::By::Rule) return {{}, pattern_by_rule(t, step, *by.rule)};
    if (by.by == Replacement::By::Mean) return {step.value.matrix().cast<double>().colwise().mean().cast<float>(), {}};
    return {RowVector::Zero(step.value.cols()), {}};
}

/// What replaces a row; nullopt: the row stays.
std::optional<RowVector> put_in_row(const Replacement& by, const Instead& instead, const Step& step, int row) {
    const int token = step.rows.first + row;
    if (!by.tokens.empty() && !std::binary_search(by.tokens.begin(), by.tokens.end(), token)) return std::nullopt;
    if (by.by == Replacement::By::Rule) return RowVector(instead.each.row(row));
    if (by.by != Replacement::By::Given) return instead.all;
    if (token >= by.given.rows()) return std::nullopt;
    return RowVector(by.given.matrix().row(token));
}

void apply_replacement(const Trace& t, const Replacement& by, Step& step) {
    const PinScope pins;
    Matrix value(step.value.matrix());
    const Instead instead = what_replaces(t, by, step);
    const std::size_t noted_before = step.replaced.size();
    for (int row = 0; row < static_cast<int>(value.rows()); ++row)
        if (const auto numbers = put_in_row(by, instead, step, row))
            for (int col = 0; col < static_cast<int>(value.cols()); ++col) put(step, value, row, col, (*numbers)(col), noted_before);
    step.value = std::move(value);
}

/// Edits go into a copy, because others share what the document gave.
void apply_edits(const Trace& t, Step& step) {
    for (const Replacement& by : t.replacements)
        if (by.concerns(step.tag)) apply_replacement(t, by, step);
    const auto concerns = [&step](const Edit& edit) {
        return edit.tag == step.tag && edit.row < step.value.rows() && edit.col < step.value.cols();
    };
    if (std::none_of(t.edits.begin(), t.edits.end(), concerns)) return;
    Matrix value(step.value.matrix());
    for (const Edit& edit : t.edits) {
        if (!concerns(edit)) continue;
        put(step, value, edit.row, edit.col, edit.value, step.replaced.size());
    }
    step.value = std::move(value);
}

/// A step of a run over shapes: only its cost is counted.
StepId record_shape(Trace& t, Step& step) {
    if (step.op != Op::Input) {
        const Shape shape = shape_of(t, step);
        step.value = FrozenMatrix::of_shape(shape.rows, shape.cols);
    }
    const bool held = !evicts(t, step, step.value.rows(), step.value.cols());
    const Cost done = cost(t, t.size() - 1);
    t.shapes->sum.multiply_adds += t.shapes->times * done.multiply_adds;
    t.shapes->sum.held += held ? t.shapes->times * done.bytes : 0;
    t.shapes->sum.bytes += t.shapes->times * done.bytes;
    t.shapes->sum.work += t.shapes->times * done.work;
    return t.size() - 1;
}

/// Sets the value of a step, or its recipe. `notes`: has those of the earlier steps; new ones are appended.
void compute_step(const Trace& t, StepId id, Step& step, std::vector<Note>& notes) {
    if (t.evict_from) {
        const Shape shape = shape_of(t, step);
        if (evicts(t, step, shape.rows, shape.cols)) {
            step.value = evict(t, id, shape.rows, shape.cols, notes);
            return;
        }
    }
    bool finite = false;
    if (step.op != Op::Input && reads_evicted(t, step))
        step.value = compute_by_rows(t, id, notes, finite);
    else if (step.op == Op::MatMul)
        step.value = multiply(t[step.inputs[0]].value, t[step.inputs[1]].value, finite);
    else if (step.op != Op::Input)
        step.value = compute(t, step, notes);
    apply_edits(t, step);
    if (!finite || !step.replaced.empty()) note_rows(t, id, notes);
}

/// What a head's steps add to the trace besides their values.
struct Lane {
    std::vector<StepId> steps;
    std::vector<Note> notes;
    std::exception_ptr error;
};

/// Computes the steps of one head. (An evicted step's work is counted here, although the step that reads it does it.)
void compute_lane(Trace& t, Lane& lane, std::atomic<double>& work) {
    const PinScope pins;
    try {
        lane.notes = t.notes;
        for (const StepId id : lane.steps) {
            check(t.stop);
            compute_step(t, id, t.steps[static_cast<std::size_t>(id)], lane.notes);
            work.fetch_add(cost(t, id).work, std::memory_order_relaxed);
        }
    } catch (...) {
        lane.error = std::current_exception();
    }
}

/// Whether all threads stay busy to the end; a few large heads are better split by rows.
bool worth_sharing(const Trace& t, const std::vector<Lane>& lanes) {
    constexpr double kLarge = 4'000'000;  // multiply-adds per head
    double work = 0;
    for (const Lane& lane : lanes)
        for (const StepId id : lane.steps) work += cost(t, id).work;
    const auto heads = static_cast<int>(lanes.size());
    return work < kLarge * heads || heads % threads() == 0 || heads >= 4 * threads();
}

/// Computes the deferred steps; those recorded next may be deferred again.
void compute_waiting(Trace& t) {
    std::vector<Lane> lanes;
    for (std::vector<StepId>& head : t.heads->waiting)
        if (!head.empty()) lanes.push_back({std::exchange(head, {}), {}, nullptr});
    std::atomic<double> work = 0;
    const auto tell = [&work] {
        if (work_is_counted()) count_work(work.exchange(0));  // only on the thread whose progress is counted
    };
    const auto compute_one = [&](int i) {
        compute_lane(t, lanes[static_cast<std::size_t>(i)], work);
        tell();
    };
    const auto count = static_cast<int>(lanes.size());
    if (worth_sharing(t, lanes))
        share_parts(count, compute_one);
    else
        for (int i = 0; i < count; ++i) compute_one(i);
    tell();
    const auto before = static_cast<std::ptrdiff_t>(t.notes.size());
    for (const Lane& lane : lanes) {
        if (lane.error) std::rethrow_exception(lane.error);
        t.notes.insert(t.notes.end(), lane.notes.begin() + before, lane.notes.end());
    }
    std::stable_sort(t.notes.begin() + before, t.notes.end(), [](const Note& a, const Note& b) { return a.step < b.step; });
}

bool waits(const Trace& t, StepId id) { return t[id].value.is_shape(); }

/// Whether the step can be deferred: it belongs to a head, and reads no deferred step of another head.
bool can_wait(const Trace& t, const Step& step) {
    const int head = step.tag.head;
    return step.op != Op::Input && head != kNoHead &&
           std::none_of(step.inputs.begin(), step.inputs.end(), [&](StepId input) { return waits(t, input) && t[input].tag.head != head; });
}

/// True: the step is deferred. Otherwise its inputs have been computed.
bool put_aside(Trace& t, Step& step) {
    if (can_wait(t, step)) {
        const Shape shape = shape_of(t, step);
        auto& waiting = t.heads->waiting;
        waiting.resize(std::max(waiting.size(), static_cast<std::size_t>(step.tag.head) + 1));
        waiting[static_cast<std::size_t>(step.tag.head)].push_back(t.size() - 1);
        step.value = FrozenMatrix::of_shape(shape.rows, shape.cols);
        return true;
    }
    if (std::any_of(step.inputs.begin(), step.inputs.end(), [&](StepId input) { return waits(t, input); })) compute_waiting(t);
    return false;
}

}  // namespace

StepId record(Trace& t) {
    check(t.stop);
    Step& step = t.steps.back();
    const StepId id = t.size() - 1;
    if (step.op == Op::Input) t.given.push_back({step.tag, id});
    if (t.shapes) return record_shape(t, step);
    if (t.heads && put_aside(t, step)) return id;
    compute_step(t, id, step, t.notes);
    if (work_is_counted()) count_work(cost(t, id).work);
    return id;
}

StepId again(Trace& t, StepId of, Tag tag) {
    const Step from = t[of];  // a copy, because the trace reallocates as it grows
    Step& step = begin(t, from.op, tag, {}, from.rows, from.cols);
    step.inputs = from.inputs;
    step.params = from.params;
    return record(t);
}

void begin_heads(Trace& t, int heads, double multiply_adds) {
    constexpr double kWorth = 4'000'000;  // about a tenth of a millisecond, of which waking a thread takes a tenth
    if (!t.shapes && !t.heads && heads > 1 && multiply_adds >= kWorth && threads() > 1) t.heads.emplace();
}

void compute_heads(Trace& t) {
    if (!t.heads) return;
    compute_waiting(t);
    t.heads.reset();
}

}  // namespace attn
