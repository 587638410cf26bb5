// What must be said without stopping anybody: errors of the document, cut text, missing fonts, computing.

#include <algorithm>
#include <optional>
#include <vector>

#include "app/content/number_text.h"
#include "app/views/caption_paint.h"
#include "app/views/commands.h"
#include "app/views/notes.h"
#include "app/views/reading.h"
#include "core/document.h"
#include "core/model/given_attention.h"
#include "core/text/unicode.h"
#include "core/train/tasks.h"

namespace app {
namespace {

struct Note {
    std::string text;
    BannerKind kind;
    bool dismissible;
};

/// The first few of a list.
std::string words_of(const std::vector<std::string>& words) {
    constexpr std::size_t kShown = 8;
    std::string out;
    for (std::size_t i = 0; i < std::min(words.size(), kShown); ++i) out += (i > 0 ? ", " : "") + attn::visible(words[i]);
    return words.size() > kShown ? out + " …" : out;
}

/// Rows of a file that are no weights: how many, and the first.
void tell_faults(const Frame& f, std::vector<Note>& notes) {
    const auto& given = f.derived.run->inputs.attention;
    if (!given) return;
    for (const attn::FaultyRows& faulty : given->faults) {
        const std::string layer = std::to_string(faulty.layer + 1), head = std::to_string(faulty.head + 1), row = std::to_string(faulty.row + 1);
        const std::string place = given->layers > 1 ? f.say(Str::fault_in_layer, {layer, head, row}) : f.say(Str::fault_in_head, {head, row});
        const Str said = faulty.fault == attn::RowFault::Sum        ? Str::fault_sum
                         : faulty.fault == attn::RowFault::Negative ? Str::fault_negative
                                                                    : Str::fault_not_finite;
        notes.push_back({f.say(said, {std::to_string(faulty.count), std::to_string(given->rows), place,
                                      number_text(static_cast<float>(faulty.value), 4)}),
                         BannerKind::Warning, false});
    }
}

/// A text longer than any that the model was trained on.
void tell_longer(const Frame& f, std::vector<Note>& notes) {
    const attn::Inputs& in = f.derived.run->inputs;
    if (!in.model) return;
    const attn::train::Longest longest = attn::train::longest_trained(*in.model);
    const auto tell = [&](Str said, std::size_t tokens, int most) {
        if (most > 0 && tokens > static_cast<std::size_t>(most))
            notes.push_back({f.say(said, {std::to_string(tokens), std::to_string(most)}), BannerKind::Note, false});
    };
    tell(Str::longer_note, in.tokens.size(), longest.text);
    tell(Str::longer_source_note, in.source_tokens.size(), longest.source);
}

void close_note(const Frame& f, BannerKind kind) {
    f.change_view([kind](ViewState& v) { (kind == BannerKind::Note ? v.done : v.notice).clear(); });
}

std::vector<Note> notes_of(const Frame& f) {
    std::vector<Note> notes;
    if (!f.view().notice.empty()) notes.push_back({f.view().notice, BannerKind::Warning, true});
    if (!f.view().done.empty()) notes.push_back({f.view().done, BannerKind::Note, true});
    if (f.derived.error) notes.push_back({f.derived.error->text(), BannerKind::Error, false});
    for (const FontProblem& problem : f.painter().fonts().problems())
        if (notes.size() < 3) notes.push_back({problem.message, BannerKind::Warning, false});
    tell_faults(f, notes);
    if (f.derived.run->cut)
        notes.push_back({f.say(Str::cut_note, {std::to_string(attn::kMaxTokens)}), BannerKind::Note, false});
    if (f.derived.run->replaced > 0)
        notes.push_back(
            {f.say(Str::replaced_note, {std::to_string(f.derived.run->replaced)}), BannerKind::Note, false});
    if (!f.derived.run->unknown.empty())
        notes.push_back({f.say(Str::unknown_note, {words_of(f.derived.run->unknown)}), BannerKind::Note, false});
    tell_longer(f, notes);
    if (f.derived.run->growing_source) notes.push_back({std::string(f.say(Str::growing_note)), BannerKind::Note, false});
    if (f.derived.run->unused_edits > 0)
        notes.push_back(
            {f.say(Str::unused_edits_note, {std::to_string(f.derived.run->unused_edits)}), BannerKind::Note, false});
    if (f.derived.run->no_gradient) notes.push_back({std::string(f.say(Str::no_gradient_note)), BannerKind::Note, false});
    if (f.derived.computing || f.derived.remaking) notes.push_back({std::string(f.say(Str::computing)), BannerKind::Note, false});
    return notes;
}

/// At the first start: a card that offers to show the window, and goes as soon as anything else is done.
void offer_tour(const Frame& f, Rect stage, float bottom) {
    const std::string_view words = f.say(Str::tour_offer), show = f.say(Str::tour_show),
                           later = f.say(Str::tour_not_now), learn = f.say(Str::chapters);
    const float pad = f.px(16), words_w = f.painter().width(words, Type::BodyStrong), show_w = button_width(f.ui, show),
                later_w = button_width(f.ui, later), learn_w = button_width(f.ui, learn), high = f.px(60);
    const float w = pad + words_w + f.px(24) + learn_w + f.px(8) + show_w + f.px(8) + later_w + pad;
    const Rect card{stage.right() - f.px(16) - w, bottom - f.px(16) - high, w, high};
    // On a layer of its own, with room for its shadow: what lies below is not pressed with it.
    const auto onto = f.painter().onto(gui::begin_layer("tour_offer", card.inset(-f.px(14))));
    f.painter().card(card);
    f.painter().text_in({card.x + pad, card.y, words_w, high}, words, {Type::BodyStrong}, Hue::Ink);
    const float y = card.y + f.px(12), button_h = high - f.px(24), x = card.x + pad + words_w + f.px(24);
    if (button(f.ui, "tour_learn", {x, y, learn_w, button_h}, learn, ButtonKind::Filled)) {
        f.change_view([](ViewState& v) { v.offers_tour = false; });
        f.push(ReadingAction{OpenPage{std::string(kFirstChapter), 0}});
    }
    const float right = x + learn_w + f.px(8);
    if (button(f.ui, "tour_show", {right, y, show_w, button_h}, show, ButtonKind::Soft)) run_command(f, "tour");
    if (button(f.ui, "tour_later", {right + show_w + f.px(8), y, later_w, button_h}, later, ButtonKind::Plain))
        f.change_view([](ViewState& v) { v.offers_tour = false; });
    gui::end_layer();
}

/// Before a room nobody comes to close anything: of what must be said the first stands at the foot, in place of the
/// moment's sentence, and goes by itself. What is told of the document was told at the desk.
std::optional<Note> note_before_room(const Frame& f) {
    if (f.derived.error) return Note{f.derived.error->text(), BannerKind::Error, false};
    if (!f.view().notice.empty()) return Note{f.view().notice, BannerKind::Warning, true};
    if (!f.view().done.empty()) return Note{f.view().done, BannerKind::Note, true};
    if (f.derived.computing || f.derived.remaking) return Note{std::string(f.say(Str::computing)), BannerKind::Note, false};
    return std::nullopt;
}

void draw_note_before_room(const Frame& f, Rect foot, double seconds) {
    const std::optional<Note> note = note_before_room(f);
    RoomNote& shown = f.scratch.room_note;
    if (!note) {
        shown = {};
        return;
    }
    if (shown.text != note->text) shown = {note->text, note->dismissible, -seconds};
    shown.seconds += seconds;
    const Rect above_progress{foot.x, foot.y, foot.w, foot.h - f.px(kRoomProgress)};
    const bool closed = banner(f.ui, "note0", above_progress, note->text, note->kind);
    if (note->dismissible && (closed || shown.seconds >= kRoomNote)) close_note(f, note->kind);
}

}  // namespace

bool says_note_before_room(const Frame& f) { return note_before_room(f).has_value(); }

std::optional<double> room_note_due(const Scratch& scratch) {
    const RoomNote& note = scratch.room_note;
    if (!note.goes) return std::nullopt;
    return std::max(0.0, kRoomNote - note.seconds);
}

void draw_notes(const Frame& f) {
    const Panels panels = panels_of(f.state);
    if (panels.presenting)
        return draw_note_before_room(f, place_rect(Place::Footer, f.window, f.theme, panels), f.scratch.seconds);
    f.scratch.room_note = {};
    const Rect stage = place_rect(Place::Stage, f.window, f.theme, panels);
    if (stage.empty()) return;
    const Rect footer = place_rect(Place::Footer, f.window, f.theme, panels);
    float y = footer.empty() ? f.window.bottom() : footer.y;
    int index = 0;
    for (const Note& note : notes_of(f)) {
        const float high = f.px(36);
        y -= high + f.px(8);
        const Rect rect{stage.x + f.px(16), y, stage.w - f.px(32), high};
        if (banner(f.ui, "note" + std::to_string(index++), rect, note.text, note.kind) && note.dismissible)
            close_note(f, note.kind);
    }
    if (!f.view().offers_tour || panels.asking || f.view().sheet != Sheet::None) return;
    // Above what is told, and above the sentence of the moment.
    offer_tour(f, stage, f.view().screen == Screen::Stage ? std::min(y, stage_area(f, stage).bottom()) : y);
}

}  // namespace app
