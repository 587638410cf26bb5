// Finds commands by name and group; and actions shared by several of them.
#include <algorithm>

#include "app/frame/commands.h"
#include "app/state/edits.h"

namespace app {

Str title_of(CommandGroup group) {
    switch (group) {
        case CommandGroup::Watch:
            return Str::group_watch;
        case CommandGroup::Closer:
            return Str::group_closer;
        case CommandGroup::Change:
            return Str::group_change;
        case CommandGroup::Look:
            return Str::group_look;
        case CommandGroup::Export:
            return Str::group_export;
        case CommandGroup::Room:
            return Str::group_room;
        case CommandGroup::Chapters:
            return Str::group_chapters;
        case CommandGroup::Program:
            return Str::group_program;
    }
    return Str::group_program;
}

const UserCommand* find_user_command(std::string_view id) {
    const auto all = commands_of_user();
    const auto found = std::find_if(all.begin(), all.end(),
                                    [id](const UserCommand& command) { return command.id == id; });
    return found == all.end() ? nullptr : &*found;
}

bool is_possible(const Frame& f, const UserCommand& command) { return !command.possible || command.possible(f); }

void run_command(const Frame& f, std::string_view id) {
    if (const UserCommand* command = find_user_command(id); command && is_possible(f, *command)) command->run(f);
}

void toggle_sheet(const Frame& f, Sheet sheet) {
    f.change_view([sheet](ViewState& v) {
        v.sheet = v.sheet == sheet ? Sheet::None : sheet;
        v.exporting.path.clear();
    });
    f.scratch.focus.current = 0;
    f.scratch.focus.visible = false;
}

std::string next_theme(std::string_view now) {
    const auto all = themes();
    for (std::size_t i = 0; i < all.size(); ++i)
        if (all[i].id == now) return std::string(all[(i + 1) % all.size()].id);
    return std::string(all.front().id);
}

void open_example(const Frame& f, const Example& example) {
    f.push(becomes(example.document));
    f.push(GoToStop{0, 0});
    f.push(Pin{});
    // First look goes back to its question; other levels play.
    if (f.view().level == Detail::FirstLook)
        f.change_view([](ViewState& v) { v.screen = Screen::Stage; });
    else
        f.push(Play{true});
    f.scratch.text_active = false;
}

}  // namespace app
