#pragma once
// One number's explanation: as text, as JSON, and as a LaTeX formula. Internal to `explain`.

#include <string>

#include "app/explain/inspection.h"

namespace app {

/// The trace, and the inspector's result for the cell, in the language of `inspection`.
struct ExplainSource {
    const attn::Trace& trace;
    const Inspection& inspection;
    Language language;
    attn::Convention convention = attn::Convention::Rows;
};

std::string explanation_text(const ExplainSource& source);
std::string explanation_json(const ExplainSource& source);
/// Empty for a given number, which has no derivation.
std::string explanation_latex(const ExplainSource& source);

}  // namespace app
