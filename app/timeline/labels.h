#pragma once
// The names of rows and columns as they are drawn: visible characters only, features in the language shown.

#include <string>
#include <vector>

#include "app/content/strings.h"
#include "core/trace/trace.h"

namespace app {

struct AxisLabels {
    std::vector<std::string> tokens, source_tokens, words, things, features;

    /// The label of the i-th row or column; pairs are "query · key".
    std::string of(attn::Axis axis, int index) const;
    /// As written in a sentence: without the mark for the space that a token begins with.
    std::string spoken(attn::Axis axis, int index) const;
};

/// The name of an activation in formulas: "tanh".
std::string_view name_of(attn::Activation activation);

AxisLabels labels_of(const attn::Trace& trace, Language language);

}  // namespace app
