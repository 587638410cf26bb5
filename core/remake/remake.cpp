#include "core/remake/remake.h"

#include <algorithm>

#include "core/base/cancel.h"
#include "core/ops/operation.h"
#include "core/remake/making.h"
#include "core/remake/store.h"

namespace attn {
namespace {

using Index = Eigen::Index;

std::uint64_t next_number() {
    static std::atomic<std::uint64_t> count = 0;
    return ++count;
}

/// What the step is made of, as the trace has it now.
void write_recipe(const Trace& t, StepId id, const std::vector<Note>& notes, Recipe& out) {
    const Step& step = t[id];
    out.number = next_number();
    out.id = id;
    out.step = step;
    out.step.value = {};
    out.step.inputs = {};
    for (std::size_t i = 0; i < step.inputs.size(); ++i) {
        out.step.inputs.push_back(static_cast<StepId>(i));
        out.inputs.push_back(t[step.inputs[i]].value);
        if (makes_shares(step.op))
            for (const Note& note : notes)
                if (note.step == step.inputs[i]) out.notes.push_back({static_cast<StepId>(i), note.row, note.state});
    }
}

/// Whether some rows can be had without the others.
bool has_rows(const Recipe& of) { return of.read_rows ? true : works_by_rows(of.step.op); }

void add_notes(std::vector<Note>& notes, std::vector<Note> found) {
    std::sort(found.begin(), found.end(), [](const Note& a, const Note& b) { return std::pair(a.step, a.row) < std::pair(b.step, b.row); });
    notes.insert(notes.end(), found.begin(), found.end());
}

/// The transpose of a model's vocabulary, which all runs share: one recipe for all of them.
template <class Make>
std::shared_ptr<const Recipe> turned_once(const std::shared_ptr<const void>& given, const Make& make) {
    struct Turned {
        std::weak_ptr<const void> from;
        std::weak_ptr<const Recipe> recipe;
    };
    static std::mutex mutex;
    static std::vector<Turned> known;
    const std::lock_guard lock(mutex);
    std::erase_if(known, [](const Turned& one) { return one.from.expired() || one.recipe.expired(); });
    for (const Turned& one : known)
        if (one.from.lock() == given)
            if (auto there = one.recipe.lock()) return there;
    const auto made = make();
    made->of_several_runs = true;
    known.push_back({given, made});
    return made;
}

}  // namespace

Recipe::~Recipe() { recomputed_cache().forget(number); }

bool evicts(const Trace& t, const Step& step, Index rows, Index cols) {
    if (!t.evict_from || step.tag.pass != 0 || rows * cols < *t.evict_from) return false;
    const Evicted evicted = operation_of(step.op).remade->evicted;
    if (evicted == Evicted::Never || (evicted == Evicted::Between && !has_trait(step.tag.role, kPassing))) return false;
    return std::none_of(t.edits.begin(), t.edits.end(), [&](const Edit& edit) { return edit.tag == step.tag; }) &&
           std::none_of(t.replacements.begin(), t.replacements.end(), [&](const Replacement& one) { return one.concerns(step.tag); });
}

StepValue evict(const Trace& t, StepId id, Index rows, Index cols, const std::vector<Note>& notes) {
    const Step& step = t[id];
    const auto make = [&] {
        auto recipe = std::make_shared<Recipe>();
        write_recipe(t, id, notes, *recipe);
        recipe->noted = !can_overflow(step.op);
        return recipe;
    };
    // (A captured head's keys are an input, too, but of this run alone.)
    const bool turns_given = step.op == Op::Transpose && t[step.inputs[0]].op == Op::Input && step.tag.role != Role::KeysTransposed;
    const std::shared_ptr<const void> given = turns_given ? t[step.inputs[0]].value.identity() : nullptr;
    return {given ? turned_once(given, make) : make(), rows, cols};
}

std::shared_ptr<const Recipe> read_later(std::function<std::shared_ptr<const Matrix>()> read,
                                         std::function<std::optional<RowState>(const RowVector&)> state,
                                         std::function<Matrix(Index, Index)> rows) {
    auto recipe = std::make_shared<Recipe>();
    recipe->number = next_number();
    recipe->read = std::move(read);
    recipe->read_rows = std::move(rows);
    recipe->state = std::move(state);
    recipe->noted = !recipe->state;
    return recipe;
}

bool reads_evicted(const Trace& t, const Step& step) {
    return std::any_of(step.inputs.begin(), step.inputs.end(), [&](StepId input) { return t[input].value.recipe() != nullptr; });
}

FrozenMatrix compute_by_rows(const Trace& t, StepId id, std::vector<Note>& notes, bool& finite) {
    if (!works_by_rows(t[id].op)) {
        const PinScope pins;
        return compute(t, t[id], notes);
    }
    Recipe recipe;
    write_recipe(t, id, notes, recipe);
    recipe.noted = true;  // record() notes its rows
    std::vector<Note> found;
    const Making making(recipe, false);
    FrozenMatrix out = making.whole(t.stop, &found);
    finite = making.was_found_finite();
    add_notes(notes, std::move(found));
    return out;
}

bool notes_wait(const StepValue& value) { return value.recipe() && !value.recipe()->noted; }

std::vector<Note> late_notes(const StepValue& value) {
    if (!value.recipe()->state) return Making(*value.recipe(), true).own_notes(0, value.rows());
    std::vector<Note> out;
    const PinScope pins;
    const Matrix& numbers = value.matrix();
    for (Index row = 0; row < numbers.rows(); ++row)
        if (const auto state = value.recipe()->state(numbers.row(row))) out.push_back({kNoStep, static_cast<int>(row), *state});
    return out;
}

std::optional<RowState> late_state(const StepValue& value, int row) {
    const RowVector seen = value.one_row(row);
    if (value.recipe()->state) return value.recipe()->state(seen);
    const bool shares = makes_shares(value.recipe()->step.op);
    if (seen.allFinite() && (!shares || seen.maxCoeff() > 0)) return std::nullopt;
    const std::vector<Note> notes = Making(*value.recipe(), true).own_notes(row, 1);
    return notes.empty() ? std::nullopt : std::optional(notes.front().state);
}

PinScope::PinScope() { ++looked.depth; }

PinScope::~PinScope() {
    std::erase_if(looked.pins, [](const auto& pin) { return pin.second.depth == looked.depth; });
    looked.last.fill({});
    --looked.depth;
}

double memory_budget() { return recomputed_cache().budget(); }
void set_memory_budget(double bytes) { recomputed_cache().set_budget(bytes); }
std::size_t recomputed_bytes() { return recomputed_cache().bytes(); }
bool is_huge(Eigen::Index numbers) { return static_cast<double>(numbers) * sizeof(float) > memory_budget() - most_held(); }

const Matrix& StepValue::remade() const {
    auto& last = looked.last[recipe_->number % looked.last.size()];
    if (last.first == recipe_->number) return *last.second;
    const auto pin = looked.pins.find(recipe_->number);
    if (pin != looked.pins.end()) return *(last = {recipe_->number, pin->second.value.get()}).second;
    auto made = share(*recipe_, true);
    last = {recipe_->number, made.get()};
    const Matrix& value = *made;
    if (looked.depth > 0)
        looked.pins[recipe_->number] = {std::move(made), looked.depth};
    else
        recomputed_cache().pin(*recipe_, std::move(made));
    return value;
}

std::shared_ptr<const Matrix> StepValue::held() const { return recipe_ ? share(*recipe_, true) : held_.held(); }

std::shared_ptr<const Matrix> StepValue::held_in_passing() const { return recipe_ ? share(*recipe_, !recipe_->read) : held(); }

std::shared_ptr<const void> StepValue::identity() const {
    if (recipe_) return recipe_;
    return held_.held();
}

const void* StepValue::place() const {
    if (!recipe_) return held_.data();
    if (const auto pin = looked.pins.find(recipe_->number); pin != looked.pins.end()) return pin->second.value->data();
    const auto there = recomputed_cache().find(*recipe_);
    return there ? there->data() : nullptr;
}

Matrix StepValue::some_rows(Eigen::Index first, Eigen::Index count) const {
    if (at_hand() || !has_rows(*recipe_)) return matrix().middleRows(first, count);
    if (count * cols() <= kFewNumbers) return *few_rows(first, count);
    if (recipe_->read_rows) return recipe_->read_rows(first, count);
    return Making(*recipe_, true).block(first, count, false).steps.back().value.matrix();
}

std::shared_ptr<const Matrix> StepValue::few_rows(Eigen::Index first, Eigen::Index count) const {
    if (auto there = recomputed_cache().find_rows(*recipe_, first, count)) return there;
    auto made = recipe_->read_rows ? std::make_shared<const Matrix>(recipe_->read_rows(first, count))
                                   : Making(*recipe_, true).block(first, count, false).steps.back().value.held();
    recomputed_cache().put_rows(*recipe_, first, made);
    return made;
}

float StepValue::remade_cell(Eigen::Index row, Eigen::Index col) const {
    if (const auto& last = looked.last[recipe_->number % looked.last.size()]; last.first == recipe_->number) return (*last.second)(row, col);
    // Computing this many takes tens of milliseconds, too long for a frame or a caption that needs one cell.
    constexpr Index kReadByRow = Index{1} << 22;
    if ((size() < kReadByRow && !is_huge(size())) || !has_rows(*recipe_) || at_hand()) return remade()(row, col);
    return (*few_rows(row, 1))(0, col);
}

double StepValue::work_to_see() const {
    if (at_hand()) return 0;
    const Recipe& r = *recipe_;
    constexpr double kCost = 10;  // per number besides its products: its exponential, check, and fresh memory
    const double terms = r.step.op == Op::MatMul ? static_cast<double>(r.inputs[0].cols()) : 0;
    double work = (kCost + terms) * static_cast<double>(size());
    for (const StepValue& input : r.inputs) work += input.work_to_see();
    return work;
}

std::optional<RowState> row_state(const Trace& trace, StepId step, int row) {
    if (notes_wait(trace[step].value)) return late_state(trace[step].value, row);
    for (const Note& note : trace.notes)
        if (note.step == step && note.row == row) return note.state;
    return std::nullopt;
}

std::vector<Note> notes_of(const Trace& trace, StepId step) {
    if (notes_wait(trace[step].value)) {
        auto late = late_notes(trace[step].value);
        for (Note& note : late) note.step = step;  // runs that read the same numbers share the recipe
        return late;
    }
    std::vector<Note> out;
    std::copy_if(trace.notes.begin(), trace.notes.end(), std::back_inserter(out), [step](const Note& note) { return note.step == step; });
    return out;
}

}  // namespace attn
