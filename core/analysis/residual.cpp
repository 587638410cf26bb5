#include "core/analysis/residual.h"

#include <array>
#include <cmath>

#include "core/attention/parts/choices.h"
#include "core/model/attention_file/given_attention.h"
#include "core/remake/remake.h"

namespace attn {
namespace {

constexpr std::array<std::string_view, 5> kAfterIds = {"inputs", "attention", "cross_attention", "feed_forward", "layer"};

bool is_of_encoder(Part part) { return part == Part::Encoder || part == Part::EncoderFeedForward; }

StreamAfter after_of(Part part) {
    if (part == Part::Cross) return StreamAfter::CrossAttention;
    return part == Part::FeedForward || part == Part::EncoderFeedForward ? StreamAfter::FeedForward : StreamAfter::Attention;
}

/// The sums x + f(x) of one stack, in order of computation; for a generated text those of the first time, which has all
/// tokens of the text.
std::vector<StepId> sums_of(const Trace& t, bool encoder) {
    std::vector<StepId> out;
    for (StepId id = 0; id < t.size(); ++id) {
        const Step& step = t[id];
        if (step.tag.time > 0) continue;
        if (step.tag.role == Role::Residual && step.tag.pass == 0 && step.op == Op::Add && is_of_encoder(step.tag.part) == encoder) out.push_back(id);
    }
    return out;
}

/// The norm of the last block's sum, if the block has one.
StepId normed_end(const Trace& t, StepId sum) {
    for (StepId id = sum + 1; id < t.size(); ++id)
        if ((t[id].op == Op::LayerNorm || t[id].op == Op::RmsNorm) && t[id].inputs[0] == sum) return id;
    return sum;
}

using Rows = Eigen::MatrixXd;

Rows rows_of(const Trace& t, StepId step) {
    const PinScope pins;
    return t[step].value.cast<double>();
}

std::vector<double> norms_of(const Rows& x) {
    const Eigen::VectorXd out = x.rowwise().norm();
    return {out.begin(), out.end()};
}

std::vector<double> cosines_of(const Rows& a, const Rows& b) {
    const Eigen::VectorXd out = a.cwiseProduct(b).rowwise().sum().array() / (a.rowwise().norm().array() * b.rowwise().norm().array());
    return {out.begin(), out.end()};
}

ResidualStack stack_of(const Run& run, const std::vector<StepId>& sums) {
    const Trace& t = run.trace;
    const bool normed = block_orders().find(run.config.block)->norm_sum;
    ResidualStack out{.part = is_of_encoder(t[sums.front()].tag.part) ? Part::Encoder : Part::Main,
                      .rows = t[sums.front()].rows, .sum_normed = normed, .points = {}};
    const StepId last = normed ? normed_end(t, sums.back()) : sums.back();
    const Rows end = rows_of(t, last);
    Rows before = rows_of(t, t[sums.front()].inputs[0]);
    out.points.push_back({.stream = t[sums.front()].inputs[0], .norm = norms_of(before), .cosine_before = cosines_of(before, before),
                          .cosine_end = cosines_of(before, end), .added_norm = {}, .added_cosine = {}});
    for (std::size_t i = 0; i < sums.size(); ++i) {
        const Step& sum = t[sums[i]];
        // The input that the next sub-layer's output is added to; a norm of the sum may be in between.
        const StepId stream = i + 1 < sums.size() ? t[sums[i + 1]].inputs[0] : last;
        const Rows added = rows_of(t, sum.inputs[1]), now = rows_of(t, stream);
        out.points.push_back({.after = after_of(sum.tag.part), .layer = sum.tag.layer, .stream = stream, .added = sum.inputs[1],
                              .norm = norms_of(now), .cosine_before = cosines_of(now, before), .cosine_end = cosines_of(now, end),
                              .added_norm = norms_of(added), .added_cosine = cosines_of(added, before)});
        before = now;
    }
    return out;
}

/// The stream that a file has of one part.
std::optional<ResidualStack> stack_of_file(const Trace& t, Part part) {
    const StepId input = find_id(t, {Role::Inputs, kNoHead, kNoLayer, kNoTime, part});
    if (input == kNoStep || t[input].op != Op::Input) return std::nullopt;
    ResidualStack out{.part = part, .rows = t[input].rows, .sum_normed = false, .points = {}};
    std::vector<StepId> layers;
    for (int layer = 0;; ++layer) {
        const StepId behind = find_id(t, {Role::Residual, kNoHead, layer, kNoTime, part});
        if (behind == kNoStep) break;
        layers.push_back(behind);
    }
    Rows before = rows_of(t, input);
    const Rows end = layers.empty() ? before : rows_of(t, layers.back());
    out.points.push_back({.stream = input, .norm = norms_of(before), .cosine_before = cosines_of(before, before), .cosine_end = cosines_of(before, end),
                          .added_norm = {}, .added_cosine = {}});
    for (std::size_t i = 0; i < layers.size(); ++i) {
        const Rows now = rows_of(t, layers[i]), added = now - before;
        out.points.push_back({.after = StreamAfter::Layer, .layer = static_cast<int>(i), .stream = layers[i], .norm = norms_of(now),
                              .cosine_before = cosines_of(now, before), .cosine_end = cosines_of(now, end), .added_norm = norms_of(added),
                              .added_cosine = cosines_of(added, before)});
        before = now;
    }
    return out;
}

}  // namespace

std::string_view stream_after_id(StreamAfter after) { return kAfterIds[static_cast<std::size_t>(after)]; }

Result<std::vector<ResidualStack>> residual_stacks(const Run& run) {
    if (const auto& file = run.inputs.attention) {
        std::vector<ResidualStack> given;
        for (const GivenStream& stream : file->streams)
            if (auto stack = stack_of_file(run.trace, stream.part)) given.push_back(std::move(*stack));
        if (!given.empty()) return given;
        return Error{"the file has no residual stream; capture it with residual=True", "", "attention", 0};
    }
    if (!has(find_form(run.config.form)->reads, Reads::Blocks))
        return Error{"the form has no blocks that add to a stream; it is for encoder, decoder and generate", "", "variant", 0};
    std::vector<ResidualStack> out;
    for (const bool encoder : {true, false})
        if (const auto sums = sums_of(run.trace, encoder); !sums.empty()) out.push_back(stack_of(run, sums));
    return out;
}

}  // namespace attn
