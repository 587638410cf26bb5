#pragma once
// Numbers typed over by hand, and masks drawn: what a view does to a copy of the document.

#include <optional>
#include <string_view>

#include "app/state/state.h"

namespace app {

/// The number now in a cell is `value`, in place of any that was typed over there before.
void type_over(attn::Document& document, const CellRef& cell, float value);
/// The cell is computed again. False: it was.
bool reset_cell(attn::Document& document, const CellRef& cell);
const attn::Edit* edit_at(const attn::Document& document, const CellRef& cell);

/// A number as people type it: "-0.5", "−0,5", ".5", "1e3"; none where it is no finite number of float32.
std::optional<float> number_typed(std::string_view text);
/// What stands in the field when it opens: as short as it can be and still the same number.
std::string number_to_type(float value);

/// One head of the attention that `at` names by part and layer is switched off: zeros stand for its output, whatever stood there. Or
/// it is computed again, where it was off. Forms without blocks have one attention, and all its heads of that number go.
void switch_head(attn::Document& document, const attn::Tag& at, int head);
bool head_is_off(const attn::Document& document, const attn::Tag& at, int head);
/// It has heads that can be switched off.
bool can_switch_heads(const attn::Document& document);

/// The sentence becomes another. Numbers of one's own belong to the old tokens, and go; so do interventions that no longer fit.
void type_text(attn::Document& document, std::string_view text);
/// The second text becomes another.
void type_source(attn::Document& document, std::string_view text);

/// Every number comes from this model; null: from none, and vectors and weights are the plain ones. Numbers of one's own
/// belong to the model before, and go; the texts stay, unless the model knows none of their words: then it shows an example for
/// readers of this language.
void use_model(attn::Document& document, std::shared_ptr<const attn::Model> model, Language language = Language::English);
/// A checkpoint is looked at for what it predicts, or, where it says no words, for where it looks; the walk stands at the weights of its
/// last layer, not at X. Whatever else was opened is looked at as before.
void look_at_checkpoint(ViewState& view, const attn::Document& document);
/// A model from its card: with an example of its task, which the card shows; the text of another task would be nonsense.
void open_model(attn::Document& document, std::shared_ptr<const attn::Model> model, Language language);

/// A rectangle of a mask, both corners inside.
struct CellSpan {
    int row = 0, col = 0, last_row = 0, last_col = 0;
};
/// The mask becomes one drawn by hand: `pattern` (1 looked at, 0 masked) with the span set to `seen`.
void paint_mask(attn::Document& document, const attn::Matrix& pattern, CellSpan span, bool seen);
/// What a click on the label of a whole row or column makes of it: hidden if all of it is seen, seen else.
bool flipped(const attn::Matrix& pattern, CellSpan span);

}  // namespace app
