#pragma once
// The prediction screen: its pages and what they share.

#include <string>

#include "app/content/number_text.h"
#include "app/frame/control_rows.h"
#include "app/frame/view.h"
#include "app/screens/prediction/prediction.h"

namespace app {

// The pages, in the area below the switch. Precondition: there is something to show (PredictionData::rows).
void draw_prediction_words(const Frame& frame, Rect area);
void draw_prediction_lens(const Frame& frame, Rect area);
void draw_prediction_parts(const Frame& frame, Rect area);
void draw_prediction_stream(const Frame& frame, Rect area);
void draw_prediction_interventions(const Frame& frame, Rect area);

// Commands for keys.
void turn_prediction_page(const Frame& frame);
/// Appends the chosen token to the text, or puts it in place of the mask, as a separate edit in the history.
void take_predicted_token(const Frame& frame);
/// Whether the prediction is of the shown run, and a token can be put there.
bool can_take_predicted(const Frame& frame);
void take_word(const Frame& frame, const attn::LikelyWord& word);

/// The text as chips, or its end if not all fit; a click selects a position. Returns where they end.
float draw_prediction_text(const Frame& frame, Rect area);
/// The controls for how a token is chosen, in as many rows as they need; returns where they end.
float draw_prediction_dials(const Frame& frame, Rect area);

/// Says how much the changes made by hand have moved the prediction; empty: nothing was changed.
std::string changed_sentence(const Frame& frame);

/// Each token's share by integrated gradients, below the other controls of the page of parts.
void draw_integrated(const Frame& frame, Rect area);

/// Runs on a thread, and whether the user has stopped them.
struct RunsToCome {
    std::size_t done = 0, all = 0;
    bool stopped = false;
};
/// How many runs there are to come, with the button "ID_stop" or "ID_go_on"; returns whether it was pressed.
bool draw_runs_to_come(const Frame& frame, Rect row, std::string_view id, const RunsToCome& runs);

/// The choice of the token whose logit is examined, and of the one that it is compared with. `id`: before the numbers
/// of the controls.
void choose_tokens(const Frame& frame, ControlRows& flow, std::string_view id);

/// Goes to the weights of a head.
void show_weights(const Frame& frame, const HeadPlace& head);

/// A token of the vocabulary, as drawn: "␣river".
std::string word_label(const Frame& frame, const attn::LikelyWord& word);
/// The selected position in words: its token.
std::string selected_token(const Frame& frame);

template <class Change>
void change_prediction(const Frame& frame, Change change) {
    frame.change_view([change = std::move(change)](ViewState& v) { change(v.part<PredictionLook>()); });
}

}  // namespace app
