#pragma once
// What people see of a role and of a stage: a table (roles.inc).

#include <string_view>

#include "app/content/strings.h"
#include "app/draw/vocab.h"
#include "app/timeline/timeline.h"
#include "core/attention/forms/attention.h"

namespace attn {
struct Run;
}

namespace app {

struct RoleLook {
    Stage stage;
    Hue hue;
    bool operand;             ///< no stop of its own: it stands beside the step that reads it
    Str say;                  ///< what happens here, in a few words
    std::string_view symbol;  ///< where rows are tokens; see symbol_of
};
const RoleLook& look_of(attn::Role role);
/// For the formula setter. Where tokens are columns every matrix stands transposed under the same letter, and factors
/// change sides: X W_Q becomes W^q X.
std::string_view symbol_of(attn::Role role, attn::Convention convention);
/// The hue that a step has everywhere: its role's, and of a reverse pass that of gradients.
Hue hue_of(attn::Tag tag);

/// Vectors that look at themselves: no queries of their own, and no states.
bool looks_at_itself(const attn::Trace& trace);

/// Whether a step gives each query's scores by weights of the places, and no key takes part (Luong 2015, "location").
bool scores_by_place(const attn::Trace& trace, attn::StepId step);

struct StageLook {
    std::string_view part;  ///< of the formula
    Str title;
    Hue hue;
    std::string_view symbol;
    std::string_view columns{};  ///< the symbol where tokens are columns; empty: the same
    std::string_view symbol_in(attn::Convention convention) const {
        return convention == attn::Convention::Columns && !columns.empty() ? columns : symbol;
    }
};
const StageLook& look_of(Stage stage);
/// What a stage of this computation makes, for the formula setter: "Q Kᵀ", or what else its score's row says.
std::string symbol_of(Stage stage, const attn::AttentionConfig& config, attn::Convention convention);
/// The role whose words say what a step does: its own, or that of what makes it where a stack ends in a norm or a residual
/// sum (its output was mixed long before).
attn::Role role_of_doing(const attn::Step& step);
/// What happens in a step of this computation, in a few words: "every query with every key".
Str say_of(const attn::Run& run, attn::StepId step);

}  // namespace app
