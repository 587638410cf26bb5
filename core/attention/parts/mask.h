#pragma once
// Masks: which keys a query may look at. A table: one function and one row to add one.

#include <array>

#include "core/attention/parts/attend.h"
#include "core/attention/refusal.h"
#include "core/base/catalogue.h"

namespace attn {

/// Queries first, first + 1, … and keys 0, 1, …
struct MaskShape {
    int queries = 0, keys = 0, first = 0;
};

struct Mask {
    std::string_view id;
    std::string_view source = "";  ///< paper
    Source from = Source::Formula;  ///< where its pattern comes from
    /// queries×keys of 1 (looked at) and 0; null: no mask, no step.
    Matrix (*pattern)(const Inputs&, const AttentionConfig&, MaskShape) = nullptr;
    std::string_view formula = "{\\m M}";
    /// Hides the keys after the query, and those alone.
    bool causal = false;
    /// Hides what stands at the end of the text that is looked at: where there are two, of the second.
    bool of_keys = false;
    /// Says nothing of tokens that are added while it is in use.
    bool fixed = false;
    std::array<std::string_view, 4> fields = {};  ///< of the document, that it reads
    Refuses refuses = nullptr;
    std::string_view global = "";  ///< what masks a layer that has no window (global_every); empty: it is no window
};

Catalogue<Mask>& mask_catalogue();
std::span<const Mask> masks();
const Mask* find_mask(std::string_view id);
/// The one whose pattern the document gives.
const Mask& drawn_mask();
/// Of a mask that compares places of one sequence: it is not for queries and keys of two texts.
Refusals refuse_two_texts(const AttentionConfig& config, const Form& form);

/// The choices of one layer: those of layers without a window differ where the configuration says so [Gemma Team 2024].
AttentionConfig config_of_layer(const AttentionConfig& config, int layer);

/// The scores with the masks on them, `scores` itself where there is none: where the attention is causal by itself,
/// that first; a configured mask other than that comes second.
StepId apply_mask(Trace& t, const Attend& a, StepId scores);
/// The configured mask's pattern for queries of these rows and keys of these columns; kNoStep where there is none. One
/// serves every head and layer.
StepId mask_pattern(Trace& t, const Attend& a, MaskShape shape, Axis rows, Axis cols);

}  // namespace attn
