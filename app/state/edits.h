#pragma once
// Edits that a view makes to a copy of the document: numbers typed over by hand, masks drawn.

#include <optional>
#include <string_view>

#include "app/state/state.h"

namespace app {

/// Sets the cell to `value`, replacing any earlier edit of it.
void type_over(attn::Document& document, const CellRef& cell, float value);
/// Removes the cell's edit, so that it is computed again. False if it had none.
bool reset_cell(attn::Document& document, const CellRef& cell);
const attn::Edit* edit_at(const attn::Document& document, const CellRef& cell);

/// Parses a number as people type it: "-0.5", "−0,5", ".5", "1e3"; none if it is not a finite float32.
std::optional<float> number_typed(std::string_view text);
/// The field's text when it opens: the shortest one that parses back to the same number.
std::string number_to_type(float value);

/// Switches off one head of the attention that `at` names by part and layer: its output becomes zeros. If it is off
/// already, it is computed again. Forms without blocks have a single attention; there the switch applies to every head
/// of that number.
void switch_head(attn::Document& document, const attn::Tag& at, int head);
bool head_is_off(const attn::Document& document, const attn::Tag& at, int head);
/// Whether the document has heads that can be switched off.
bool can_switch_heads(const attn::Document& document);

/// Replaces the sentence. Given vectors and a drawn mask belong to the old tokens and are dropped, as are interventions
/// that no longer fit.
void type_text(attn::Document& document, std::string_view text);
/// Replaces the second text.
void type_source(attn::Document& document, std::string_view text);

/// Takes all numbers from this model; null: from no model, with the plain vectors and weights. Given matrices and edits
/// belong to the old model and are dropped. The texts stay, unless the model knows too few of their words: then it
/// shows an example in this language.
void use_model(attn::Document& document, const std::shared_ptr<const attn::Model>& model, Language language = Language::English);
/// Shows a checkpoint on the prediction screen, or, if it predicts no words, on the heads screen; the playhead goes to
/// the weights of the last layer. Documents that are not checkpoints are shown as before.
void look_at_checkpoint(ViewState& view, const attn::Document& document);
/// Opens a model from its card, with the example of its task that the card shows: the text of another task would be
/// nonsense.
void open_model(attn::Document& document, const std::shared_ptr<const attn::Model>& model, Language language);

/// A rectangle of a mask; both corners are included.
struct CellSpan {
    int row = 0, col = 0, last_row = 0, last_col = 0;
};
/// Turns the mask into a drawn one: `pattern` (1 visible, 0 masked) with the span set to `seen`.
void paint_mask(attn::Document& document, const attn::Matrix& pattern, CellSpan span, bool seen);
/// What clicking the label of a whole row or column does: hide it if all of it is visible, else show it.
bool flipped(const attn::Matrix& pattern, CellSpan span);

}  // namespace app
