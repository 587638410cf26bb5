#pragma once
// Names for the steps of a reverse pass (core/gradient/gradient.h): ∂y/∂Q for the gradient of Q, where y is the number
// whose gradient is computed; L for the loss.

#include <string>
#include <string_view>

#include "app/content/strings.h"
#include "app/draw/vocab.h"
#include "core/attention/forms/attention.h"

namespace app {

/// A step of the reverse pass: a gradient, or an intermediate result.
inline bool is_reverse(attn::Tag tag) { return tag.pass != 0; }
/// The gradient with respect to another step's value, of its shape.
inline bool is_gradient(attn::Tag tag) { return tag.pass == 1; }

/// The hue of a step of this run: what the reverse pass only transposes keeps its own hue.
Hue hue_of(const attn::Trace& trace, attn::StepId step);
/// "L" or "y".
std::string_view letter_of_objective(const attn::Trace& trace);
/// For the formula setter: "{\\g \\partial y/\\partial} Q"; intermediate results are numbered: δ².
std::string symbol_of_reverse(const attn::Trace& trace, attn::StepId step, attn::Convention convention);
/// The symbol of the gradient with respect to a role's value.
std::string symbol_of_gradient(const attn::Trace& trace, attn::Role role, attn::Convention convention);
/// "gradient of queries"; "values, transposed".
std::string name_of_reverse(const attn::Trace& trace, attn::StepId step, Language language);
/// What the chain rule does here, in a few words.
Str says_of_reverse(const attn::Step& step);

}  // namespace app
