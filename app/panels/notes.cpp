// Messages that do not interrupt the user: errors of the document, cut text, missing fonts, computing.

#include <algorithm>
#include <optional>
#include <vector>

#include "app/panels/notes.h"
#include "app/state/course.h"
#include "app/panels/modes.h"
#include "app/chapters/view.h"
#include "app/content/model_notes.h"
#include "app/content/number_text.h"
#include "app/frame/caption_paint.h"
#include "app/frame/commands.h"
#include "app/frame/nothing.h"
#include "core/document/document.h"
#include "core/model/attention_file/given_attention.h"
#include "core/text/unicode.h"
#include "core/tokenizers/tokenizer_model.h"
#include "core/train/tasks.h"

namespace app {
namespace {

/// When a message disappears.
enum class Goes : std::uint8_t {
    ByHand,     ///< when it is closed: about something that was done, or could not be
    Aside,      ///< with its cause, which is lasting; a closed one is not shown again
    WithCause,  ///< only with its cause, without which there is nothing to show
    Soon,       ///< by itself
};

struct Note {
    std::string text;
    BannerKind kind;
    Goes goes;

    bool can_be_closed() const { return goes == Goes::ByHand || goes == Goes::Aside; }
};

std::string listed(const Frame& f, const std::vector<std::string>& words) {
    std::string out;
    for (std::size_t i = 0; i < words.size(); ++i)
        out.append(i > 0 ? (f.view().language == Language::Chinese ? "、" : ", ") : "").append(attn::visible(words[i]));
    return out;
}

/// The unknown words, whose rows are 0, and the known words that may have been meant.
std::string blank_words(const Frame& f, const std::vector<std::string>& words, const std::vector<std::vector<std::string>>& close) {
    std::string out;
    for (std::size_t i = 0; i < close.size(); ++i) {
        const std::string word(attn::visible(words[i]));
        if (!out.empty()) out += f.view().language == Language::Chinese ? "" : " ";
        out += close[i].empty() ? f.say(Str::blank_note, {word}) : f.say(Str::blank_close_note, {word, listed(f, close[i])});
    }
    if (words.size() > close.size())
        out += (f.view().language == Language::Chinese ? "" : " ") + f.say(Str::blank_more_note, {std::to_string(words.size() - close.size())});
    return out;
}

/// The first few of a list, and their total.
std::string unknown_words(const Frame& f, const std::vector<std::string>& words) {
    constexpr std::size_t kShown = 8;
    if (const auto& close = f.derived.run->close_to_unknown; !close.empty()) return blank_words(f, words, close);
    const std::string_view between = f.view().language == Language::Chinese ? "、" : ", ";
    std::string out;
    for (std::size_t i = 0; i < std::min(words.size(), kShown); ++i) out.append(i > 0 ? between : "").append(attn::visible(words[i]));
    return words.size() > kShown ? f.say(Str::unknown_many_note, {out, std::to_string(words.size())}) : f.say(Str::unknown_note, {out});
}

/// Rows of a file that are no weights: how many, and the first one.
void tell_faults(const Frame& f, std::vector<Note>& notes) {
    const auto& given = f.derived.run->inputs.attention;
    if (!given) return;
    if (given->texts > 1)
        notes.push_back({f.say(Str::attention_text_note, {std::to_string(given->text + 1), std::to_string(given->texts)}), BannerKind::Note, Goes::Aside});
    if (!given->held) notes.push_back({std::string(f.say(given->is_compared() ? Str::attention_computed : Str::attention_checked)), BannerKind::Note, Goes::Aside});
    const attn::CheckedRows checked = given->checked();
    for (const attn::FaultyRows& faulty : checked.faults) {
        const std::string layer = f.number(faulty.layer), head = f.number(faulty.head), row = std::to_string(faulty.row + 1);
        const std::string place = given->layers > 1 ? f.say(Str::fault_in_layer, {layer, head, row}) : f.say(Str::fault_in_head, {head, row});
        const Str said = faulty.fault == attn::RowFault::Sum        ? Str::fault_sum
                         : faulty.fault == attn::RowFault::Negative ? Str::fault_negative
                                                                    : Str::fault_not_finite;
        notes.push_back({f.say(said, {std::to_string(faulty.count), std::to_string(checked.rows), place,
                                      number_text(static_cast<float>(faulty.value), 4)}),
                         BannerKind::Warning, Goes::Aside});
    }
}

/// A text longer than any training text.
void tell_longer(const Frame& f, std::vector<Note>& notes) {
    const attn::Inputs& in = f.derived.run->inputs;
    if (!in.model) return;
    const attn::train::Longest longest = attn::train::longest_trained(*in.model);
    const auto tell = [&](Str said, std::size_t tokens, int most) {
        if (most > 0 && tokens > static_cast<std::size_t>(most))
            notes.push_back({f.say(said, {std::to_string(tokens), std::to_string(most)}), BannerKind::Note, Goes::Aside});
    };
    tell(Str::longer_note, in.tokens.size(), longest.text);
    tell(Str::longer_source_note, in.source_tokens.size(), longest.source);
}

/// Messages about the document, shown until it changes or they are closed.
std::vector<Note> lasting_notes(const Frame& f) {
    std::vector<Note> notes;
    const attn::Run& run = *f.derived.run;
    const auto tell = [&](std::string text, BannerKind kind = BannerKind::Note) { notes.push_back({std::move(text), kind, Goes::Aside}); };
    if (f.derived.error) notes.push_back({f.derived.error->text(), BannerKind::Error, Goes::WithCause});
    for (const FontProblem& problem : f.painter().fonts().problems())
        if (notes.size() < 3) tell(problem.message, BannerKind::Warning);
    tell_faults(f, notes);
    if (run.inputs.model && run.inputs.model->tokenizer)
        for (const std::string& sentence : run.inputs.model->tokenizer->notes()) tell(sentence);
    if (run.cut) tell(f.say(Str::cut_note, {std::to_string(attn::kMaxTokens)}));
    if (run.replaced > 0) tell(f.say(Str::replaced_note, {std::to_string(run.replaced)}));
    // The opening reports unknown words itself, on the words' own cards, and a text that is too long.
    const bool asking = panels_of(f.state).asking, blank = f.derived.opening ? f.derived.opening->doubt == Doubt::Blank : !run.close_to_unknown.empty();
    if (!run.unknown.empty() && !(asking && blank)) tell(unknown_words(f, run.unknown));
    if (run.inputs.model)
        for (const attn::ModelNote& note : run.inputs.model->notes) tell(model_note_text(note, f.view().language));
    if (!asking || !f.derived.opening || f.derived.opening->doubt != Doubt::Long) tell_longer(f, notes);
    if (run.growing_source) tell(std::string(f.say(Str::growing_note)));
    if (run.unused_edits > 0) tell(f.say(Str::unused_edits_note, {std::to_string(run.unused_edits)}));
    if (run.no_gradient) tell(std::string(f.say(Str::no_gradient_note)));
    std::erase_if(notes, [&](const Note& note) {
        const auto& aside = f.view().put_aside;
        return note.goes == Goes::Aside && std::find(aside.begin(), aside.end(), note.text) != aside.end();
    });
    return notes;
}

/// From bottom to top: lasting ones are lowest.
std::vector<Note> notes_of(const Frame& f) {
    std::vector<Note> notes = lasting_notes(f);
    if (!f.view().notice.empty()) notes.push_back({f.view().notice, BannerKind::Warning, Goes::ByHand});
    if (!f.view().done.empty()) notes.push_back({f.view().done, BannerKind::Note, Goes::ByHand});
    if (f.derived.computing || f.derived.remaking) notes.push_back({computing_words(f, f.derived.computing ? f.derived.share : 0), BannerKind::Note, Goes::Soon});
    return notes;
}

void close_note(const Frame& f, const Note& note) {
    constexpr std::size_t kMostAside = 16;  // older ones are shown again
    f.change_view([note](ViewState& v) {
        if (note.goes == Goes::ByHand) return (note.kind == BannerKind::Note ? v.done : v.notice).clear();
        v.put_aside.push_back(note.text);
        if (v.put_aside.size() > kMostAside) v.put_aside.erase(v.put_aside.begin());
    });
}

/// Where the messages are stacked, before their height is known.
Rect column_of_notes(const Frame& f, const Panels& panels) {
    const Screen screen = has_screen(f, f.view().screen) ? f.view().screen : Screen::Stage;
    const Rect body = place_rect(place_at(screen), f.window, f.theme, panels);
    return body.empty() ? body : body.inset(f.px(16), 0);
}

/// Including the gap below it.
float height_of(const Frame& f, const Note& note, float width) {
    return banner_height(f.ui, width, note.text, note.kind, note.can_be_closed()) + f.px(8);
}

constexpr float kTourOffer = 60;  ///< design pixels: its height
bool offers_tour(const Frame& f, const Panels& panels) {
    return f.view().offers_tour && !panels.asking && !panels.presenting && f.view().sheet == Sheet::None;
}

/// At the first start: a card that offers the tour, and disappears as soon as anything else is done.
void offer_tour(const Frame& f, Rect stage, float bottom) {
    const std::string_view words = f.say(Str::tour_offer), show = f.say(Str::tour_show),
                           later = f.say(Str::tour_not_now), learn = f.say(Str::chapters);
    const float pad = f.px(16), words_w = f.painter().width(words, Type::BodyStrong), show_w = button_width(f.ui, show),
                later_w = button_width(f.ui, later), learn_w = button_width(f.ui, learn), high = f.px(kTourOffer);
    const float w = pad + words_w + f.px(24) + learn_w + f.px(8) + show_w + f.px(8) + later_w + pad;
    const Rect card{stage.right() - f.px(16) - w, bottom - f.px(16) - high, w, high};
    // On its own layer, with room for its shadow, so that what lies below is not pressed with it.
    const auto onto = f.painter().onto(gui::begin_layer("tour_offer", card.inset(-f.px(14))));
    f.painter().card(card);
    f.painter().text_in({card.x + pad, card.y, words_w, high}, words, {Type::BodyStrong}, Hue::Ink);
    const float y = card.y + f.px(12), button_h = high - f.px(24), x = card.x + pad + words_w + f.px(24);
    if (button(f.ui, "tour_learn", {x, y, learn_w, button_h}, learn, ButtonKind::Filled)) {
        f.change_view([](ViewState& v) { v.offers_tour = false; });
        if (f.state.chapters) f.push(CourseAction{page_to_learn(f.state)});
    }
    const float right = x + learn_w + f.px(8);
    if (button(f.ui, "tour_show", {right, y, show_w, button_h}, show, ButtonKind::Soft)) run_command(f, "tour");
    if (button(f.ui, "tour_later", {right + show_w + f.px(8), y, later_w, button_h}, later, ButtonKind::Plain))
        f.change_view([](ViewState& v) { v.offers_tour = false; });
    gui::end_layer();
}

/// When presenting nobody is there to close anything: only the most important message is shown, at the bottom in place
/// of the caption, and disappears by itself. Messages about the document were shown at normal size before.
std::optional<Note> presented_note(const Frame& f) {
    if (f.derived.error) return Note{f.derived.error->text(), BannerKind::Error, Goes::WithCause};
    if (!f.view().notice.empty()) return Note{f.view().notice, BannerKind::Warning, Goes::ByHand};
    if (!f.view().done.empty()) return Note{f.view().done, BannerKind::Note, Goes::ByHand};
    if (f.derived.computing || f.derived.remaking) return Note{computing_words(f, f.derived.computing ? f.derived.share : 0), BannerKind::Note, Goes::Soon};
    return std::nullopt;
}

void draw_presented_note(const Frame& f, Rect foot, double seconds) {
    const std::optional<Note> note = presented_note(f);
    PresentedNote& shown = f.scratch.presented_note;
    if (!note) {
        shown = {};
        return;
    }
    if (shown.text != note->text) shown = {note->text, note->can_be_closed(), -seconds};
    shown.seconds += seconds;
    const Rect above_progress{foot.x, foot.y, foot.w, foot.h - f.px(kPresentedProgress)};
    const bool closed = banner(f.ui, "note0", above_progress, note->text, note->kind, note->can_be_closed());
    if (note->can_be_closed() && (closed || shown.seconds >= kPresentedNote)) close_note(f, *note);
}

}  // namespace

bool shows_presented_note(const Frame& f) { return presented_note(f).has_value(); }

Rect above_notes(const Frame& f, Rect body) {
    constexpr float kLeast = 240;  // a smaller picture would not be worth the messages
    const Panels panels = panels_of(f.state);
    if (panels.presenting) return body;
    const float width = column_of_notes(f, panels).w;
    // The tour's offer needs space, too: it must not cover the last line of a picture.
    float high = offers_tour(f, panels) && f.view().screen != Screen::Stage ? f.px(kTourOffer + 16) : 0;
    for (const Note& note : lasting_notes(f)) {
        const float more = height_of(f, note, width);
        if (body.h - high - more < f.px(kLeast)) break;
        high += more;
    }
    return {body.x, body.y, body.w, body.h - high};
}

std::optional<double> presented_note_due(const Scratch& scratch) {
    const PresentedNote& note = scratch.presented_note;
    if (!note.goes) return std::nullopt;
    return std::max(0.0, kPresentedNote - note.seconds);
}

void draw_notes(const Frame& f) {
    const Panels panels = panels_of(f.state);
    if (panels.presenting)
        return draw_presented_note(f, place_rect(Place::Footer, f.window, f.theme, panels), f.scratch.seconds);
    f.scratch.presented_note = {};
    const Rect column = column_of_notes(f, panels), stage = place_rect(Place::Stage, f.window, f.theme, panels);
    if (column.empty()) return;
    const Rect footer = place_rect(Place::Footer, f.window, f.theme, panels);
    float y = footer.empty() ? f.window.bottom() : footer.y;
    int index = 0;
    for (const Note& note : notes_of(f)) {
        const float high = height_of(f, note, column.w);
        y -= high;
        const Rect rect{column.x, y, column.w, high - f.px(8)};
        if (banner(f.ui, "note" + std::to_string(index++), rect, note.text, note.kind, note.can_be_closed())) close_note(f, note);
    }
    if (!offers_tour(f, panels)) return;
    // Above the messages and above the caption.
    offer_tour(f, stage, f.view().screen == Screen::Stage ? std::min(y, stage_area(f, above_notes(f, stage)).bottom()) : y);
}

}  // namespace app
