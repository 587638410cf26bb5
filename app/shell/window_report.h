#pragma once
// What the window shows, as a file for tests: the state, and the position of each control.

#include <string>

#include "app/gfx/window.h"
#include "app/shell/app.h"

namespace app {

struct ReportFrame {
    long serial = 0;       ///< number of the frame, from 1
    bool settled = false;  ///< nothing moves: the next frame would be the same
    gfx::PixelSize size;   ///< of the drawing area
    gfx::InputCount input;  ///< that the frame has processed
};

/// JSON with the processed input, text, tokens, step, time, playing, pinned cell, language, theme, window, and the
/// controls' rectangles as [id, x, y, width, height] in pixels.
std::string window_report(App& app, const FrameLog& log, const ReportFrame& frame);

/// Replaces the file atomically; since only a test on this machine reads it, it is not flushed to disk.
attn::Result<attn::Done> write_report(const std::string& path, const std::string& json);

}  // namespace app
