#pragma once
// Attention maps as text and as JSON: through several layers, or for each head in a measure other than its weights.

#include <optional>
#include <stop_token>
#include <string>

#include "core/analysis/measures.h"
#include "core/analysis/through_layers.h"
#include "core/base/result.h"
#include "core/trace/counting.h"

namespace app {

/// Error: no consecutive layers are self-attention, or the text is too long for attention flow.
attn::Result<std::string> through_report(const attn::Trace& trace, attn::Through which, bool json);
/// Error: the run has no weights, or does not hold the values that some of them mix.
attn::Result<std::string> measure_report(const attn::Trace& trace, attn::Measure measure, bool json, attn::CountFrom count);

}  // namespace app
