#include "core/remake_making.h"

#include <algorithm>
#include <mutex>

#include "core/cancel.h"
#include "core/ops.h"
#include "core/parallel.h"
#include "core/remake_store.h"

namespace attn {
namespace {

using Index = Eigen::Index;

/// A product with a right factor of more numbers is shared by the threads itself, over many rows at a time: it packs
/// that factor once a block.
constexpr Index kLargeFactor = Index{1} << 19;

/// Of which input only those rows are read that are made.
bool reads_rows_of(Op op, std::size_t input) {
    const RowsOf rows = rows_of(op);
    return rows == RowsOf::Each || (rows == RowsOf::First && input == 0);
}

/// The parameters for rows that begin at `first`: places count from there.
Params from_row(const Step& step, Index first) {
    Params params = step.params;
    if (counts_rows(step.op)) params.first += static_cast<int>(first);
    return params;
}

}  // namespace

Making::Making(const Recipe& of, bool keep) : of_(of), keep_(keep) {
    node_of(of);
    rows_ = nodes_.back().rows;
}

Trace Making::block(Index first, Index count, bool note_last) const {
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

template <class Each>
void Making::each_block(Index first, Index past, bool note_last, const std::stop_token& stop, const Each& each) const {
    const Index at_once = rows_at_once();
    const auto blocks = static_cast<int>((past - first + at_once - 1) / at_once);
    const auto work = [&](int i) {
        if (stop.stop_requested()) return;
        const Index begin = first + i * at_once;
        each(begin, block(begin, std::min(at_once, past - begin), note_last));
    };
    if (blocks == 1 || has_large_product())
        for (int i = 0; i < blocks; ++i) work(i);
    else
        share_parts(blocks, work);
    check(stop);
}

FrozenMatrix Making::whole(const std::stop_token& stop, std::vector<Note>* notes) const {
    if (!works_by_rows(of_.step.op)) return block(0, rows_, false).steps.back().value;
    const bool at_once = rows_ > 0 && rows_ <= rows_at_once();
    FrozenMatrix made;
    Matrix out(at_once ? 0 : rows_, nodes_.back().cols);
    std::mutex mutex;
    each_block(0, rows_, false, stop, [&](Index first, const Trace& t) {
        const StepValue& rows = t.steps.back().value;
        if (at_once)
            made = rows;
        else
            out.middleRows(first, rows.rows()) = rows.matrix();
        if (notes) take_notes(t, first, *notes, mutex);
    });
    if (notes)
        for (const Node& node : nodes_)
            if (node.recipe) node.recipe->noted = true;
    return at_once ? made : FrozenMatrix(std::move(out));
}

std::vector<Note> Making::own_notes(Index first, Index count) const {
    std::vector<Note> out;
    std::mutex mutex;
    each_block(first, first + count, true, {}, [&](Index begin, const Trace& t) {
        const std::lock_guard lock(mutex);
        for (const Note& note : t.notes)
            if (note.step == t.size() - 1) out.push_back({of_.id, note.row + static_cast<int>(begin), note.state});
    });
    std::sort(out.begin(), out.end(), [](const Note& a, const Note& b) { return a.row < b.row; });
    return out;
}

StepId Making::node_of(const Recipe& of) {
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

StepId Making::input_of(const Recipe& of, std::size_t i) {
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

Step Making::given(const Node& node, Index first, Index count) {
    Step step;
    const bool part = node.by_rows && count < node.value.rows();
    step.value = part ? FrozenMatrix(Matrix(node.value.middleRows(first, count))) : node.value;
    return step;
}

Step Making::made(const Trace& t, const Node& node, Index first) {
    Step step = node.recipe->step;
    step.inputs = node.inputs;
    if (works_by_rows(step.op)) step.params = from_row(step, first);
    step.value = compute(t, step);
    return step;
}

bool Making::has_large_product() const {
    return std::any_of(nodes_.begin(), nodes_.end(), [&](const Node& node) {
        if (!node.recipe || node.recipe->step.op != Op::MatMul) return false;
        const Node& right = nodes_[static_cast<std::size_t>(node.inputs[1])];
        return right.rows * right.cols > kLargeFactor;
    });
}

/// As many as stay in a core's cache; with a large factor as many as make its packing cheap.
Index Making::rows_at_once() const {
    constexpr Index kNear = Index{1} << 17, kFar = Index{1} << 22, kFewest = 16, kFewestFar = 512;
    Index widest = 1;
    for (const Node& node : nodes_)
        if (node.recipe) widest = std::max(widest, node.cols);
    return has_large_product() ? std::max(kFewestFar, kFar / widest) : std::max(kFewest, kNear / widest);
}

void Making::take_notes(const Trace& t, Index first, std::vector<Note>& notes, std::mutex& mutex) const {
    if (t.notes.empty()) return;
    const std::lock_guard lock(mutex);
    for (const Note& note : t.notes) {
        const Recipe* recipe = nodes_[static_cast<std::size_t>(note.step)].recipe;
        if (recipe && !recipe->noted) notes.push_back({recipe->id, note.row + static_cast<int>(first), note.state});
    }
}

std::shared_ptr<const Matrix> share(const Recipe& of, bool keep) {
    if (auto there = kept().find(of)) return there;
    const std::lock_guard lock(of.making);
    if (auto there = kept().find(of)) return there;
    auto made = of.read ? of.read() : Making(of, keep).whole({}, nullptr).held();
    if (keep || of.of_several_runs) kept().put(of, made);
    return made;
}

}  // namespace attn
