#pragma once
// The window: GLFW, an OpenGL 3.3 core context, and the events that ImGui does not handle.

#include <memory>
#include <string>
#include <vector>

#include "core/base/result.h"

struct GLFWwindow;

namespace app::gfx {

struct WindowOptions {
    std::string title;
    int width = 1440;  // screen units at scale 1; the window is larger on a scaled monitor
    int height = 900;
    bool visible = true;
    bool debug = false;  // request a debug context (see GlDebug)
};

struct PixelSize {
    int width = 0;
    int height = 0;
    bool empty() const { return width <= 0 || height <= 0; }  // minimised, or resized to nothing: draw no frame
    bool operator==(const PixelSize&) const = default;
};

/// Input counted since the window opened; a test compares it with what it sent.
struct InputCount {
    long changes = 0;  ///< keys and buttons pressed or released, and turns of the wheel
    long typed = 0;    ///< characters
    long held = 0;     ///< keys and buttons that are down now
    double x = 0, y = 0;  ///< the pointer's last position, in screen units
};

/// One per process at a time: it owns GLFW. Its context is current on the thread that opened it. Everything made in the
/// context must be destroyed before the window. Our callbacks are set before a back end chains its own.
class Window {
public:
    Window(Window&&) noexcept;
    Window& operator=(Window&&) noexcept;
    ~Window();

    GLFWwindow* handle() const;

    void poll_events();
    /// Sleeps until something happens, or `seconds` have passed; 0 or less: without a limit.
    void wait_events(double seconds);
    /// Wakes `wait_events`. The only function here that any thread may call.
    static void post_empty_event();

    void swap();

    PixelSize framebuffer_size() const;
    PixelSize window_size() const;
    /// Pixels per interface unit: 1, 1.25, 2 …
    float content_scale() const;

    bool should_close() const;
    void set_close(bool close);
    void show();

    bool fullscreen() const;
    /// Toggles full screen on the monitor that shows most of the window; going back restores place and size.
    void toggle_fullscreen();
    bool minimised() const;

    /// True once after anything that may change the picture: input, exposure, size, scale, focus, a drop.
    bool take_needs_redraw();
    void request_redraw();

    const InputCount& input() const;

    /// The paths dropped since the last call, in order, UTF-8.
    std::vector<std::string> take_dropped();

private:
    friend attn::Result<Window> open_window(const WindowOptions&);
    struct Impl;
    explicit Window(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

/// Never exits the program. The error says what is missing (display, GLX, OpenGL 3.3) and what to do.
attn::Result<Window> open_window(const WindowOptions& options);

}  // namespace app::gfx
