#pragma once
// What `attenscope attribute` found, as text and in JSON.

#include <optional>
#include <string>
#include <vector>

#include "core/analysis/attribution.h"
#include "core/analysis/prediction.h"

namespace app {

/// What is taken apart, and in which parts.
struct AttributionReport {
    int place = 0;  ///< from 1
    std::string token;
    bool masked = false;  ///< the word at the place; else behind it
    attn::LikelyWord target;
    std::optional<attn::LikelyWord> against;
    bool likeliest = false;  ///< the target was not named
    bool capped = false;     ///< a cap is laid over the logits
    double logit = 0;
    std::optional<double> sum;  ///< of the parts, where they have one
    std::string measure;        ///< "direct", "gradient", "zero", "mean"
    std::vector<attn::Contribution> parts;
};

/// The `top` largest parts, then layers × heads.
std::string attribution_text(const attn::Trace& trace, const AttributionReport& report, int top);
std::string attribution_json(const attn::Trace& trace, const AttributionReport& report);

}  // namespace app
