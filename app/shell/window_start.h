#pragma once
// The initial state of a window, and the chapters that are opened in it.

#include <string>

#include "app/shell/session.h"
#include "app/shell/window_loop.h"

namespace app {

class App;

/// The state and the place that a window starts with.
struct Start {
    AppState state;
    WindowPlace place;
    std::string fonts;        ///< the setting
    bool first = true;  ///< false if it replaces a window whose context was lost
};

Start restored_start(const WindowOptions& options, Session& session);

/// Where models trained in the window are saved; empty: nowhere.
std::string model_folder();

/// Adds a sentence to the banner.
void notify(App& app, const std::string& sentence);

/// Opens the user's own chapters, the requested one, or the page that was left.
void open_chapters(App& app, const WindowOptions& options);

}  // namespace app
