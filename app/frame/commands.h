#pragma once
// All user commands, as a table that the keys, the sheet of keys and the palette read. To add a command, add a row to
// commands.cpp and its texts to strings.inc.

#include <span>
#include <string>
#include <string_view>

#include "app/frame/chord.h"
#include "app/frame/view.h"

namespace app {

enum class CommandGroup : std::uint8_t { Watch, Closer, Change, Look, Export, Room, Chapters, Program };
Str title_of(CommandGroup group);

struct UserCommand {
    std::string_view id;
    CommandGroup group;
    Str does;  ///< in the palette
    Str line;  ///< on the sheet of keys; consecutive commands with the same line share it
    Chords chords;
    void (*run)(const Frame&);
    bool (*possible)(const Frame&) = nullptr;  ///< null: always
    /// When its keys work: always, even while typing; or only while no field and no control has the keyboard.
    enum class Keys : std::uint8_t { Always, Free } keys = Keys::Free;
    bool repeats = false;  ///< while the key is held down
};

std::span<const UserCommand> commands_of_user();
/// Null if there is no command with that id.
const UserCommand* find_user_command(std::string_view id);
bool is_possible(const Frame& frame, const UserCommand& command);
/// Runs the command if it is possible.
void run_command(const Frame& frame, std::string_view id);

/// Opens or closes a sheet over the window.
void toggle_sheet(const Frame& frame, Sheet sheet);
/// Starts the tour of the window.
void begin_tour(const Frame& frame);
/// The theme after this one, cyclically.
std::string next_theme(std::string_view now);
/// An example, played from its beginning.
void open_example(const Frame& frame, const Example& example);

}  // namespace app
