#pragma once
// A form of attention as a table row: its formula, what it reads, and the function that records it.

#include <cstdint>
#include <string>
#include <string_view>

#include "core/attention/inputs.h"
#include "core/attention/refusal.h"
#include "core/text/notation.h"

namespace attn {

/// Which parts of a document a form reads. A document that sets a part its form does not read is refused, and the
/// screen offers no switch for it.
enum class Reads : std::uint32_t {
    Nothing = 0,
    Heads = 1u << 0,
    KeyHeads = 1u << 1,     ///< kv_heads
    Projections = 1u << 2,  ///< W_Q, W_K, W_V, W_O and their biases, by these names
    Weights = 1u << 3,      ///< the choice between identity and seeded weights
    Source = 1u << 4,       ///< a second text
    Score = 1u << 5,
    Mask = 1u << 6,
    Position = 1u << 7,
    Scope = 1u << 8,
    Selection = 1u << 9,  ///< selection, gate and penalty
    Temperature = 1u << 10,
    Order = 1u << 11,  ///< queries and keys are one sequence, so their order matters
    Blocks = 1u << 12,  ///< layers, block, norm, activation, ffn_width
    Words = 1u << 13,   ///< predicts one of the words of its texts
    Generate = 1u << 14,
    Tile = 1u << 15,
    Causal = 1u << 16,  ///< no token sees a later one, whatever the mask is
    Unit = 1u << 17,    ///< a recurrent decoder whose unit can be chosen
    Target = 1u << 18,  ///< a single attention whose context can be read as a word, so hard attention can be trained
    /// Everything that a single attention through parts/attend reads.
    Attend = Score | Mask | Position | Scope | Selection | Temperature,
};
constexpr Reads operator|(Reads a, Reads b) { return Reads(std::uint32_t(a) | std::uint32_t(b)); }
constexpr bool has(Reads set, Reads one) { return (std::uint32_t(set) & std::uint32_t(one)) != 0; }

struct Form {
    std::string_view id;
    std::string_view score = "";  ///< its score function if the document names none; empty: none
    /// The formula for this configuration, in the notation of the formula setter; \part{scores}{…} ties a part to a
    /// stage of the computation: the ids of app/timeline/timeline.h (vectors, projections, scores, scale, mask,
    /// softmax, mix, …).
    std::string (*formula)(const AttentionConfig&, Convention) = nullptr;
    std::string (*where)(const AttentionConfig&, Convention) = nullptr;  ///< what the letters mean; empty: nothing
    std::string_view source = "";  ///< paper
    Reads reads = Reads::Nothing;
    void (*run)(Trace&, const Inputs&, const AttentionConfig&) = nullptr;
    Refuses refuses = nullptr;
    /// The letters of its attention, for the list of steps and the timeline.
    Letters letters = kQueryKeyValue;
    /// Shown in place of the scores if the form has no score function, and in place of the output if that is not W_O's.
    Notation scores = {}, output = {};
};

}  // namespace attn
