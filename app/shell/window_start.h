#pragma once
// What a window starts with: the state that comes back, and the chapters that are opened in it.

#include <string>

#include "app/shell/session.h"
#include "app/shell/window_loop.h"

namespace app {

class App;

/// The state that a window starts with, and where it goes.
struct Start {
    AppState state;
    WindowPlace place;
    std::string fonts;        ///< the setting
    bool first = true;  ///< not in place of a window whose context was lost
};

Start restored_start(const WindowOptions& options, Session& session);

/// Where models that were trained in the window are kept; empty: nowhere.
std::string model_folder();

/// A sentence more in the banner.
void notify(App& app, const std::string& sentence);

/// The reader's own chapters, the one that was asked for, or the page that was left.
void open_chapters(App& app, const WindowOptions& options);

}  // namespace app
