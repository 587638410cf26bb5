#include "core/analysis/attribution.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "core/analysis/prediction.h"
#include "core/gradient/gradient.h"
#include "core/remake/remake.h"

namespace attn {
namespace {

constexpr std::array<std::string_view, kContributors> kContributorIds = {
    "token_embedding", "position_embedding", "segment_embedding", "head",        "attention_bias",
    "feed_forward",    "feed_forward_bias",  "norm_bias",         "output_bias", "replaced"};

using Direction = Eigen::VectorXd;

Direction row_of(const Trace& t, StepId step, int row) { return t[step].value.one_row(row).transpose().cast<double>(); }

/// W · read, which needs only a few columns of W: of a large unembedding no others are computed.
Direction back_through(const Trace& t, StepId weight, const Direction& read) {
    const Step& w = t[weight];
    Direction out = Direction::Zero(w.value.rows());
    for (Eigen::Index c = 0; c < read.size(); ++c) {
        if (read(c) == 0) continue;
        if (w.op == Op::Transpose && w.replaced.empty())
            out += read(c) * row_of(t, w.inputs[0], static_cast<int>(c));
        else
            out += read(c) * w.value.col(c).cast<double>();
    }
    return out;
}

/// The contributor, if the step is added as a whole.
std::optional<Contributor> contributor_of(const Step& step) {
    switch (step.tag.role) {
        case Role::Embeddings:
            return Contributor::TokenEmbedding;
        case Role::Positions:
            return Contributor::PositionEmbedding;
        case Role::TokenType:
        case Role::SegmentVectors:
            return Contributor::SegmentEmbedding;
        case Role::HeadOutput:
            return Contributor::Head;
        case Role::OutputBias:
            return Contributor::AttentionBias;
        case Role::DownBias:
            return Contributor::FeedForwardBias;
        case Role::UnembeddingBias:
        case Role::DistillationBias:
            return Contributor::OutputBias;
        case Role::DownProducts:
            return Contributor::FeedForward;
        case Role::Down:  // the sum with its bias, if there is one
            return step.op == Op::MatMul ? std::optional(Contributor::FeedForward) : std::nullopt;
        default:
            return std::nullopt;
    }
}

/// Whether a head's output is just weights × values, or a feed-forward layer's just neurons × W_down.
bool mixes_values(const Step& step) { return step.op == Op::MatMul && step.replaced.empty(); }

/// Walks from the logits back to the added parts, through all linear steps; `read` is the direction along which a row
/// is read.
class Walk {
public:
    Walk(const Trace& t, std::vector<Contribution>& parts, bool neurons) : t_(t), parts_(parts), neurons_(neurons) {}

    void back(StepId id, int row, const Direction& read) {
        const Step& step = t_[id];
        if (const auto what = contributor_of(step)) return add_part(*what, id, row, read);
        add_replaced(id, row, read);
        switch (step.op) {
            case Op::Add:
                back(step.inputs[0], row, read);
                return back(step.inputs[1], row, read);
            case Op::AddRow:
                back(step.inputs[0], row, read);
                return back(step.inputs[1], 0, read);
            case Op::Scale:
                return back(step.inputs[0], row, static_cast<double>(step.as<ScaleParams>().factor) * read);
            case Op::LayerNorm:
            case Op::RmsNorm:
                return back_through_norm(id, row, read);
            case Op::MatMul:
                return back(step.inputs[0], row, back_through(t_, step.inputs[1], read));
            case Op::Concat:
                return back_through_concat(step, row, read);
            case Op::SliceRows:
                return back(step.inputs[0], row + step.as<SliceParams>().first, read);
            case Op::Stack:
                return back_through_stack(step, row, read);
            default:
                if (stopped_at_ == kNoStep) stopped_at_ = id;
        }
    }
    /// The first step that is not linear; kNoStep: there was none.
    StepId stopped_at() const { return stopped_at_; }

private:
    void add(Contributor what, StepId id, double value, std::vector<double> sources = {}, Axis keys = {}, std::vector<double> neurons = {}, int row = 0) {
        const Tag& tag = t_[id].tag;
        const bool of_layer = tag.layer != kNoLayer;
        const int head = what == Contributor::Head ? std::max(tag.head, 0) : kNoHead;
        for (Contribution& there : parts_)
            if (there.what == what && there.layer == tag.layer && there.head == head && (there.part == tag.part || !of_layer)) {
                there.value += value;
                for (std::size_t j = 0; j < std::min(sources.size(), there.sources.size()); ++j) there.sources[j] += sources[j];
                for (std::size_t i = 0; i < std::min(neurons.size(), there.neurons.size()); ++i) there.neurons[i] += neurons[i];
                return;
            }
        parts_.push_back({what, tag.part, tag.layer, head, value, id, std::move(sources), keys, std::move(neurons), row});
    }

    void add_part(Contributor what, StepId id, int row, const Direction& read) {
        const double value = row_of(t_, id, row).dot(read);
        const Step& step = t_[id];
        if (!mixes_values(step) || (what != Contributor::Head && (what != Contributor::FeedForward || !neurons_))) return add(what, id, value);
        const Direction taken = t_[step.inputs[1]].value.matrix().cast<double>() * read;
        const Direction sources = row_of(t_, step.inputs[0], row).cwiseProduct(taken);
        std::vector<double> each(sources.begin(), sources.end());
        if (what == Contributor::FeedForward) return add(what, id, value, {}, {}, std::move(each), row);
        add(what, id, value, std::move(each), t_[step.inputs[0]].cols);
    }

    void add_replaced(StepId id, int row, const Direction& read) {
        double value = 0;
        for (const Step::Replaced& cell : t_[id].replaced)
            if (cell.row == row) value += (static_cast<double>(t_[id].value(row, cell.col)) - static_cast<double>(cell.computed)) * read(cell.col);
        if (value != 0) add(Contributor::Replaced, id, value);
    }

    /// γ ⊙ (x − mean)/σ + β, or γ ⊙ x/σ, with σ held constant.
    void back_through_norm(StepId id, int row, const Direction& read) {
        const Step& step = t_[id];
        const bool centred = step.op == Op::LayerNorm;
        const Direction x = row_of(t_, step.inputs[0], row);
        const double mean = centred ? x.mean() : 0, width = static_cast<double>(x.size());
        const double sigma = std::sqrt((x.array() - mean).square().sum() / width + static_cast<double>(step.as<NormParams>().epsilon));
        Direction before = row_of(t_, step.inputs[1], 0).cwiseProduct(read) / sigma;
        if (centred) before.array() -= before.mean();
        back(step.inputs[0], row, before);
        if (centred) add(Contributor::NormBias, id, row_of(t_, step.inputs[2], 0).dot(read));
    }

    void back_through_concat(const Step& step, int row, const Direction& read) {
        Eigen::Index first = 0;
        for (const StepId input : step.inputs) {
            const Eigen::Index width = t_[input].value.cols();
            back(input, row, read.segment(first, width));
            first += width;
        }
    }

    void back_through_stack(const Step& step, int row, const Direction& read) {
        for (const StepId input : step.inputs) {
            const auto rows = static_cast<int>(t_[input].value.rows());
            if (row < rows) return back(input, row, read);
            row -= rows;
        }
    }

    const Trace& t_;
    std::vector<Contribution>& parts_;
    bool neurons_;
    StepId stopped_at_ = kNoStep;
};

Direction direction_of(const Trace& t, StepId logits, const AttributedWord& of) {
    Direction out = Direction::Zero(t[logits].value.cols());
    out(of.target) += 1;
    if (of.against) out(*of.against) -= 1;
    return out;
}

Error no_sum(const Trace& t, StepId at) {
    const std::string name = step_name(t[at].tag);
    if (t[at].tag.part == Part::Words)
        return {fmt::format("a layer with an activation is between the last block and the words ({}), so a logit is not the sum of what the "
                            "parts add; models like GPT-2 and Llama have none there, and integrated gradients go through it", name), "", "model", 0};
    return {fmt::format("its logits are not sums of what its parts add: {} ({}) is between them", name, op_id(t[at].op)), "", "variant", 0};
}

}  // namespace

std::string_view contributor_id(Contributor what) { return kContributorIds[static_cast<std::size_t>(what)]; }

double Attribution::sum() const {
    return std::accumulate(parts.begin(), parts.end(), 0.0, [](double sum, const Contribution& part) { return sum + part.value; });
}

StepId summed_logits(const Trace& t) {
    const StepId logits = logits_step(t);
    if (logits == kNoStep) return kNoStep;
    const StepId below_cap = find_id(t, t[logits].tag.as(Role::UncappedLogits));
    return below_cap == kNoStep ? logits : below_cap;
}

double logit_of(const Trace& t, const AttributedWord& of) {
    const StepId logits = summed_logits(t);
    return row_of(t, logits, of.row).dot(direction_of(t, logits, of));
}

Matrix slope_of_logit(const Trace& t, const Attribution& attribution) {
    Matrix out = Matrix::Zero(t[attribution.logits].value.rows(), t[attribution.logits].value.cols());
    out.row(attribution.of.row) = direction_of(t, attribution.logits, attribution.of).cast<float>();
    return out;
}

Result<Attribution> attribute(const Run& run, const AttributedWord& of, bool neurons) {
    const Trace& t = run.trace;
    const PinScope pins;
    Attribution out{.of = of, .logits = summed_logits(t), .parts = {}};
    if (out.logits == kNoStep) return Error{"it has no matrix from its outputs to words, so there is no logit to take apart", "", "unembedding", 0};
    if (!has(find_form(run.config.form)->reads, Reads::Blocks))
        return Error{"the form has no blocks that add to a stream; it is for encoder, decoder and generate", "", "variant", 0};
    const Direction read = direction_of(t, out.logits, of);
    out.logit = logit_of(t, of);
    Walk walk(t, out.parts, neurons);
    walk.back(out.logits, of.row, read);
    if (walk.stopped_at() != kNoStep) return no_sum(t, walk.stopped_at());
    return out;
}

std::vector<Neuron> top_neurons(const Trace& t, const Attribution& attribution, int count) {
    const PinScope pins;
    std::vector<Neuron> out;
    for (const Contribution& part : attribution.parts) {
        // The largest of each layer, then of all, since a layer of a large model has thousands.
        std::vector<int> order(part.neurons.size());
        std::iota(order.begin(), order.end(), 0);
        const auto size = [&](int i) { return std::abs(part.neurons[static_cast<std::size_t>(i)]); };
        const auto last = order.begin() + std::min<std::ptrdiff_t>(count, std::ssize(order));
        std::partial_sort(order.begin(), last, order.end(), [&](int a, int b) { return size(a) != size(b) ? size(a) > size(b) : a < b; });
        for (auto i = order.begin(); i != last; ++i)
            out.push_back({.part = part.part, .layer = part.layer, .index = *i,
                           .activation = static_cast<double>(t[t[part.step].inputs[0]].value(part.row, *i)),
                           .value = part.neurons[static_cast<std::size_t>(*i)], .step = part.step});
    }
    std::stable_sort(out.begin(), out.end(), [](const Neuron& a, const Neuron& b) { return std::abs(a.value) > std::abs(b.value); });
    if (std::ssize(out) > count) out.resize(static_cast<std::size_t>(count));
    return out;
}

std::vector<StepId> head_outputs(const Trace& trace) {
    std::vector<StepId> out;
    for (StepId id = 0; id < trace.size(); ++id)
        if (trace[id].tag.role == Role::HeadOutput && trace[id].tag.pass == 0) out.push_back(id);
    return out;
}

std::vector<Contribution> gradient_times_value(Run run, const Attribution& attribution) {
    Trace& t = run.trace;
    const PinScope pins;
    const std::vector<StepId> heads = head_outputs(t);
    std::vector<bool> wanted(t.steps.size(), false);
    for (const StepId head : heads) wanted[static_cast<std::size_t>(head)] = true;
    const Objective objective = objective_of(t, attribution.logits, slope_of_logit(t, attribution));
    const Gradients gradients = record_gradients(t, std::span(&objective, 1), wanted);
    std::vector<Contribution> out;
    for (const StepId id : heads) {
        const Step& step = t[id];
        Contribution head{Contributor::Head, step.tag.part, step.tag.layer, std::max(step.tag.head, 0), 0, id, {}, {}};
        const StepId slope = gradients.of[static_cast<std::size_t>(id)];
        Eigen::MatrixXd g = Eigen::MatrixXd::Zero(step.value.rows(), step.value.cols());
        if (slope != kNoStep) g = t[slope].value.matrix().cast<double>();
        head.value = g.cwiseProduct(step.value.matrix().cast<double>()).sum();
        if (mixes_values(step)) {
            const Eigen::MatrixXd alpha = t[step.inputs[0]].value.matrix().cast<double>(), v = t[step.inputs[1]].value.matrix().cast<double>();
            const Direction sources = alpha.cwiseProduct(g * v.transpose()).colwise().sum();
            head.sources.assign(sources.begin(), sources.end());
            head.keys = t[step.inputs[0]].cols;
        }
        out.push_back(std::move(head));
    }
    return out;
}

}  // namespace attn
