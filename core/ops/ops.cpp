#include "core/ops/ops.h"

#include <cassert>
#include <vector>

#include "core/ops/record.h"

namespace attn {
namespace {

StepId record(Trace& t, Op op, Tag tag, std::initializer_list<StepId> inputs, const Axis& rows, const Axis& cols) {
    begin(t, op, tag, inputs, rows, cols);
    return record(t);
}

}  // namespace

StepId input(Trace& t, StepValue value, Tag tag, Axis rows, Axis cols, Sources sources) {
    Step& step = begin(t, Op::Input, tag, {}, rows, cols);
    step.params.sources = std::move(sources);
    step.value = std::move(value);
    return record(t);
}

StepId matmul(Trace& t, StepId left, StepId right, Tag tag) {
    assert(t[left].value.cols() == t[right].value.rows());
    return record(t, Op::MatMul, tag, {left, right}, t[left].rows, t[right].cols);
}

StepId transpose(Trace& t, StepId from, Tag tag) {
    return record(t, Op::Transpose, tag, {from}, t[from].cols, t[from].rows);
}

StepId scale(Trace& t, StepId from, float factor, Tag tag) {
    Step& step = begin(t, Op::Scale, tag, {from}, t[from].rows, t[from].cols);
    step.params.factor = factor;
    return record(t);
}

StepId add(Trace& t, StepId left, StepId right, Tag tag) {
    assert(t[left].value.rows() == t[right].value.rows() && t[left].value.cols() == t[right].value.cols());
    return record(t, Op::Add, tag, {left, right}, t[left].rows, t[left].cols);
}

StepId add_row(Trace& t, StepId left, StepId bias, Tag tag) {
    assert(t[bias].value.rows() == 1 && t[left].value.cols() == t[bias].value.cols());
    return record(t, Op::AddRow, tag, {left, bias}, t[left].rows, t[left].cols);
}

StepId mask(Trace& t, StepId scores, StepId pattern, Tag tag) {
    assert(t[scores].value.rows() == t[pattern].value.rows() && t[scores].value.cols() == t[pattern].value.cols());
    return record(t, Op::Mask, tag, {scores, pattern}, t[scores].rows, t[scores].cols);
}

StepId softmax(Trace& t, StepId from, float temperature, Tag tag) {
    Step& step = begin(t, Op::Softmax, tag, {from}, t[from].rows, t[from].cols);
    step.params.temperature = temperature;
    return record(t);
}

StepId slice(Trace& t, StepId from, int first, int count, Tag tag) {
    assert(first >= 0 && count >= 0 && first + count <= t[from].value.cols());
    Step& step = begin(t, Op::Slice, tag, {from}, t[from].rows, t[from].cols);
    step.cols.first += first;
    step.params.first = first;
    step.params.extent = count;
    return record(t);
}

StepId concat(Trace& t, const std::vector<StepId>& parts, Tag tag) {
    assert(!parts.empty());
    begin(t, Op::Concat, tag, {}, t[parts[0]].rows, {}).inputs = parts;
    return record(t);
}

StepId multiply(Trace& t, StepId left, StepId right, Tag tag) {
    assert(t[left].value.rows() == t[right].value.rows());
    assert(t[right].value.cols() == 1 || t[left].value.cols() == t[right].value.cols());
    return record(t, Op::Multiply, tag, {left, right}, t[left].rows, t[left].cols);
}

StepId divide(Trace& t, StepId left, StepId right, Tag tag) {
    assert(t[left].value.rows() == t[right].value.rows());
    assert(t[right].value.cols() == 1 || t[left].value.cols() == t[right].value.cols());
    return record(t, Op::Divide, tag, {left, right}, t[left].rows, t[left].cols);
}

StepId activate(Trace& t, StepId from, Activation activation, Tag tag) {
    Step& step = begin(t, Op::Activate, tag, {from}, t[from].rows, t[from].cols);
    step.params.activation = activation;
    return record(t);
}

StepId unit(Trace& t, StepId from, Tag tag) {
    return record(t, Op::Unit, tag, {from}, t[from].rows, t[from].cols);
}

StepId layer_norm(Trace& t, StepId from, StepId gain, StepId bias, Tag tag, float epsilon) {
    assert(t[from].value.cols() == t[gain].value.cols() && t[from].value.cols() == t[bias].value.cols());
    Step& step = begin(t, Op::LayerNorm, tag, {from, gain, bias}, t[from].rows, t[from].cols);
    step.params.factor = epsilon;
    return record(t);
}

StepId rms_norm(Trace& t, StepId from, StepId gain, Tag tag, float epsilon) {
    assert(t[from].value.cols() == t[gain].value.cols());
    Step& step = begin(t, Op::RmsNorm, tag, {from, gain}, t[from].rows, t[from].cols);
    step.params.factor = epsilon;
    return record(t);
}

StepId rotate(Trace& t, StepId from, int first_position, bool half_pairs, Tag tag, float base, bool back,
              RotarySlowing slowing) {
    assert(t[from].value.cols() % 2 == 0);
    Step& step = begin(t, Op::Rotate, tag, {from}, t[from].rows, t[from].cols);
    step.params.first = first_position;
    step.params.half_pairs = half_pairs;
    step.params.factor = base;
    step.params.backward = back;
    step.params.slowing = slowing;
    return record(t);
}

namespace {

/// Rows that are pairs: query i with key j at i·m + j. A block of queries that begins at `first` keeps its names.
Axis pair_axis(const Trace& t, StepId queries, StepId keys) {
    const auto m = static_cast<int>(t[keys].value.rows());
    return {Axis::Kind::Pairs, t[queries].rows.first * m, m, t[queries].rows.kind, t[keys].rows.kind};
}

}  // namespace

StepId pair_sum(Trace& t, StepId queries, StepId keys, Tag tag) {
    assert(t[queries].value.cols() == t[keys].value.cols());
    return record(t, Op::PairSum, tag, {queries, keys}, pair_axis(t, queries, keys), t[queries].cols);
}

StepId pair_concat(Trace& t, StepId queries, StepId keys, Tag tag) {
    return record(t, Op::PairConcat, tag, {queries, keys}, pair_axis(t, queries, keys), {});
}

StepId fold(Trace& t, StepId pairs, int keys, Axis rows, Axis cols, Tag tag) {
    assert(t[pairs].value.cols() == 1 && keys > 0 && t[pairs].value.rows() % keys == 0);
    Step& step = begin(t, Op::Fold, tag, {pairs}, rows, cols);
    step.params.extent = keys;
    return record(t);
}

StepId unfold(Trace& t, StepId from, Axis rows, Tag tag) {
    Step& step = begin(t, Op::Fold, tag, {from}, rows, {});
    step.params.extent = 1;
    return record(t);
}

StepId spread(Trace& t, StepId from, int clip, int first, int keys, Axis cols, Tag tag) {
    assert(t[from].value.cols() == 2 * clip + 1);
    Step& step = begin(t, Op::Spread, tag, {from}, t[from].rows, cols);
    step.params.count = clip;
    step.params.first = first;
    step.params.extent = keys;
    return record(t);
}

StepId collect(Trace& t, StepId from, int clip, int first, Tag tag) {
    Step& step = begin(t, Op::Collect, tag, {from}, t[from].rows, {Axis::Kind::Distances, -clip});
    step.params.count = clip;
    step.params.first = first;
    return record(t);
}

StepId window(Trace& t, StepId centers, float reach, int keys, Axis cols, Tag tag) {
    Step& step = begin(t, Op::Window, tag, {centers}, t[centers].rows, cols);
    step.params.factor = reach;
    step.params.extent = keys;
    return record(t);
}

StepId gaussian(Trace& t, StepId centers, float sigma, int keys, Axis cols, Tag tag) {
    assert(sigma > 0);
    Step& step = begin(t, Op::Gaussian, tag, {centers}, t[centers].rows, cols);
    step.params.factor = sigma;
    step.params.extent = keys;
    return record(t);
}

StepId top_k(Trace& t, StepId from, int k, Tag tag) {
    assert(k > 0);
    Step& step = begin(t, Op::TopK, tag, {from}, t[from].rows, t[from].cols);
    step.params.count = k;
    return record(t);
}

StepId top_p(Trace& t, StepId from, float p, Tag tag, float temperature) {
    Step& step = begin(t, Op::TopP, tag, {from}, t[from].rows, t[from].cols);
    step.params.factor = p;
    step.params.temperature = temperature;
    return record(t);
}

StepId sparsemax(Trace& t, StepId from, float temperature, Tag tag) {
    Step& step = begin(t, Op::Sparsemax, tag, {from}, t[from].rows, t[from].cols);
    step.params.temperature = temperature;
    return record(t);
}

StepId draw(Trace& t, StepId weights, int draws, std::uint64_t seed, Tag tag, int first) {
    assert(draws > 0 && first >= 0);
    Step& step = begin(t, Op::Draw, tag, {weights}, t[weights].rows, t[weights].cols);
    step.params.count = draws;
    step.params.first = first;
    step.params.seed = seed;
    return record(t);
}

StepId row_sum(Trace& t, StepId from, Tag tag) { return record(t, Op::RowSum, tag, {from}, t[from].rows, {}); }

StepId row_max(Trace& t, StepId from, StepId before, Tag tag) {
    Step& step = begin(t, Op::RowMax, tag, {from}, t[from].rows, {});
    if (before != kNoStep) step.inputs.push_back(before);
    return record(t);
}

StepId column_sum(Trace& t, StepId from, Tag tag) {
    return record(t, Op::ColumnSum, tag, {from}, {}, t[from].cols);
}

StepId exp_shift(Trace& t, StepId from, StepId maximum, Tag tag) {
    assert(t[maximum].value.cols() == 1 && t[maximum].value.rows() == t[from].value.rows());
    return record(t, Op::ExpShift, tag, {from, maximum}, t[from].rows, t[from].cols);
}

StepId penalty(Trace& t, StepId coverage, float lambda, Tag tag) {
    assert(t[coverage].value.rows() == 1);
    Step& step = begin(t, Op::Penalty, tag, {coverage}, {}, {});
    step.params.factor = lambda;
    return record(t);
}

StepId recur(Trace& t, StepId from, StepId weight, bool backward, Tag tag) {
    assert(t[weight].value.rows() == t[weight].value.cols() && t[weight].value.rows() == t[from].value.cols());
    Step& step = begin(t, Op::Recur, tag, {from, weight}, t[from].rows, t[from].cols);
    step.params.backward = backward;
    return record(t);
}

StepId slice_rows(Trace& t, StepId from, int first, int count, Tag tag) {
    assert(first >= 0 && count >= 0 && first + count <= t[from].value.rows());
    Step& step = begin(t, Op::SliceRows, tag, {from}, t[from].rows, t[from].cols);
    step.rows.first += first;
    step.params.first = first;
    step.params.extent = count;
    return record(t);
}

StepId stack(Trace& t, const std::vector<StepId>& parts, Tag tag) {
    assert(!parts.empty());
    begin(t, Op::Stack, tag, {}, t[parts[0]].rows, t[parts[0]].cols).inputs = parts;
    return record(t);
}

StepId softmax_gradient(Trace& t, StepId weights, StepId gradient, float temperature, Tag tag) {
    assert(temperature > 0 && t[weights].value.rows() == t[gradient].value.rows());
    Step& step = begin(t, Op::SoftmaxGradient, tag, {weights, gradient}, t[weights].rows, t[weights].cols);
    step.params.temperature = temperature;
    return record(t);
}

StepId norm_gradient(Trace& t, StepId from, StepId gain, StepId gradient, bool centred, float epsilon, Tag tag) {
    assert(t[from].value.cols() == t[gain].value.cols() && t[from].value.cols() == t[gradient].value.cols());
    Step& step = begin(t, Op::NormGradient, tag, {from, gain, gradient}, t[from].rows, t[from].cols);
    step.params.centred = centred;
    step.params.factor = epsilon;
    return record(t);
}

StepId again(Trace& t, StepId of, Tag tag) {
    const Step from = t[of];  // it moves as the trace grows
    Step& step = begin(t, from.op, tag, {}, from.rows, from.cols);
    step.inputs = from.inputs;
    step.params = from.params;
    return record(t);
}

}  // namespace attn
