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

/// The vectors that enter a stack, and what is summed up for them.
struct Entry {
    Intervention put;
    StepId step = kNoStep;
    Eigen::MatrixXd from, way;  ///< the baseline, and the way from it to the vectors
    Eigen::MatrixXd slopes;     ///< the sum of the gradients
};

StepId step_with(const Trace& trace, const Tag& tag) {
    for (StepId id = 0; id < trace.size(); ++id)
        if (Tag own = trace[id].tag; (own.time = kNoTime, own == tag)) return id;
    return kNoStep;
}

std::vector<Entry> entries_of(const Document& document, const Run& run, PutBy baseline, const std::string& text) {
    std::vector<Entry> out;
    for (const Part part : {Part::Encoder, Part::Main}) {
        Entry one{.put = {.at = Site::Residual, .by = PutBy::Text, .part = part, .tokens = {}, .text = text}, .from = {}, .way = {}, .slopes = {}};
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

}  // namespace

double IntegratedGradients::sum() const {
    double out = 0;
    for (const Contribution& part : parts) out += part.value;
    return out;
}

Result<IntegratedGradients> integrated_gradients(const Document& document, const Run& run, const AttributedWord& of, PutBy baseline, int points,
                                                 const Compute& compute) {
    const StepId logits = summed_logits(run.trace);
    if (logits == kNoStep) return Error{"it has no matrix from its outputs to words, so there is no logit to attribute", "", "unembedding", 0};
    if (!has(find_form(document.config.form)->reads, Reads::Blocks))
        return Error{"the form has no blocks; integrated gradients are for encoder, decoder and generate", "", "variant", 0};
    const PinScope pins;
    // The runs on the way patch from runs of the same text in which these vectors are others.
    const bool source = has(find_form(document.config.form)->reads, Reads::Source);
    const std::string& text = source ? document.source : document.text;
    std::vector<Entry> entries = entries_of(document, run, baseline, text);
    Document on_the_way = document;
    for (const Entry& entry : entries) on_the_way = with_intervention(std::move(on_the_way), entry.put);
    const auto at = [&](double share) {
        auto there = std::make_shared<Run>(run);
        for (const Entry& entry : entries) {
            const Eigen::MatrixXd value = entry.from + share * entry.way;
            there->trace.steps[static_cast<std::size_t>(entry.step)].value = Matrix(value.cast<float>());
        }
        return compute(on_the_way, OtherRuns{{text, std::move(there)}});
    };
    IntegratedGradients out{.logit = logit_of(run.trace, of), .parts = {}};
    auto start = at(0);
    if (!start) return start.error();
    out.baseline = logit_of(start->trace, of);
    for (int point = 0; point < points; ++point) {
        auto here = at((point + 0.5) / points);
        if (!here) return here.error();
        Trace& t = here->trace;
        const Attribution of_here{.of = of, .logits = summed_logits(t), .parts = {}};
        const Objective objective = objective_of(t, of_here.logits, slope_of_logit(t, of_here));
        std::vector<bool> wanted(t.steps.size(), false);
        for (const Entry& entry : entries) wanted[static_cast<std::size_t>(entry.step)] = true;
        const Gradients gradients = record_gradients(t, std::span(&objective, 1), wanted);
        for (Entry& entry : entries)
            if (const StepId slope = gradients.of[static_cast<std::size_t>(entry.step)]; slope != kNoStep)
                entry.slopes += t[slope].value.matrix().cast<double>();
    }
    for (const Entry& entry : entries) {
        Contribution part{.what = Contributor::TokenEmbedding, .part = entry.put.part, .step = entry.step, .keys = run.trace[entry.step].rows};
        const Eigen::VectorXd shares = entry.way.cwiseProduct(entry.slopes).rowwise().sum() / points;
        part.sources.assign(shares.begin(), shares.end());
        part.value = shares.sum();
        out.parts.push_back(std::move(part));
    }
    return out;
}

}  // namespace attn
