#include "app/views/hint.h"

#include "app/views/commands.h"

namespace app {
namespace {

constexpr double kRest = 0.5;  ///< seconds

}  // namespace

bool rests_on(const Frame& f, Rect rect) {
    return rect.contains(gui::mouse()) && !gui::mouse_down() && !gui::any_popup() && f.view().sheet == Sheet::None;
}

void hint(const Frame& f, std::string_view id, Rect rect, std::string_view sentence) {
    if (sentence.empty() || !rests_on(f, rect)) return;
    HintState& now = f.scratch.hint;
    if (now.id != id) now = {std::string(id), {}, {}, 0, false};
    now.says = sentence;
    now.at = rect;
    now.asked = true;
}

void hint_of_command(const Frame& f, std::string_view id, Rect rect) {
    const UserCommand* command = find_user_command(id);
    if (!command || !rests_on(f, rect)) return;
    std::string says(f.say(command->does));
    if (!command->chords.empty()) says += " · " + chord_text(command->chords.front());
    hint(f, id, rect, says);
}

void begin_hints(Scratch& scratch) { scratch.hint.asked = false; }

void draw_hint(const Frame& f, double seconds) {
    HintState& now = f.scratch.hint;
    if (!now.asked) {
        now = {};
        return;
    }
    if (now.rested >= kRest) {
        f.ui.record("hint." + now.id, now.at);
        tooltip(f.ui, now.at, f.window, now.says);
    }
    now.rested += seconds;
}

bool hint_is_due(const Scratch& scratch) { return scratch.hint.asked && scratch.hint.rested < 2 * kRest; }

}  // namespace app
