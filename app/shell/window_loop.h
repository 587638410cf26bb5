#pragma once
// The program in its window: events in, frames out, asleep while nothing moves.

#include <optional>
#include <string>

#include "app/content/strings.h"
#include "core/document/document.h"
#include "core/trace/counting.h"

namespace app {

/// What the command line asked for; what it left open is as it was the last time.
struct WindowOptions {
    std::optional<attn::Document> document;
    std::optional<std::string> text;  ///< where there is no document: the words of the opening one
    std::optional<Language> language;
    std::optional<std::string> theme;
    std::optional<float> scale;
    std::optional<double> memory;  ///< MiB, instead of the setting's
    std::optional<attn::CountFrom> count_from = {};  ///< layers and heads
    std::string assets;   ///< folder to read shaders and assets from; empty: those inside the program
    bool restore = true;  ///< the last document comes back
    std::string chapter = {};  ///< a chapter's file, opened and looked at for edits; empty: none
    bool notes = false;       ///< the teacher's notes of each page go to the standard output
    std::string report;   ///< a file that gets what the window shows, as JSON, for tests; empty: none
};

/// Runs until the user leaves, or SIGTERM, SIGINT or SIGHUP comes; what was made is saved. Returns the exit status:
/// 0, 1 (failure) or 4 (no display, no OpenGL 3.3), each but the first with a sentence on the standard error.
int run_window(const WindowOptions& options);

}  // namespace app
