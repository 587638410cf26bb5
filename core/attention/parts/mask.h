#pragma once
// Masks: which keys a query may attend to. A table: a new mask is one function and one row.

#include <array>

#include "core/attention/parts/attend.h"
#include "core/attention/refusal.h"
#include "core/base/catalogue.h"

namespace attn {

/// Queries first, first + 1, … and keys 0, 1, ….
struct MaskShape {
    int queries = 0, keys = 0, first = 0;
};

struct Mask {
    std::string_view id;
    std::string_view source = "";  ///< paper
    Source from = Source::Formula;  ///< where its pattern comes from
    /// queries×keys of 1 (visible) and 0; null: no mask, no step.
    Matrix (*pattern)(const Inputs&, const AttentionConfig&, MaskShape) = nullptr;
    std::string_view formula = "{\\m M}";
    /// Hides exactly the keys after the query.
    bool causal = false;
    /// Hides the end of the text that the keys come from: of the second text if there are two.
    bool of_keys = false;
    /// Does not define what tokens added by generation may see.
    bool fixed = false;
    std::array<std::string_view, 4> fields = {};  ///< the document's fields that it reads
    Refuses refuses = nullptr;
    std::string_view global = "";  ///< the mask of layers without a window (global_every); empty: it is no window
};

Catalogue<Mask>& mask_catalogue();
std::span<const Mask> masks();
const Mask* find_mask(std::string_view id);
/// The mask whose pattern the document gives.
const Mask& drawn_mask();
/// For masks that compare positions within one sequence: refuses queries and keys of two different texts.
Refusals refuse_two_texts(const AttentionConfig& config, const Form& form);

/// The choices of one layer: layers without a window, or without positions, differ if that is configured [Gemma Team
/// 2024].
AttentionConfig config_of_layer(const AttentionConfig& config, int layer);

/// The masked scores, or `scores` itself if there is no mask. If the attention is causal by itself, the causal mask
/// comes first; a different configured mask comes second.
StepId apply_mask(Trace& t, const Attend& a, StepId scores);
/// The configured mask's pattern for queries of these rows and keys of these columns; kNoStep if there is no mask.
/// Heads and layers with the same mask share it.
StepId mask_pattern(Trace& t, const Attend& a, MaskShape shape, Axis rows, Axis cols);

}  // namespace attn
