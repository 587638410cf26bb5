#pragma once
// The settings: how the program is used, whatever the document. Text in, text out; session.h moves them to and from the
// disk.

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

/// Where the window was, in screen units at scale 1 (see gfx::WindowOptions).
struct WindowPlace {
    static constexpr int kLeast = 200, kMost = 16384;  ///< widths and heights are clamped to this range
    int width = 1440;
    int height = 900;
    std::optional<WindowCorner> corner;  ///< upper left; none: the window manager chooses
    bool operator==(const WindowPlace&) const = default;
};

struct Settings {
    ViewPart view;  ///< the fields with use kSetting that were ever chosen
    WindowPlace window;
    std::string fonts;  ///< a folder of typefaces that take precedence over the system's; set by editing the file
    bool first_start_done = false;

    /// None: as the environment says.
    std::optional<Language> language() const;
    bool operator==(const Settings&) const = default;
};

/// Fails only if the text is no JSON object: a wrong or unknown field is left out and reported in `problems`.
struct LoadedSettings {
    Settings settings;
    std::vector<attn::Error> problems;
};
attn::Result<LoadedSettings> settings_from_json(std::string_view bytes, std::string_view where);
std::string settings_to_json(const Settings& settings);

/// The settings as a view has them.
Settings settings_of(const ViewState& view, const WindowPlace& window);

/// What to store: the stored settings, updated with the choices that changed from `before` to `now`. So what a command
/// line set for one run only is not saved.
Settings merged(Settings stored, const Settings& before, const Settings& now);

}  // namespace app
