#pragma once
// How a role and a stage are presented: a table (roles.inc).

#include <cstdint>
#include <string_view>

#include "app/content/strings.h"
#include "app/draw/vocab.h"
#include "app/timeline/timeline.h"
#include "core/attention/forms/attention.h"

namespace attn {
struct Run;
}

namespace app {

/// Steps whose values are compared with each other: they can share one colour range.
enum class ValueFamily : std::uint8_t { Vectors, Weights, Scores, Shares, Gradients };

struct RoleLook {
    Stage stage;
    Hue hue;
    bool operand;             ///< not a stop: it is drawn next to the step that reads it
    Str say;                  ///< what happens here, in a few words
    std::string_view symbol;  ///< where rows are tokens; see symbol_of
    ValueFamily family;
};
const RoleLook& look_of(attn::Role role);
/// For the formula setter. Where tokens are columns, every matrix is transposed but keeps its letter, so factors swap
/// sides: X W_Q becomes W^q X.
std::string_view symbol_of(attn::Role role, attn::Convention convention);
/// The hue that a step has everywhere: its role's, or the one of gradients in a reverse pass.
Hue hue_of(attn::Tag tag);

/// Self-attention without separate queries or states: vectors that attend to themselves directly.
bool looks_at_itself(const attn::Trace& trace);
/// What is said of numbers that a file of attention has; nothing of others.
std::optional<Str> say_of_file(const attn::Step& step);

/// Whether a step computes each query's scores from weights per position, without keys (Luong 2015, "location").
bool scores_by_place(const attn::Trace& trace, attn::StepId step);

struct StageLook {
    std::string_view part;  ///< of the formula
    Str title;
    Hue hue;
    std::string_view symbol;
    std::string_view columns{};  ///< the symbol where tokens are columns; empty if it is the same
    std::string_view symbol_in(attn::Convention convention) const {
        return convention == attn::Convention::Columns && !columns.empty() ? columns : symbol;
    }
};
const StageLook& look_of(Stage stage);
/// What a stage of this computation makes, for the formula setter: "Q Kᵀ", or the symbol of the chosen score.
std::string symbol_of(Stage stage, const attn::AttentionConfig& config, attn::Convention convention);
/// The role whose text describes the step: usually its own, but where a stack ends in a norm or a residual sum, the
/// role of the operation that makes it, because its output was mixed long before.
attn::Role role_of_doing(const attn::Step& step);
/// What a step of this computation does, in a few words: "every query with every key".
Str say_of(const attn::Run& run, attn::StepId step);

}  // namespace app
