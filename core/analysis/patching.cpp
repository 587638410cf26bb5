#include "core/analysis/patching.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/gradient/gradient.h"
#include "core/remake/remake.h"

namespace attn {
namespace {

bool is_at(const Step& step, const Tag& tag) {
    Tag own = step.tag;
    own.time = kNoTime;
    return own == tag;
}

const Step* step_at(const Trace& trace, const Tag& tag) {
    const auto found = std::find_if(trace.steps.begin(), trace.steps.end(), [&](const Step& step) { return is_at(step, tag); });
    return found == trace.steps.end() ? nullptr : &*found;
}

/// The encoder's stack comes first if there is one; cross-attention comes after the decoder's self-attention.
std::vector<Part> stacks_of(const Run& run, Site at) {
    const bool encodes = find(run.trace, {Role::Residual, kNoHead, 0, kNoTime, Part::Encoder}) != nullptr;
    if (!encodes) return {Part::Main};
    if (at == Site::Attention) return {Part::Encoder, Part::Main, Part::Cross};
    return {Part::Encoder, Part::Main};
}

int layers_in(const Run& run, Part part) {
    int most = 0;
    for (const Step& step : run.trace.steps)
        if (step.tag.role == Role::Residual && step.tag.part == part && step.tag.pass == 0) most = std::max(most, step.tag.layer + 1);
    return most;
}

void add_heads(const Run& run, Intervention one, std::vector<Intervention>& out) {
    for (const StepId head : head_outputs(run.trace)) {
        const Intervention at = at_head(run.trace[head].tag, one.by);
        if (const PatternRule* rule = rule_of(one.by); rule && rule->needs_one_text && at.part == Part::Cross) continue;
        one.part = at.part;
        one.layer = at.layer;
        one.head = at.head;
        out.push_back(one);
    }
}

void add_tokens(const Document& document, const Run& run, Intervention one, std::vector<Intervention>& out) {
    const std::vector<Tag> tags = tags_of(document, one);
    const Step* step = tags.empty() ? nullptr : step_at(run.trace, tags.front());
    const Eigen::Index rows = step ? step->value.rows() : 0;
    for (int token = 0; token < static_cast<int>(rows); ++token) {
        one.tokens = {token};
        out.push_back(one);
    }
}

/// The value of a step with its rows replaced.
Matrix put_into(const Trace& t, const Step& step, const Intervention& put, const Step* there) {
    Matrix out(step.value.matrix());
    const PatternRule* rule = rule_of(put.by);
    const Matrix pattern = rule ? pattern_by_rule(t, step, *rule) : Matrix();
    const RowVector mean = out.cast<double>().colwise().mean().cast<float>();
    for (int row = 0; row < static_cast<int>(out.rows()); ++row) {
        const int token = step.rows.first + row;
        if (!put.tokens.empty() && !std::binary_search(put.tokens.begin(), put.tokens.end(), token)) continue;
        if (put.by == PutBy::Zero) out.row(row).setZero();
        if (put.by == PutBy::Mean) out.row(row) = mean;
        if (rule) out.row(row) = pattern.row(row);
        if (put.by == PutBy::Text && there && row < there->value.rows()) out.row(row) = there->value.matrix().row(row);
    }
    return out;
}

}  // namespace

std::vector<Intervention> places_of(const Document& document, const Run& run, Site at, PutBy by, const std::string& text) {
    std::vector<Intervention> out;
    Intervention one{.at = at, .by = by, .tokens = {}, .text = by == PutBy::Text ? text : std::string()};
    if (at == Site::Head || at == Site::Pattern) {
        add_heads(run, one, out);
        return out;
    }
    for (const Part part : stacks_of(run, at)) {
        one.part = part;
        const int layers = layers_in(run, part == Part::Cross ? Part::Main : part);
        for (one.layer = 0; one.layer < layers + (at == Site::Residual ? 1 : 0); ++one.layer)
            if (at == Site::Residual)
                add_tokens(document, run, one, out);
            else
                out.push_back(one);
    }
    return out;
}

Document with_intervention(Document document, Intervention put) {
    document.interventions.push_back(std::move(put));
    return document;
}

Result<std::vector<double>> estimated_changes(const Document& document, Run run, const Attribution& attribution, const std::vector<Intervention>& places,
                                              const std::stop_token& stop, const OtherRuns& others) {
    OtherRuns texts = others;
    for (const Intervention& put : places) {
        if (put.by != PutBy::Text || texts.contains(put.text)) continue;
        auto made = attn::run(patched_from(document, put.text), stop);
        if (!made) return made.error();
        texts[put.text] = std::make_shared<const Run>(std::move(*made));
    }
    Trace& t = run.trace;
    const PinScope pins;
    const std::size_t forward = t.steps.size();
    const Objective objective = objective_of(t, attribution.logits, slope_of_logit(t, attribution));
    const Gradients gradients = record_gradients(t, std::span(&objective, 1));
    std::vector<double> out;
    for (const Intervention& put : places) {
        double change = 0;
        for (const Tag& tag : tags_of(document, put))
            for (std::size_t id = 0; id < forward; ++id) {
                if (!is_at(t.steps[id], tag) || gradients.of[id] == kNoStep) continue;
                const Step* there = put.by == PutBy::Text ? step_at(texts.at(put.text)->trace, tag) : nullptr;
                const Matrix instead = put_into(t, t.steps[id], put, there);
                change += (instead.cast<double>() - t.steps[id].value.matrix().cast<double>()).cwiseProduct(t[gradients.of[id]].value.matrix().cast<double>()).sum();
            }
        out.push_back(change);
    }
    return out;
}

double recovered(double logit, double here, double there) {
    return here == there ? std::numeric_limits<double>::quiet_NaN() : (logit - here) / (there - here);
}

double kl_divergence(const RowVector& before, const RowVector& after) {
    const auto log_shares = [](const RowVector& logits) -> Eigen::RowVectorXd {
        const Eigen::RowVectorXd own = logits.cast<double>();
        const double most = own.maxCoeff();
        return own.array() - (most + std::log((own.array() - most).exp().sum()));
    };
    const Eigen::RowVectorXd p = log_shares(before), q = log_shares(after);
    double sum = 0;
    for (Eigen::Index w = 0; w < p.size(); ++w)
        if (const double share = std::exp(p(w)); share > 0) sum += share * (p(w) - q(w));
    return sum;
}

}  // namespace attn
