#pragma once
// The screen of predictions: its pages and what they share.

#include <string>

#include "app/content/number_text.h"
#include "app/frame/view.h"
#include "app/screens/prediction/prediction.h"

namespace app {

// The pages, in the body below the switch. There is something to show (PredictionData::rows).
void draw_prediction_words(const Frame& frame, Rect area);
void draw_prediction_lens(const Frame& frame, Rect area);
void draw_prediction_parts(const Frame& frame, Rect area);
void draw_prediction_stream(const Frame& frame, Rect area);

// Keys.
void turn_prediction_page(const Frame& frame);
/// Puts the token that was taken behind the text, or in place of the mask: an edit that is undone by itself.
void take_predicted_token(const Frame& frame);
/// It is of the run that is shown, and something can be put there.
bool can_take_predicted(const Frame& frame);
void take_word(const Frame& frame, const attn::LikelyWord& word);

/// The text as chips, its end where not all have room: a click asks there. Returns where they end.
float draw_prediction_text(const Frame& frame, Rect area);
/// The controls of how a token is taken, in as many rows as they need; returns where they end.
float draw_prediction_dials(const Frame& frame, Rect area);

/// How far what was changed by hand has moved the prediction; empty: nothing was changed.
std::string changed_sentence(const Frame& frame);

/// A token of the vocabulary as it is drawn: "␣river".
std::string word_label(const Frame& frame, const attn::LikelyWord& word);
/// The place that is asked, in words: its token.
std::string asked_token(const Frame& frame);

template <class Change>
void change_prediction(const Frame& frame, Change change) {
    frame.change_view([change = std::move(change)](ViewState& v) { change(v.part<PredictionLook>()); });
}

}  // namespace app
