#pragma once
// What `attenscope attribute` found, as text and in JSON.

#include <optional>
#include <string>
#include <vector>

#include "app/cli/asked_word.h"
#include "core/analysis/circuits.h"
#include "core/trace/counting.h"

namespace app {

/// What is taken apart, and in which parts.
struct AttributionReport {
    AskedWord asked;
    bool capped = false;     ///< a cap is laid over the logits
    double logit = 0;
    std::optional<double> sum;  ///< of the parts, where they have one
    std::string measure;        ///< "direct" or "gradient"
    std::vector<attn::Contribution> parts;
    std::vector<attn::Neuron> neurons = {};         ///< that have most in it, where they are asked for
    std::vector<attn::WordReading> readings = {};   ///< of these: what each says of all words
    attn::CountFrom count = attn::CountFrom::One;  ///< in the text
};

/// The `top` largest parts, layers × heads, and the neurons.
std::string attribution_text(const attn::Trace& trace, const AttributionReport& report, int top);
std::string attribution_json(const attn::Trace& trace, const AttributionReport& report);

}  // namespace app
