#pragma once
// Maps of attention as text and in JSON: through several layers, or each head's in another measure than the weight.

#include <optional>
#include <stop_token>
#include <string>

#include "core/analysis/measures.h"
#include "core/analysis/through_layers.h"
#include "core/base/result.h"
#include "core/trace/counting.h"

namespace app {

/// Refused: no layer looks at one text by itself, or the text is too long for a flow.
attn::Result<std::string> through_report(const attn::Trace& trace, attn::Through which, bool json);
/// Refused: the run holds no values that its weights mix.
attn::Result<std::string> measure_report(const attn::Trace& trace, attn::Measure measure, bool json, attn::CountFrom count);

}  // namespace app
