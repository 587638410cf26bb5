#include "core/analysis/integrated.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "core/analysis/patching.h"
#include "core/attention/forms/attention.h"
#include "core/document/intervene.h"
#include "core/gradient/gradient.h"
#include "core/remake/remake.h"

namespace attn {
namespace {

StepId step_with(const Trace& trace, const Tag& tag) {
    for (StepId id = 0; id < trace.size(); ++id)
        if (Tag own = trace[id].tag; (own.time = kNoTime, own == tag)) return id;
    return kNoStep;
}

std::vector<GradientPath::Entry> entries_of(const Document& document, const Run& run, PutBy baseline, const std::string& text) {
    std::vector<GradientPath::Entry> out;
    for (const Part part : {Part::Encoder, Part::Main}) {
        GradientPath::Entry one{.put = {.at = Site::Residual, .by = PutBy::Text, .part = part, .tokens = {}, .text = text}, .from = {}, .way = {}, .slopes = {}};
        if (wrong_place(document, one.put)) continue;
        one.step = step_with(run.trace, tags_of(document, one.put).front());
        if (one.step == kNoStep) continue;
        const Eigen::MatrixXd x = run.trace[one.step].value.matrix().cast<double>();
        one.from = Eigen::MatrixXd::Zero(x.rows(), x.cols());
        if (baseline == PutBy::Mean) one.from.rowwise() = x.colwise().mean();
        one.way = x - one.from;
        one.slopes = Eigen::MatrixXd::Zero(x.rows(), x.cols());
        out.push_back(std::move(one));
    }
    return out;
}

/// The text whose vectors are others on the way: what the first stack reads.
const std::string& moved_text(const Document& document) { return has(find_form(document.config.form)->reads, Reads::Source) ? document.source : document.text; }

}  // namespace

double IntegratedGradients::sum() const {
    double out = 0;
    for (const Contribution& part : parts) out += part.value;
    return out;
}

Result<GradientPath> begin_gradient_path(const Document& document, const Run& run, const AttributedWord& of, PutBy baseline, int points) {
    if (summed_logits(run.trace) == kNoStep) return Error{"it has no matrix from its outputs to words, so there is no logit to attribute", "", "unembedding", 0};
    if (!has(find_form(document.config.form)->reads, Reads::Blocks))
        return Error{"the form has no blocks; integrated gradients are for encoder, decoder and generate", "", "variant", 0};
    const PinScope pins;
    return GradientPath{.of = of, .points = points, .entries = entries_of(document, run, baseline, moved_text(document))};
}

Result<Done> go_on_path(const Document& document, const Run& run, GradientPath& path, const Compute& compute) {
    const PinScope pins;
    // The runs on the way patch from runs of the same text in which these vectors are others.
    Document on_the_way = document;
    for (const GradientPath::Entry& entry : path.entries) on_the_way = with_intervention(std::move(on_the_way), entry.put);
    const double share = path.done == 0 ? 0 : (path.done - 0.5) / path.points;
    auto there = std::make_shared<Run>(run);
    for (const GradientPath::Entry& entry : path.entries) {
        const Eigen::MatrixXd value = entry.from + share * entry.way;
        there->trace.steps[static_cast<std::size_t>(entry.step)].value = Matrix(value.cast<float>());
    }
    auto here = compute(on_the_way, OtherRuns{{moved_text(document), std::move(there)}});
    if (!here) return here.error();
    Trace& t = here->trace;
    if (path.done == 0) {
        path.baseline = logit_of(t, path.of);
    } else {
        const Attribution of_here{.of = path.of, .logits = summed_logits(t), .parts = {}};
        const Objective objective = objective_of(t, of_here.logits, slope_of_logit(t, of_here));
        std::vector<bool> wanted(t.steps.size(), false);
        for (const GradientPath::Entry& entry : path.entries) wanted[static_cast<std::size_t>(entry.step)] = true;
        const Gradients gradients = record_gradients(t, std::span(&objective, 1), wanted);
        for (GradientPath::Entry& entry : path.entries)
            if (const StepId slope = gradients.of[static_cast<std::size_t>(entry.step)]; slope != kNoStep) entry.slopes += t[slope].value.matrix().cast<double>();
    }
    ++path.done;
    return Done{};
}

IntegratedGradients sum_of_path(const Run& run, const GradientPath& path) {
    IntegratedGradients out{.logit = logit_of(run.trace, path.of), .baseline = path.baseline, .parts = {}};
    for (const GradientPath::Entry& entry : path.entries) {
        Contribution part{.what = Contributor::TokenEmbedding, .part = entry.put.part, .step = entry.step, .keys = run.trace[entry.step].rows};
        const Eigen::VectorXd shares = entry.way.cwiseProduct(entry.slopes).rowwise().sum() / path.points;
        part.sources.assign(shares.begin(), shares.end());
        part.value = shares.sum();
        out.parts.push_back(std::move(part));
    }
    return out;
}

Result<IntegratedGradients> integrated_gradients(const Document& document, const Run& run, const AttributedWord& of, PutBy baseline, int points,
                                                 const Compute& compute) {
    auto path = begin_gradient_path(document, run, of, baseline, points);
    if (!path) return path.error();
    while (!path->finished())
        if (const auto done = go_on_path(document, run, *path, compute); !done) return done.error();
    return sum_of_path(run, *path);
}

}  // namespace attn
