#include "app/screens/experiments/scale.h"

#include <algorithm>

#include "app/timeline/roles.h"
#include "core/model/model.h"

namespace app {
namespace {

/// A trainable matrix: an operand that is neither computed, nor drawn at random, nor looked up.
bool is_weight(const attn::Step& step) {
    if (step.op != attn::Op::Input || !look_of(step.tag.role).operand) return false;
    const std::span<const attn::Source> sources = step.as<attn::InputParams>().sources.listed();
    if (sources.empty()) return false;
    return std::all_of(sources.begin(), sources.end(), [](attn::Source s) {
        return s == attn::Source::Seeded || s == attn::Source::Given || s == attn::Source::Model || s == attn::Source::Identity;
    });
}

}  // namespace

double weights_of(const attn::Run& run) {
    if (run.inputs.model) return static_cast<double>(run.inputs.model->numbers());
    double count = 0;
    for (const attn::Step& step : run.trace.steps)
        if (is_weight(step)) count += static_cast<double>(step.value.size());
    return count;
}

ScaleExperiment make_scale(const attn::Run& run) {
    ScaleExperiment out;
    ScaledModel own;
    own.layers = std::max(1, run.config.layers);
    own.heads = std::max(1, run.config.heads);
    own.width = run.inputs.d();
    own.weights = weights_of(run);
    out.models.push_back(own);
    for (const PublishedModel& m : published_models()) {
        const WeightCount parts = count_weights(m);
        out.models.push_back({std::string(m.name), m.layers, m.heads, m.width, parts.all(), parts, &m});
    }
    return out;
}

}  // namespace app
