#pragma once
// The table of screens: what fills the window between header and footer, and what is shown next to it.

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/state/state.h"

namespace app {

/// The pages of a screen that has pages, by name: chapters write "experiments scaling".
struct ScreenPages {
    std::vector<std::string_view> (*all)();
    const std::string& (*shown)(const ViewState&);
    void (*show)(ViewState&, std::string);
};

class Follower;

struct ScreenRow {
    Screen screen{};  ///< id and title come from screens.inc
    std::string_view id{};
    Str title{};
    bool inspector = false;                              ///< shown on its right
    bool steps = true;                                   ///< shown on its left, with the settings
    bool walks = true;                                   ///< it shows the walk's steps
    bool timeline = true;                                ///< shown below it
    bool tab = true;                                     ///< it has a tab; else it is reached in another way
    bool maps = false;                                   ///< matrices too large for their numbers can be zoomed
    bool lights = false;                                 ///< words of a chapter can highlight cells on it
    bool (*available)(const attn::Document&) = nullptr;  ///< null: always
    const ScreenPages* pages = nullptr;                  ///< null: it has no pages
    std::unique_ptr<Follower> (*follower)() = nullptr;   ///< derives what it shows; null: it shows only the run
    /// Shows the attention of that part and layer; null: the screen shows the step's own.
    void (*show_attention)(ViewState&, const attn::Tag&) = nullptr;
    void (*head_chosen)(ViewState&) = nullptr;           ///< called when ViewState::head changes; null: nothing to do
};
#define SCREEN(name, id) extern const ScreenRow k##name##Screen;
#include "app/state/screens.inc"
#undef SCREEN
std::span<const ScreenRow> screens();
const ScreenRow& row_of(Screen screen);
Part part_of(Screen screen);

/// Whether the document has something to show on that screen.
bool is_available(Screen screen, const attn::Document& document);

}  // namespace app
