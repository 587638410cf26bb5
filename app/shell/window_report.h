#pragma once
// What the window shows, as a file that a test reads: the state, and where each control is.

#include <string>

#include "app/gfx/window.h"
#include "app/shell/app.h"

namespace app {

struct ReportFrame {
    long serial = 0;       ///< of the frame, from 1
    bool settled = false;  ///< nothing moves: the next frame would be the same
    gfx::PixelSize size;   ///< of the drawing area
    gfx::InputCount input;  ///< that the frame has seen
};

/// JSON with the input that was seen, text, tokens, step, time, playing, pinned cell, language, theme, window and the controls' rectangles as
/// [id, x, y, width, height] in pixels.
std::string window_report(App& app, const FrameLog& log, const ReportFrame& frame);

/// Replaces the file whole; it is for a test on this machine, so that nothing is flushed to the disk.
attn::Result<attn::Done> write_report(const std::string& path, const std::string& json);

}  // namespace app
