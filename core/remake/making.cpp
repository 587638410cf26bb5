#include "core/remake/making.h"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <utility>

#include "core/base/cancel.h"
#include "core/base/memory.h"
#include "core/base/parallel.h"
#include "core/base/reused_matrices.h"
#include "core/ops/operation.h"
#include "core/remake/store.h"

namespace attn {
namespace {

using Index = Eigen::Index;

/// A product whose right factor is larger than this is split between threads by multiply() itself, over many rows at a
/// time, because it packs that factor once per block.
constexpr Index kLargeFactor = Index{1} << 19;

/// Whether only those rows of this input are read that are being computed.
bool reads_rows_of(Op op, std::size_t input) {
    const RowsOf rows = rows_of(op);
    return rows == RowsOf::Each || (rows == RowsOf::First && input == 0);
}

bool has_minus_zero(const Matrix& values) {
    const float* const past = values.data() + values.size();
    return std::any_of(values.data(), past, [](float x) { return x == 0 && std::signbit(x); });
}

/// The parameters for rows that begin at `first`: positions count from there.
Params from_row(const Step& step, Index first) {
    Params params = step.params;
    if (const auto shift = operation_of(step.op).remade->from_row) shift(params, first);
    return params;
}

}  // namespace

Making::Making(const Recipe& of, bool keep) : of_(of), keep_(keep) {
    node_of(of);
    rows_ = nodes_.back().rows;
    find_shared();
    find_keys();
}

Trace Making::block(Index first, Index count, bool note_last) const {
    const Index keys = seen_keys(first, count), all = all_keys();
    for (const Index width : {keys, all})
        for (const InPlace in_place : {InPlace::Some, InPlace::None})
            if (auto made = block_of({first, count, width}, note_last, in_place)) return std::move(*made);
    return {};  // with all keys and nothing in place it always succeeds
}

std::optional<Trace> Making::block_of(const Block& of, bool note_last, InPlace in_place) const {
    const bool whole = of.keys == all_keys();
    Trace t;
    t.steps.reserve(nodes_.size());
    std::vector<double> most_of;
    Strips strips;
    StepId product = kNoStep;  // not yet checked for finiteness: the in-place steps on it may do that too
    bool seen = false;         // the last of these did so
    const auto settle = [&] {
        Strips now = std::exchange(strips, {});
        if (can_follow_product(t, now)) return seen = do_with_product(t, now, of);
        if (now.product != kNoStep) multiply_here(t, now.product, of, ProductWork([](Index, Index, Columns) {}));
        if (product != kNoStep) note_rows(t, std::exchange(product, kNoStep), t.notes);
        seen = false;
        return do_strips(t, now, of, note_last);
    };
    for (const Node& node : nodes_) {
        const StepId id = t.size();
        const bool waits = in_place == InPlace::Some && works_on_strips(t, node);
        const bool follows = waits && (strips.steps.empty() ? product == node.inputs[0] : strips.steps.back() == node.inputs[0]);
        if (node.recipe && !follows && !settle()) return std::nullopt;
        const bool later = in_place == InPlace::Some && keys_.empty() && node.recipe && node.recipe->step.op == Op::MatMul;
        t.steps.push_back(!node.recipe ? given(node, of) : waits || later ? begun(node, of) : made(t, node, of));
        for (const Note& note : node.notes)
            if (note.row >= of.first && note.row < of.first + of.count) t.notes.push_back({id, note.row - static_cast<int>(of.first), note.state});
        const double largest = keys_.empty() ? 0 : most_of.emplace_back(most(t, most_of, node, of));
        if (!whole && !(largest < kSurelyFinite)) return std::nullopt;
        const bool sound = node.by_keys && largest > 0 && largest < kSurelyFinite;
        if (later) {
            t.steps.back().value = unwritten(of.count, columns_of_right(node, of).count);
            strips.product = id;
        }
        if (waits) {
            t.steps.back().value = t[node.inputs[0]].value;
            strips.looks_first |= std::exchange(product, kNoStep) != kNoStep;
            strips.steps.push_back(id);
        } else if (node.recipe && !sound && is_noted(id, note_last)) {
            product = id;
        }
    }
    if (!settle() || (!whole && has_minus_zero(t.steps.back().value))) return std::nullopt;
    if (!seen) unseen_ = true;
    return t;
}

/// What all heads share, their mask and the matrix they are sliced from, is read in place: copying it for every head
/// takes as long as the work done with it. (The rows of such a mask do not match the block's, and an operation that
/// asks why a number is −∞ would read the wrong ones; a softmax does not ask, so a mask qualifies if only softmaxes
/// read its result.)
void Making::find_shared() {
    for (Node& node : nodes_) node.in_place = !node.recipe && node.by_rows;
    const auto asks = [&](StepId masked) {
        return std::any_of(nodes_.begin(), nodes_.end(), [&](const Node& n) {
            return n.recipe && n.recipe->step.op != Op::Softmax && std::find(n.inputs.begin(), n.inputs.end(), masked) != n.inputs.end();
        });
    };
    for (StepId id = 0; id < static_cast<StepId>(nodes_.size()); ++id) {
        const std::vector<StepId>& inputs = nodes_[static_cast<std::size_t>(id)].inputs;
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            Node& read = nodes_[static_cast<std::size_t>(inputs[i])];
            const Op op = nodes_[static_cast<std::size_t>(id)].recipe->step.op;
            ++read.readers;
            if (op != Op::Slice && !(op == Op::Mask && i == 1 && !asks(id))) read.in_place = false;
        }
    }
    for (const Node& node : nodes_) {
        if (!node.recipe || node.recipe->step.op != Op::MatMul) continue;
        Node& left = nodes_[static_cast<std::size_t>(node.inputs[0])];
        if (!left.recipe || left.recipe->step.op != Op::Slice || left.readers != 1) continue;
        left.passed_on = nodes_[static_cast<std::size_t>(left.inputs[0])].in_place;
    }
}

template <class Each>
void Making::each_block(Index first, Index past, bool note_last, const std::stop_token& stop, const Each& each) const {
    const Index at_once = rows_at_once();
    const auto blocks = static_cast<int>((past - first + at_once - 1) / at_once);
    // The last block first: under a causal mask it has the most work.
    const auto work = [&](int i) {
        if (stop.stop_requested()) return;
        const Index begin = first + (blocks - 1 - i) * at_once;
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
    ask_large_pages(out.data(), static_cast<std::size_t>(out.size()) * sizeof(float));
    std::mutex mutex;
    each_block(0, rows_, false, stop, [&](Index first, const Trace& t) {
        const StepValue& rows = t.steps.back().value;
        if (at_once)
            made = rows;
        else
            std::copy_n(rows.data(), rows.size(), out.row(first).data());
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
    // A head's keys and values are slices of those of all heads; copying them takes as long as transposing them.
    const bool cuts = recipe && !by_rows && recipe->step.op == Op::Slice && !recipe->inputs[0].recipe();
    if (cuts && (of.step.op == Op::MatMul || of.step.op == Op::Transpose)) {
        node.part = Columns{recipe->step.as<SliceParams>().first, recipe->step.as<SliceParams>().count};
        node.value = recipe->inputs[0];
    } else {
        node.value = recipe ? FrozenMatrix::of(share(*recipe, keep_)) : FrozenMatrix(value);
    }
    for (const Note& note : of.notes)
        if (note.step == static_cast<StepId>(i)) node.notes.push_back(note);
    nodes_.push_back(std::move(node));
    return static_cast<StepId>(nodes_.size()) - 1;
}

Step Making::given(const Node& node, const Block& of) {
    Step step;
    step.value = node.by_rows && !node.in_place ? part_of(node, of) : node.value;
    return step;
}

FrozenMatrix Making::part_of(const Node& node, const Block& of) {
    const Index cols = node.by_keys ? of.keys : node.value.cols();
    if (of.count == node.value.rows() && cols == node.value.cols()) return node.value;
    return Matrix(node.value.block(of.first, 0, of.count, cols));
}

Step Making::made(Trace& t, const Node& node, const Block& of) const {
    Step step = begun(node, of);
    const auto node_read = [&](std::size_t i) -> const Node& { return nodes_[static_cast<std::size_t>(node.inputs[i])]; };
    if (step.op == Op::MatMul) {
        step.value = multiply_part(left_of(t, node, of), t[step.inputs[1]].value, columns_of_right(node, of));
    } else if (step.op == Op::Transpose) {
        step.value = transposed(t[step.inputs[0]].value, node_read(0).columns());
    } else if (node.passed_on) {
        step.value = FrozenMatrix::of_shape(of.count, node.cols);
    } else if (step.op == Op::Slice && node_read(0).in_place) {
        step.value = t[step.inputs[0]].value.block(of.first, step.as<SliceParams>().first, of.count, step.as<SliceParams>().count);
    } else {
        for (const StepId input : step.inputs)
            if (const Node& from = nodes_[static_cast<std::size_t>(input)]; from.in_place) t.steps[static_cast<std::size_t>(input)].value = part_of(from, of);
        step.value = compute(t, step);
    }
    return step;
}

MatrixPart Making::left_of(const Trace& t, const Node& product, const Block& of) const {
    const Node& left = nodes_[static_cast<std::size_t>(product.inputs[0])];
    if (!left.passed_on) return whole_of(t[product.inputs[0]].value);
    const auto& cut = left.recipe->step.as<SliceParams>();
    return {t[left.inputs[0]].value, of.first, of.count, {cut.first, cut.count}};
}

Columns Making::columns_of_right(const Node& product, const Block& of) const {
    Columns columns = nodes_[static_cast<std::size_t>(product.inputs[1])].columns();
    if (product.by_keys) columns.count = of.keys;
    return columns;
}

/// The step without its value.
Step Making::begun(const Node& node, const Block& of) {
    Step step = node.recipe->step;
    step.inputs = node.inputs;
    if (works_by_rows(step.op)) step.params = from_row(step, of.first);
    return step;
}

bool Making::has_large_product() const {
    return std::any_of(nodes_.begin(), nodes_.end(), [&](const Node& node) {
        if (!node.recipe || node.recipe->step.op != Op::MatMul) return false;
        const Node& right = nodes_[static_cast<std::size_t>(node.inputs[1])];
        return right.rows * right.cols > kLargeFactor;
    });
}

/// As many as stay in a core's cache, but few enough to leave blocks for the other threads; with a large factor, as
/// many as make packing it worthwhile.
Index Making::rows_at_once() const {
    constexpr Index kNear = Index{1} << 17, kFar = Index{1} << 22, kFewest = 16, kFewestFar = 512, kShare = 32, kBlocks = 4;
    Index widest = 1;
    for (const Node& node : nodes_)
        if (node.recipe) widest = std::max(widest, node.cols);
    if (has_large_product()) return std::max(kFewestFar, kFar / widest);
    return std::min(std::max(kFewest, kNear / widest), std::max(kShare, (rows_ + kBlocks - 1) / kBlocks));
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
    if (auto there = recomputed_cache().find(of)) return there;
    const std::lock_guard lock(of.making);
    if (auto there = recomputed_cache().find(of)) return there;
    auto made = of.read ? of.read() : Making(of, keep).whole({}, nullptr).held();
    if (keep || of.of_several_runs)
        recomputed_cache().put(of, made);
    else
        recomputed_cache().remember(of, made);
    return made;
}

}  // namespace attn
