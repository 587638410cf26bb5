#include "app/frame/hint.h"

#include <algorithm>
#include <array>
#include <utility>

#include "app/frame/commands.h"

namespace app {
namespace {

constexpr double kRest = 0.5;  ///< seconds

/// Controls that run a command: the hint says what the command does, and its key.
constexpr std::array<std::pair<std::string_view, std::string_view>, 26> kRuns{{
    {"play", "play"},
    {"back", "step_back"},
    {"forward", "step_forward"},
    {"head_previous", "previous_head"},
    {"head_next", "next_head"},
    {"language", "other_language"},
    {"home", "home"},
    {"help", "help"},
    {"drawer_steps", "drawer_steps"},
    {"drawer_cell", "drawer_cell"},
    {"undo", "undo"},
    {"redo", "redo"},
    {"cube", "cube"},
    {"keep", "keep_run"},
    {"exchange", "exchange_runs"},
    {"difference", "show_change"},
    {"change", "show_change"},
    {"type_over", "type_over"},
    {"gradient", "gradient"},
    {"leave_gradient", "gradient"},
    {"map_plus", "map_closer"},
    {"map_minus", "map_farther"},
    {"course.next", "chapter_next"},
    {"course.back", "chapter_back"},
    {"course.own", "chapter_own"},
    {"course.list", "chapters"},
}};

std::string said_of(const Frame& f, const UserCommand& command) {
    std::string says(f.say(command.does));
    if (!command.chords.empty()) says.append(" · ").append(command.chords.text());
    return says;
}

/// Next to a column, so that its next row is not covered; elsewhere towards the middle of the window, away from the
/// bars at its edges.
TipSide side_of(const Frame& f, Rect rect) {
    const Panels panels = panels_of(f.state);
    const Point middle = rect.center();
    if (place_rect(Place::Left, f.window, f.theme, panels).contains(middle)) return TipSide::Right;
    if (place_rect(Place::Right, f.window, f.theme, panels).contains(middle)) return TipSide::Left;
    return middle.y > f.window.center().y ? TipSide::Above : TipSide::Below;
}

}  // namespace

bool rests_on(const Frame& f, Rect rect) {
    return rect.contains(gui::mouse()) && !gui::mouse_down() && !gui::any_popup() && f.view().sheet == Sheet::None;
}

void hint(const Frame& f, std::string_view id, Rect rect, std::string_view sentence, std::optional<TipSide> side) {
    HintState& now = f.scratch.hint;
    if (rect.contains(gui::mouse()) && gui::mouse_down()) now.done = id;
    if (now.done == id) {
        now.on_done = now.on_done || rect.contains(gui::mouse());
        return;
    }
    if (sentence.empty() || !rests_on(f, rect)) return;
    if (now.id != id) now = {std::string(id), {}, {}, {}, 0, false, now.done, now.on_done};
    now.says = sentence;
    now.at = rect;
    now.side = side;
    now.requested = true;
}

void hint_of_command(const Frame& f, std::string_view id, Rect rect) {
    const UserCommand* command = find_user_command(id);
    if (!command || !rect.contains(gui::mouse())) return;
    hint(f, id, rect, said_of(f, *command));
}

std::string tip_of_control(const Frame& f, std::string_view id) {
    const auto runs = std::find_if(kRuns.begin(), kRuns.end(), [id](const auto& row) { return row.first == id; });
    if (runs != kRuns.end())
        if (const UserCommand* command = find_user_command(runs->second)) return said_of(f, *command);
    std::string name(id);
    std::replace(name.begin(), name.end(), '.', '_');
    if (const std::string_view exact = tip_of(name, f.view().language); !exact.empty()) return std::string(exact);
    const std::size_t end = name.find_last_not_of("0123456789_+-");
    return std::string(tip_of(std::string_view(name).substr(0, end == std::string::npos ? 0 : end + 1), f.view().language));
}

void hint_of_pointed(const Frame& f) {
    const WidgetRect& at = f.ui.focus().pointed;
    if (at.id.empty() || f.scratch.hint.requested) return;
    hint(f, at.id, at.rect, tip_of_control(f, at.id));
}

void begin_hints(Scratch& scratch) { scratch.hint.requested = false; }

void draw_hint(const Frame& f, double seconds) {
    HintState& now = f.scratch.hint;
    if (!std::exchange(now.on_done, false)) now.done.clear();
    if (!now.requested) {
        std::string done = std::move(now.done);
        now = {};
        now.done = std::move(done);
        return;
    }
    if (now.rested >= kRest) {
        f.ui.record("hint." + now.id, now.at);
        f.ui.record("tip", tooltip(f.ui, now.at, f.window, now.says, now.side.value_or(side_of(f, now.at))));
    }
    now.rested += seconds;
}

bool hint_is_due(const Scratch& scratch) { return scratch.hint.requested && scratch.hint.rested < 2 * kRest; }

}  // namespace app
