// What must be said without stopping anybody: errors of the document, cut text, missing fonts, computing.

#include <vector>

#include "app/views/view.h"
#include "core/document.h"

namespace app {
namespace {

struct Note {
    std::string text;
    BannerKind kind;
    bool dismissible;
};

std::vector<Note> notes_of(const Frame& f) {
    std::vector<Note> notes;
    if (!f.view().notice.empty()) notes.push_back({f.view().notice, BannerKind::Warning, true});
    if (!f.view().done.empty()) notes.push_back({f.view().done, BannerKind::Note, true});
    if (f.derived.error) notes.push_back({f.derived.error->text(), BannerKind::Error, false});
    for (const FontProblem& problem : f.painter().fonts().problems())
        if (notes.size() < 3) notes.push_back({problem.message, BannerKind::Warning, false});
    if (f.derived.run->cut)
        notes.push_back({f.say(Str::cut_note, {std::to_string(attn::kMaxTokens)}), BannerKind::Note, false});
    if (f.derived.run->replaced > 0)
        notes.push_back(
            {f.say(Str::replaced_note, {std::to_string(f.derived.run->replaced)}), BannerKind::Note, false});
    if (f.derived.run->unused_edits > 0)
        notes.push_back(
            {f.say(Str::unused_edits_note, {std::to_string(f.derived.run->unused_edits)}), BannerKind::Note, false});
    if (f.derived.computing) notes.push_back({std::string(f.say(Str::computing)), BannerKind::Note, false});
    return notes;
}

}  // namespace

void draw_notes(const Frame& f) {
    const bool presenting = f.view().present.on, panels = f.view().panels;
    const Rect stage = place_rect(Place::Stage, f.window, f.theme, presenting, panels);
    if (stage.empty()) return;
    const Rect footer = place_rect(Place::Footer, f.window, f.theme, presenting, panels);
    float y = footer.empty() ? f.window.bottom() : footer.y;
    int index = 0;
    for (const Note& note : notes_of(f)) {
        const float high = f.px(36);
        y -= high + f.px(8);
        const Rect rect{stage.x + f.px(16), y, stage.w - f.px(32), high};
        if (banner(f.ui, "note" + std::to_string(index++), rect, note.text, note.kind) && note.dismissible)
            f.change_view([&](ViewState& v) { (note.kind == BannerKind::Note ? v.done : v.notice).clear(); });
    }
}

}  // namespace app
