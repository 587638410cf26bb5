#pragma once
// The result of `attenscope attribute`, as text and as JSON.

#include <optional>
#include <string>
#include <vector>

#include "app/cli/target_word.h"
#include "core/analysis/circuits.h"
#include "core/trace/counting.h"

namespace app {

/// The logit that is decomposed, and its parts.
struct AttributionReport {
    TargetWord target;
    bool capped = false;     ///< the logits pass through a soft cap
    double logit = 0;
    std::optional<double> sum;  ///< of the parts, if the measure has one
    std::optional<double> baseline = {};  ///< integrated gradients: the logit where the way begins
    std::string baseline_name = {};       ///< "mean" or "zero"
    std::string measure;        ///< "direct", "gradient" or "integrated"
    std::vector<attn::Contribution> parts;
    std::vector<attn::Neuron> neurons = {};         ///< the neurons that contribute most, if requested
    std::vector<attn::WordReading> readings = {};   ///< what each of these neurons says about all words
    attn::CountFrom count = attn::CountFrom::One;  ///< in the text output
};

/// The `top` largest parts, layers × heads, and the neurons.
std::string attribution_text(const attn::Trace& trace, const AttributionReport& report, int top);
std::string attribution_json(const attn::Trace& trace, const AttributionReport& report);

}  // namespace app
