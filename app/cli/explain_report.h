#pragma once
// One number's explanation as text for people, as JSON for programs, as a formula for papers. Internal to `explain`.

#include <string>

#include "app/explain/inspection.h"

namespace app {

/// What is explained: the trace, and what the inspector has made of the cell in the language of `inspection`.
struct ExplainSource {
    const attn::Trace& trace;
    const Inspection& inspection;
    Language language;
    attn::Convention convention = attn::Convention::Rows;
};

std::string explanation_text(const ExplainSource& source);
std::string explanation_json(const ExplainSource& source);
/// Empty where there is nothing to work out: a number that was given.
std::string explanation_latex(const ExplainSource& source);

}  // namespace app
