#pragma once
// The screens as a table: what fills the window between header and footer, and what stands beside it.

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/state/state.h"

namespace app {

/// The pages of a screen that has some, by their names: chapters say "experiments scaling".
struct ScreenPages {
    std::vector<std::string_view> (*all)();
    const std::string& (*shown)(const ViewState&);
    void (*show)(ViewState&, std::string);
};

class Follower;

struct ScreenRow {
    Screen screen{};  ///< with id and title from screens.inc
    std::string_view id{};
    Str title{};
    bool inspector = false;                              ///< on its right
    bool steps = true;                                   ///< on its left, with the settings
    bool walks = true;                                   ///< the walk's steps are seen on it
    bool timeline = true;                                ///< below it
    bool tab = true;                                     ///< it has a tab; else there is another way to it
    bool maps = false;                                   ///< what is too large for its numbers can be come closer to
    bool lights = false;                                 ///< words of a chapter light cells on it
    bool (*available)(const attn::Document&) = nullptr;  ///< null: always
    const ScreenPages* pages = nullptr;                  ///< null: it has none
    std::unique_ptr<Follower> (*follower)() = nullptr;   ///< derives what it shows; null: nothing beside the run
    void (*show_attention)(ViewState&, const attn::Tag&) = nullptr;  ///< the attention of that part and layer is what it shows; null: it shows the step's
    void (*head_chosen)(ViewState&) = nullptr;           ///< ViewState::head is another one; null: nothing follows from that
};
#define SCREEN(name, id) extern const ScreenRow k##name##Screen;
#include "app/state/screens.inc"
#undef SCREEN
std::span<const ScreenRow> screens();
const ScreenRow& row_of(Screen screen);
Part part_of(Screen screen);

/// Whether a document has something to show on it.
bool is_available(Screen screen, const attn::Document& document);

}  // namespace app
