#pragma once
// The initial state of a window, the chapters that are opened in it, and what is dropped on it.

#include <string>

#include "app/shell/open_files.h"
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

/// Opens what was dropped, and says what could not be opened.
void use_dropped(App& app, const Dropped& dropped);

/// Opens the user's own chapters, the requested one, or the page that was left.
void open_chapters(App& app, const WindowOptions& options);

}  // namespace app
