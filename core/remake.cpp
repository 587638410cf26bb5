#include "core/remake.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <list>
#include <unordered_map>

#include "core/cancel.h"
#include "core/ops.h"
#include "core/parallel.h"

namespace attn {
namespace {

using Index = Eigen::Index;

// ---- what is let go of

/// What only stands between two values that are held.
bool is_between(Role role) {
    switch (role) {
        case Role::QueryProducts:
        case Role::KeyProducts:
        case Role::ValueProducts:
        case Role::KeysTransposed:
        case Role::Scores:
        case Role::RelativeScores:
        case Role::ScoreSum:
        case Role::Scaled:
        case Role::Biased:
        case Role::BucketBiased:
        case Role::CapShares:
        case Role::CapTanh:
        case Role::Capped:
        case Role::Windowed:
        case Role::CausalMasked:
        case Role::Masked:
        case Role::Kept:
        case Role::Weights:
        case Role::LocalWeights:
        case Role::OutputProducts:
        case Role::UpProducts:
        case Role::Up:
        case Role::SideProducts:
        case Role::Side:
        case Role::Activated:
        case Role::Gated:
        case Role::DownProducts:
        case Role::LogitProducts:
        case Role::UncappedLogits:
        case Role::Logits:
        case Role::Probabilities:
            return true;
        default:
            return false;
    }
}

/// Whether a row of the value follows from that row of some inputs, and from others whole.
bool works_by_rows(Op op) {
    switch (op) {
        case Op::MatMul:
        case Op::Scale:
        case Op::Add:
        case Op::AddRow:
        case Op::Multiply:
        case Op::Divide:
        case Op::Activate:
        case Op::Unit:
        case Op::LayerNorm:
        case Op::RmsNorm:
        case Op::Rotate:
        case Op::Spread:
        case Op::Mask:
        case Op::TopK:
        case Op::TopP:
        case Op::Softmax:
        case Op::Sparsemax:
        case Op::RowSum:
        case Op::RowMax:
        case Op::ExpShift:
        case Op::Slice:
        case Op::Concat:
            return true;
        default:
            return false;
    }
}

/// Of which input only those rows are read that are made.
bool reads_rows_of(Op op, std::size_t input) {
    if (!works_by_rows(op)) return false;
    switch (op) {
        case Op::MatMul:
        case Op::AddRow:
        case Op::LayerNorm:
        case Op::RmsNorm:
            return input == 0;
        default:
            return true;
    }
}

/// The parameters for rows that begin at `first`: places count from there.
Params from_row(const Step& step, Index first) {
    Params params = step.params;
    if (step.op == Op::Rotate || step.op == Op::Spread) params.first += static_cast<int>(first);
    return params;
}

// ---- what was made again

/// Kept between looks, those longest unused last.
class Kept {
public:
    std::shared_ptr<const Matrix> find(const Recipe& of) {
        const std::lock_guard lock(mutex_);
        if (of.pinned) return of.pinned;
        const auto at = places_.find(of.number);
        if (at == places_.end()) return of.made.lock();
        list_.splice(list_.begin(), list_, at->second);
        return at->second->value;
    }
    void put(const Recipe& of, std::shared_ptr<const Matrix> value) {
        const std::lock_guard lock(mutex_);
        of.made = value;
        bytes_ += bytes_of(*value);
        list_.push_front({of.number, std::move(value)});
        places_[of.number] = list_.begin();
        fit();
    }
    /// For as long as the step.
    void pin(const Recipe& of, std::shared_ptr<const Matrix> value) {
        const std::lock_guard lock(mutex_);
        of.pinned = std::move(value);
    }
    void forget(std::uint64_t number) {
        const std::lock_guard lock(mutex_);
        const auto at = places_.find(number);
        if (at == places_.end()) return;
        bytes_ -= bytes_of(*at->second->value);
        list_.erase(at->second);
        places_.erase(at);
    }
    std::size_t bytes() {
        const std::lock_guard lock(mutex_);
        return bytes_;
    }
    double budget() {
        const std::lock_guard lock(mutex_);
        return budget_;
    }
    void set_budget(double bytes) {
        const std::lock_guard lock(mutex_);
        budget_ = bytes;
        fit();
    }

private:
    struct Entry {
        std::uint64_t number;
        std::shared_ptr<const Matrix> value;
    };
    static std::size_t bytes_of(const Matrix& value) { return static_cast<std::size_t>(value.size()) * sizeof(float); }
    static double usual_budget() {
        constexpr double kShare = 0.5, kLeast = 2.0 * (1u << 30);
        const double all = static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
        return std::max(kShare * all, kLeast);
    }
    /// The newest stays, however large it is.
    void fit() {
        while (static_cast<double>(bytes_) > 0.25 * budget_ && list_.size() > 1) {
            bytes_ -= bytes_of(*list_.back().value);
            places_.erase(list_.back().number);
            list_.pop_back();
        }
    }

    std::mutex mutex_;
    std::list<Entry> list_;
    std::unordered_map<std::uint64_t, std::list<Entry>::iterator> places_;
    std::size_t bytes_ = 0;
    double budget_ = usual_budget();
};

/// Outlives every recipe.
Kept& kept() {
    static Kept& one = *new Kept;
    return one;
}

/// What this thread looks at.
struct Looked {
    struct Pin {
        std::shared_ptr<const Matrix> value;
        int depth;
    };
    int depth = 0;
    std::unordered_map<std::uint64_t, Pin> pins;
    std::array<std::pair<std::uint64_t, const Matrix*>, 8> last{};
};
thread_local Looked looked;

// ---- making

std::shared_ptr<const Matrix> share(const Recipe& of, bool keep);

/// A value and all that it is made of that was let go of, down to what is held: made a block of rows after the other.
class Plan {
public:
    /// `keep`: what is needed whole on the way stays for the next look.
    Plan(const Recipe& of, bool keep) : of_(of), keep_(keep) {
        node_of(of);
        rows_ = nodes_.back().rows;
    }

    /// Rows of the value, and of what was made on the way in a trace of its own.
    Trace block(Index first, Index count, bool note_last) const {
        Trace t;
        t.steps.reserve(nodes_.size());
        for (const Node& node : nodes_) {
            const StepId id = t.size();
            t.steps.push_back(node.recipe ? made(t, node, first) : given(node, first, count));
            for (const Note& note : node.notes)
                if (note.row >= first && note.row < first + count) t.notes.push_back({id, note.row - static_cast<int>(first), note.state});
            if (node.recipe && (note_last || &node != &nodes_.back())) note_rows(t, id);
        }
        return t;
    }

    /// use(first, block) of all rows; several threads at once where products are small. `use` must not throw.
    template <class Use>
    void each_block(bool note_last, const std::stop_token& stop, const Use& use) const {
        const Index at_once = rows_at_once();
        const auto blocks = static_cast<int>((rows_ + at_once - 1) / at_once);
        const auto work = [&](int i) {
            if (stop.stop_requested()) return;
            const Index first = i * at_once;
            use(first, block(first, std::min(at_once, rows_ - first), note_last));
        };
        if (blocks == 1 || has_large_product())
            for (int i = 0; i < blocks; ++i) work(i);
        else
            share_parts(blocks, work);
        check(stop);
    }

    Matrix whole(const std::stop_token& stop, std::vector<Note>* notes) const {
        if (!works_by_rows(of_.step.op)) return block(0, rows_, false).steps.back().value.matrix();
        Matrix out(rows_, nodes_.back().cols);
        std::mutex mutex;
        each_block(false, stop, [&](Index first, const Trace& t) {
            const Matrix& rows = t.steps.back().value;
            out.middleRows(first, rows.rows()) = rows;
            if (notes) take_notes(t, first, *notes, mutex);
        });
        if (notes) mark_noted();
        return out;
    }
    void notes_of_all(const std::stop_token& stop, std::vector<Note>& notes) const {
        std::mutex mutex;
        each_block(true, stop, [&](Index first, const Trace& t) { take_notes(t, first, notes, mutex); });
        mark_noted();
    }

private:
    struct Node {
        const Recipe* recipe = nullptr;  ///< null: given
        Index rows = 0, cols = 0;
        bool by_rows = false;  ///< given: only the block's rows of it are read
        std::vector<StepId> inputs;
        FrozenMatrix value;
        std::vector<Note> notes;
    };

    /// A product with a right factor of more numbers is shared by the threads itself, over many rows at a time: it packs
    /// that factor once a block.
    static constexpr Index kLargeFactor = Index{1} << 19;

    StepId node_of(const Recipe& of) {
        if (const auto there = known_.find(of.number); there != known_.end()) return there->second;
        Node node;
        node.recipe = &of;
        for (std::size_t i = 0; i < of.inputs.size(); ++i) node.inputs.push_back(input_of(of, i));
        Trace shapes;  // of its inputs
        for (const StepId input : node.inputs) {
            Step& one = shapes.steps.emplace_back();
            const Node& from = nodes_[static_cast<std::size_t>(input)];
            one.value = FrozenMatrix::of_shape(from.rows, from.cols);
        }
        const Shape shape = shape_of(shapes, of.step);
        node.rows = shape.rows;
        node.cols = shape.cols;
        nodes_.push_back(std::move(node));
        return known_[of.number] = static_cast<StepId>(nodes_.size()) - 1;
    }

    StepId input_of(const Recipe& of, std::size_t i) {
        const StepValue& value = of.inputs[i];
        const Recipe* recipe = value.recipe();
        const bool by_rows = reads_rows_of(of.step.op, i);
        if (recipe && by_rows && works_by_rows(recipe->step.op)) return node_of(*recipe);
        Node node;
        node.rows = value.rows();
        node.cols = value.cols();
        node.by_rows = by_rows;
        node.value = recipe ? FrozenMatrix::of(share(*recipe, keep_)) : FrozenMatrix(value);
        for (const Note& note : of.notes)
            if (note.step == static_cast<StepId>(i)) node.notes.push_back(note);
        nodes_.push_back(std::move(node));
        return static_cast<StepId>(nodes_.size()) - 1;
    }

    static Step given(const Node& node, Index first, Index count) {
        Step step;
        const bool part = node.by_rows && count < node.value.rows();
        step.value = part ? FrozenMatrix(Matrix(node.value.middleRows(first, count))) : node.value;
        return step;
    }

    static Step made(const Trace& t, const Node& node, Index first) {
        Step step = node.recipe->step;
        step.inputs = node.inputs;
        if (works_by_rows(step.op)) step.params = from_row(step, first);
        step.value = compute(t, step);
        return step;
    }

    bool has_large_product() const {
        return std::any_of(nodes_.begin(), nodes_.end(), [&](const Node& node) {
            if (!node.recipe || node.recipe->step.op != Op::MatMul) return false;
            const Node& right = nodes_[static_cast<std::size_t>(node.inputs[1])];
            return right.rows * right.cols > kLargeFactor;
        });
    }

    /// As many as stay in a core's cache; with a large factor as many as make its packing cheap.
    Index rows_at_once() const {
        constexpr Index kNear = Index{1} << 17, kFar = Index{1} << 22, kFewest = 16, kFewestFar = 512;
        Index widest = 1;
        for (const Node& node : nodes_)
            if (node.recipe) widest = std::max(widest, node.cols);
        return has_large_product() ? std::max(kFewestFar, kFar / widest) : std::max(kFewest, kNear / widest);
    }

    void take_notes(const Trace& t, Index first, std::vector<Note>& notes, std::mutex& mutex) const {
        if (t.notes.empty()) return;
        const std::lock_guard lock(mutex);
        for (const Note& note : t.notes) {
            const Recipe* recipe = nodes_[static_cast<std::size_t>(note.step)].recipe;
            if (recipe && !recipe->noted) notes.push_back({recipe->id, note.row + static_cast<int>(first), note.state});
        }
    }
    void mark_noted() const {
        for (const Node& node : nodes_)
            if (node.recipe) node.recipe->noted = true;
    }

    const Recipe& of_;
    bool keep_;
    std::vector<Node> nodes_;
    std::unordered_map<std::uint64_t, StepId> known_;
    Index rows_ = 0;
};

std::shared_ptr<const Matrix> share(const Recipe& of, bool keep) {
    if (auto there = kept().find(of)) return there;
    const std::lock_guard lock(of.making);
    if (auto there = kept().find(of)) return there;
    auto made = std::make_shared<const Matrix>(Plan(of, keep).whole({}, nullptr));
    if (keep) kept().put(of, made);
    return made;
}

/// What the step is made of, as it stands in the trace now.
void write_recipe(const Trace& t, const Step& step, Recipe& out) {
    static std::atomic<std::uint64_t> count = 0;
    out.number = ++count;
    out.id = t.size();
    out.step = step;
    out.step.value = {};
    out.step.inputs = {};
    for (std::size_t i = 0; i < step.inputs.size(); ++i) {
        out.step.inputs.push_back(static_cast<StepId>(i));
        out.inputs.push_back(t[step.inputs[i]].value);
        if (step.op == Op::Softmax || step.op == Op::Sparsemax)
            for (const Note& note : t.notes)
                if (note.step == step.inputs[i]) out.notes.push_back({static_cast<StepId>(i), note.row, note.state});
    }
}

void add_notes(Trace& t, std::vector<Note> notes) {
    if (notes.empty()) return;
    std::sort(notes.begin(), notes.end(), [](const Note& a, const Note& b) { return std::pair(a.step, a.row) < std::pair(b.step, b.row); });
    t.notes.insert(t.notes.end(), notes.begin(), notes.end());
}

}  // namespace

Recipe::~Recipe() { kept().forget(number); }

bool lets_go(const Trace& t, const Step& step, Index rows, Index cols) {
    if (!t.let_go_from || step.tag.pass != 0 || rows * cols < *t.let_go_from) return false;
    if (step.op != Op::Slice && !is_between(step.tag.role)) return false;
    if (!works_by_rows(step.op) && step.op != Op::Transpose) return false;
    return std::none_of(t.edits.begin(), t.edits.end(), [&](const Edit& edit) { return edit.tag == step.tag; });
}

StepValue let_go(const Trace& t, const Step& step, Index rows, Index cols) {
    auto recipe = std::make_shared<Recipe>();
    write_recipe(t, step, *recipe);
    recipe->noted = !can_overflow(step.op);
    return {std::move(recipe), rows, cols};
}

bool reads_let_go(const Trace& t, const Step& step) {
    return std::any_of(step.inputs.begin(), step.inputs.end(), [&](StepId input) { return t[input].value.recipe() != nullptr; });
}

Matrix compute_by_rows(Trace& t, const Step& step) {
    if (!works_by_rows(step.op)) {
        const Looking looking;
        return compute(t, step);
    }
    Recipe recipe;
    write_recipe(t, step, recipe);
    recipe.noted = true;  // record() notes its rows
    std::vector<Note> notes;
    Matrix out = Plan(recipe, false).whole(t.stop, &notes);
    add_notes(t, std::move(notes));
    return out;
}

void note_let_go(Trace& t) {
    for (StepId id = t.size() - 1; id >= 0; --id) {
        const Recipe* recipe = t[id].value.recipe();
        if (!recipe || recipe->noted) continue;
        std::vector<Note> notes;
        Plan(*recipe, false).notes_of_all(t.stop, notes);
        add_notes(t, std::move(notes));
    }
    if (t.let_go_from)
        std::stable_sort(t.notes.begin(), t.notes.end(), [](const Note& a, const Note& b) { return a.step < b.step; });
}

Looking::Looking() { ++looked.depth; }

Looking::~Looking() {
    std::erase_if(looked.pins, [](const auto& pin) { return pin.second.depth == looked.depth; });
    looked.last.fill({});
    --looked.depth;
}

double memory_budget() { return kept().budget(); }
void set_memory_budget(double bytes) { kept().set_budget(bytes); }
std::size_t remade_bytes() { return kept().bytes(); }

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
        kept().pin(*recipe_, std::move(made));
    return value;
}

std::shared_ptr<const Matrix> StepValue::held() const { return recipe_ ? share(*recipe_, true) : held_.held(); }

const void* StepValue::place() const {
    if (!recipe_) return held_.data();
    if (const auto pin = looked.pins.find(recipe_->number); pin != looked.pins.end()) return pin->second.value->data();
    const auto there = kept().find(*recipe_);
    return there ? there->data() : nullptr;
}

Matrix StepValue::some_rows(Eigen::Index first, Eigen::Index count) const {
    if (at_hand() || !works_by_rows(recipe_->step.op)) return matrix().middleRows(first, count);
    return Plan(*recipe_, true).block(first, count, false).steps.back().value.matrix();
}

double StepValue::work_to_see() const {
    if (at_hand()) return 0;
    const Recipe& r = *recipe_;
    double work = static_cast<double>(size());
    if (r.step.op == Op::MatMul) work *= static_cast<double>(r.inputs[0].cols());
    for (const StepValue& input : r.inputs) work += input.work_to_see();
    return work;
}

}  // namespace attn
