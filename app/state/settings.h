#pragma once
// What is kept of how the program is used: the settings, and where the learner was in the last document. Text in, text
// out; session.h moves them to and from the disk.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/state/state.h"
#include "core/result.h"

namespace app {

struct WindowCorner {
    int x = 0, y = 0;
    bool operator==(const WindowCorner&) const = default;
};

/// Where the window stood, in screen units at scale 1 (see gfx::WindowOptions).
struct WindowPlace {
    static constexpr int kLeast = 200, kMost = 16384;  ///< widths and heights that are believed
    int width = 1440;
    int height = 900;
    std::optional<WindowCorner> corner;  ///< the upper left one; none: the window manager chooses
    bool operator==(const WindowPlace&) const = default;
};

struct Settings {
    std::optional<Language> language;  ///< none: as the environment asks
    std::string theme = "light";
    float scale = 1;
    double speed = 1;
    bool still = false;
    bool shared_scale = false;
    attn::Convention convention = attn::Convention::Rows;
    Pooling pooling = Pooling::Mean;
    bool cube = false;
    WindowPlace window;
    std::string fonts;  ///< a folder whose typefaces come before the system's; written by hand
    bool first_start_done = false;
    bool operator==(const Settings&) const = default;
};

/// Never fails as a whole unless it is no JSON object: a wrong or unknown field is left out and named in `problems`.
struct LoadedSettings {
    Settings settings;
    std::vector<attn::Error> problems;
};
attn::Result<LoadedSettings> settings_from_json(std::string_view bytes, std::string_view where);
std::string settings_to_json(const Settings& settings);

/// The settings that a state shows, and the reverse.
Settings settings_of(const ViewState& view, const WindowPlace& window);
void use_settings(ViewState& view, const Settings& settings);

/// What to store: what is stored, with the choices that changed from `before` to `now` replaced. So what a command line
/// asked for one run only is not kept.
Settings merged(Settings stored, const Settings& before, const Settings& now);

/// Where the learner was; by meaning, so that it does no harm beside another document.
struct LastView {
    Playhead playhead;
    int head = 0;
    std::optional<CellRef> pinned;
    Screen screen = Screen::Stage;
    std::string lab_page;
    Comparison comparison;
    HeadsChoice heads = {};
    bool difference = false;
    int study_width = ViewState{}.study_width;
    std::uint64_t study_seed = ViewState{}.study_seed;
    PathsLook paths = {};
    bool operator==(const LastView&) const = default;
};
attn::Result<LastView> last_view_from_json(std::string_view bytes, std::string_view where);
std::string last_view_to_json(const LastView& view);
LastView last_view_of(const ViewState& view);
void use_last_view(ViewState& view, const LastView& last);

}  // namespace app
