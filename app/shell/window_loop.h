#pragma once
// The program in its window: events in, frames out, asleep while nothing moves.

#include <optional>
#include <string>

#include "app/content/strings.h"
#include "core/document/document.h"
#include "core/trace/counting.h"

namespace app {

/// The command line's options; what they leave open is as it was last time.
struct WindowOptions {
    std::optional<attn::Document> document;
    std::optional<std::string> text;  ///< without a document: the text of the opening document
    std::optional<Language> language;
    std::optional<std::string> theme;
    std::optional<float> scale;
    std::optional<double> memory;  ///< MiB, overrides the setting
    std::optional<attn::CountFrom> count_from = {};  ///< layers and heads
    std::string assets;   ///< folder to read shaders and assets from; empty: the built-in ones
    bool restore = true;  ///< restore the last document
    std::string chapter = {};  ///< a chapter's file, opened and watched for edits; empty: none
    bool notes = false;       ///< print the teacher's notes of each page to standard output
    std::string report;   ///< a file for what the window shows, as JSON, for tests; empty: none
};

/// Runs until the user quits, or SIGTERM, SIGINT or SIGHUP arrives; the work is saved. Returns the exit status: 0, 1
/// (failure) or 4 (no display, no OpenGL 3.3), the latter two with a message on standard error.
int run_window(const WindowOptions& options);

}  // namespace app
