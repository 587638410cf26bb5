// Steps that change numbers in place (a product's scaling, mask and softmax, or bias and activation) are applied one
// after the other to a few rows at a time, which meanwhile stay in the innermost cache.
//
// This assumes that all numbers are finite, which is nearly always so. Where one is not, its inputs have been
// overwritten, and the block is recomputed step by step to find out which step overflowed.
#include <algorithm>
#include <atomic>
#include <limits>
#include <mutex>
#include <utility>

#include "core/base/parallel.h"
#include "core/kernels/softmax.h"
#include "core/kernels/widths.h"
#include "core/ops/ops.h"
#include "core/remake/making.h"

namespace attn {
namespace {

using Index = Eigen::Index;

constexpr Index kStrip = 4096;  ///< numbers per strip

/// The numbers of a value made for this block. (Frozen for those who hold them, but nobody does yet.)
float* own_numbers(const Step& step) { return const_cast<float*>(step.value.data()); }

/// Per number, in simple operations.
double cost_of(const Step& step) {
    constexpr double kCurve = 20, kShare = 8, kSimple = 1;
    return step.op == Op::Activate ? kCurve : step.op == Op::Softmax ? kShare : kSimple;
}

/// Whether a number that is not finite stays so under the operation: then checking its result checks its input as well.
bool keeps_infinite(const Step& step) { return step.op == Op::AddRow || step.op == Op::Add || step.op == Op::Scale; }

}  // namespace

/// Whether the node only changes, number by number or row by row, a value that was made here and has no other reader.
bool Making::works_on_strips(const Trace& t, const Node& node) const {
    if (!node.recipe || !t.notes.empty() || node.inputs.empty()) return false;
    const Step& step = node.recipe->step;
    const Node& read = nodes_[static_cast<std::size_t>(node.inputs[0])];
    if (!read.recipe || read.readers != 1) return false;
    if (step.op == Op::Softmax) return step.as<SoftmaxParams>().temperature >= 0;
    const Op from = read.recipe->step.op;
    if (step.op == Op::Mask) return !nodes_[static_cast<std::size_t>(node.inputs[1])].recipe && (makes_numbers(from) || from == Op::Mask);
    return works_in_place(step) && makes_numbers(from);
}

/// Whether the steps after a product need no more of a row than the part at hand: then the thread that computed that
/// part applies them before it leaves its caches.
bool Making::can_follow_product(const Trace& t, const Strips& strips) const {
    return strips.product != kNoStep && !strips.steps.empty() &&
           std::all_of(strips.steps.begin(), strips.steps.end(), [&](StepId id) { return works_in_place(t[id]); });
}

void Making::multiply_here(const Trace& t, StepId product, const Block& of, ProductWork then) const {
    const Node& node = nodes_[static_cast<std::size_t>(product)];
    multiply_into(left_of(t, node, of), t[node.inputs[1]].value, columns_of_right(node, of), own_numbers(t[product]), then);
}

/// False: a number is not finite. Otherwise the last step's numbers have been checked, too.
bool Making::do_with_product(const Trace& t, const Strips& strips, const Block& of) const {
    std::atomic<bool> sound = true;
    multiply_here(t, strips.product, of, ProductWork([&](Index first, Index past, Columns columns) {
        std::vector<Note> none;  // these steps need no note except for overflow, which ends the attempt
        if (sound && !do_strip(t, strips, of, {first, past, columns}, true, none)) sound = false;
    }));
    return sound;
}

/// False: a number is not finite.
bool Making::do_strips(Trace& t, const Strips& strips, const Block& of, bool note_last) const {
    if (strips.steps.empty()) return true;
    const StepValue& value = t[strips.steps.front()].value;
    const Index rows = value.rows(), at_once = std::max<Index>(1, kStrip / std::max<Index>(1, value.cols()));
    double cost = 0;
    for (const StepId id : strips.steps) cost += cost_of(t[id]);
    std::mutex mutex;
    std::vector<Note> notes;
    bool sound = true;
    share_rows(rows, cost * static_cast<double>(value.cols()), [&](Index first, Index past) {
        std::vector<Note> here;
        bool sound_here = true;
        for (Index row = first; row < past && sound_here; row += at_once)
            sound_here = do_strip(t, strips, of, {row, std::min(row + at_once, past), {0, value.cols()}}, note_last, here);
        if (sound_here && here.empty()) return;
        const std::lock_guard lock(mutex);
        sound &= sound_here;
        notes.insert(notes.end(), here.begin(), here.end());
    });
    std::sort(notes.begin(), notes.end(), [](const Note& a, const Note& b) { return std::pair(a.step, a.row) < std::pair(b.step, b.row); });
    t.notes.insert(t.notes.end(), notes.begin(), notes.end());
    return sound;
}

bool Making::do_strip(const Trace& t, const Strips& strips, const Block& of, const Strip& strip, bool note_last, std::vector<Note>& notes) const {
    const Matrix& values = t[strips.steps.front()].value;
    float* const numbers = own_numbers(t[strips.steps.front()]);
    const Index cols = values.cols();
    const auto is_finite = [&] { return all_finite(values, strip.first, strip.past, strip.columns); };
    const auto looks_after = [&](StepId id) { return is_noted(id, note_last) && !stays_finite(t, t[id]); };
    if (strips.looks_first && !(keeps_infinite(t[strips.steps.front()]) && looks_after(strips.steps.front())) && !is_finite()) return false;
    for (const StepId id : strips.steps) {
        const Step& step = t[id];
        if (step.op == Op::Mask) {
            hide(t, id, of, strip.first, strip.past, numbers);
        } else if (step.op == Op::Softmax) {
            std::vector<int> hidden;
            if (!softmax_in_place(numbers + strip.first * cols, strip.past - strip.first, static_cast<int>(cols), step.as<SoftmaxParams>().temperature, hidden)) return false;
            for (const int row : hidden)
                if (is_noted(id, note_last)) notes.push_back({id, static_cast<int>(strip.first) + row, RowState::AllMasked});
        } else {
            compute_rows(t, step, strip.first, strip.past, strip.columns, numbers);
            if (looks_after(id) && !is_finite()) return false;
        }
    }
    return true;
}

/// The pattern covers the block's rows or, where it is read in place, all rows. For a causal one the first hidden key
/// is known.
void Making::hide(const Trace& t, StepId mask, const Block& of, Index first, Index past, float* numbers) const {
    const Step& step = t[mask];
    const Index cols = step.value.cols();
    if (const auto& known = nodes_[static_cast<std::size_t>(mask)].seen; known && known->all_before) {
        for (Index row = first; row < past; ++row) {
            const Index hidden = std::min<Index>(known->past[static_cast<std::size_t>(of.first + row)], cols);
            std::fill_n(numbers + row * cols + hidden, cols - hidden, -std::numeric_limits<float>::infinity());
        }
        return;
    }
    const Matrix& seen = t[step.inputs[1]].value;
    const Index all_rows = nodes_[static_cast<std::size_t>(step.inputs[1])].rows;
    const float* pattern = seen.data() + (seen.rows() == all_rows ? of.first : 0) * seen.cols();
    for (Index row = first; row < past; ++row) {
        float* const here = numbers + row * cols;
        vectors::kernels().hide(here, pattern + row * seen.cols(), cols, here);
    }
}

}  // namespace attn
