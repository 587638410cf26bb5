#include "app/frame/asking.h"

namespace app {

bool shows_question(const AppState& state) {
    const ViewState& v = state.view;
    return (v.asking == Asking::Asked || v.asking == Asking::Answered) && v.screen == Screen::Stage && !v.plays() && v.panels &&
           v.sheet != Sheet::Tour;
}

bool shows_opening(const AppState& state) { return shows_question(state) || state.view.asking == Asking::Leaving; }

std::string words_of_opening(const Derived& derived, Language language) {
    std::string out;
    for (const Str each : {Str::asking_pronoun, Str::asking_guess, Str::asking_guessed, Str::asking_answered, Str::asking_answered_one,
                           Str::asking_none, Str::asking_says, Str::asking_says_itself, Str::asking_right, Str::asking_wrong,
                           Str::asking_others, Str::asking_scores, Str::asking_shares, Str::asking_change, Str::asking_click})
        out += tr(each, language);
    if (!derived.opening) return out;
    out += derived.opening->title;
    for (const std::string& word : derived.opening->words) out += word;
    return out;
}

bool can_ask(const Frame& f) { return question_of_text(f.state.document, *f.derived.run, f.view().head, f.view().language).has_value(); }

void toggle_question(const Frame& f) {
    // A chapter's page continues in its own way: there this switches between question and answer.
    if (f.view().course.open() && shows_question(f.state))
        return f.push(OpeningAction{f.view().asking == Asking::Asked ? OpeningAction::Do::Answer : OpeningAction::Do::Again});
    f.push(OpeningAction{shows_question(f.state) ? OpeningAction::Do::LookInside : OpeningAction::Do::Again});
}

void go_on_in_opening(const Frame& f) {
    const bool answered = f.view().asking == Asking::Answered && f.view().opening.seconds >= kAnswerSeconds;
    if (f.view().course.open() && (answered || !f.derived.opening)) return;
    f.push(OpeningAction{answered || !f.derived.opening ? OpeningAction::Do::LookInside : OpeningAction::Do::Answer});
}

void go_back_in_opening(const Frame& f) { f.push(OpeningAction{OpeningAction::Do::Again}); }

}  // namespace app
