#pragma once
// The settings: what is kept of how the program is used, whatever the document. Text in, text out; session.h moves them
// to and from the disk.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/state/view_fields.h"
#include "core/base/result.h"

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
    ViewPart view;  ///< fields of the use kSetting; one that was never chosen is not named
    WindowPlace window;
    std::string fonts;  ///< a folder whose typefaces come before the system's; written by hand
    bool first_start_done = false;

    /// None: as the environment asks.
    std::optional<Language> language() const;
    bool operator==(const Settings&) const = default;
};

/// Never fails as a whole unless it is no JSON object: a wrong or unknown field is left out and named in `problems`.
struct LoadedSettings {
    Settings settings;
    std::vector<attn::Error> problems;
};
attn::Result<LoadedSettings> settings_from_json(std::string_view bytes, std::string_view where);
std::string settings_to_json(const Settings& settings);

/// The settings that a state shows.
Settings settings_of(const ViewState& view, const WindowPlace& window);

/// What to store: what is stored, with the choices that changed from `before` to `now` replaced. So what a command line
/// asked for one run only is not kept.
Settings merged(Settings stored, const Settings& before, const Settings& now);

}  // namespace app
