#include "app/gfx/window.h"

#include <glad/gl.h>

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "app/gfx/icon.h"

namespace app::gfx {

struct Window::Impl {
    GLFWwindow* window = nullptr;
    bool needs_redraw = true;
    InputCount input;
    std::vector<std::string> dropped;
    std::array<int, 4> restore{};  // x, y, width, height before full screen

    Impl() = default;
    Impl(const Impl&) = delete;
    Impl& operator=(const Impl&) = delete;
    ~Impl() {
        if (window != nullptr) glfwDestroyWindow(window);
        glfwTerminate();
    }

    void set_callbacks();

    /// Something happened that may change the picture.
    static void note(GLFWwindow* w) { noted(w); }
    static Impl& noted(GLFWwindow* w) {
        auto& impl = *static_cast<Impl*>(glfwGetWindowUserPointer(w));
        impl.needs_redraw = true;
        return impl;
    }
    /// A key or a button was pressed or released.
    static void note_change(GLFWwindow* w, int action) {
        InputCount& count = noted(w).input;
        if (action == GLFW_REPEAT) return;
        ++count.changes;
        count.held += action == GLFW_PRESS ? 1 : -1;
    }
};

namespace {

constexpr const char* kFixDisplay =
    "Without a display `attenscope render` makes the same pictures as files, and `attenscope trace` the numbers.";
constexpr const char* kFixDriver =
    "Install Mesa's drivers with `sudo apt install libgl1 libgl1-mesa-dri`, or use `attenscope render`, which needs "
    "no window.";

/// The reason of GLFW's last error, as the end of a sentence.
std::string glfw_reason() {
    const char* text = nullptr;
    const int code = glfwGetError(&text);
    if (code == GLFW_NO_ERROR || text == nullptr) return "for an unknown reason";
    return std::string("(") + text + ")";
}

void set_hints(const WindowOptions& options) {
    glfwDefaultWindowHints();
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
    glfwWindowHint(GLFW_CONTEXT_ROBUSTNESS, GLFW_LOSE_CONTEXT_ON_RESET);  // ignored if unsupported
    glfwWindowHint(GLFW_OPENGL_DEBUG_CONTEXT, options.debug ? GLFW_TRUE : GLFW_FALSE);
    glfwWindowHint(GLFW_VISIBLE, options.visible ? GLFW_TRUE : GLFW_FALSE);
    glfwWindowHint(GLFW_SCALE_TO_MONITOR, GLFW_TRUE);
    glfwWindowHint(GLFW_DEPTH_BITS, 0);
    glfwWindowHint(GLFW_STENCIL_BITS, 0);
    glfwWindowHintString(GLFW_X11_CLASS_NAME, "attenscope");
    glfwWindowHintString(GLFW_X11_INSTANCE_NAME, "attenscope");
}

void set_icons(GLFWwindow* window) {
    std::array<Image, 3> images = {app_icon(16), app_icon(32), app_icon(64)};
    std::array<GLFWimage, 3> icons{};
    for (std::size_t i = 0; i < icons.size(); ++i)
        icons[i] = {images[i].width, images[i].height, images[i].rgba.data()};
    glfwSetWindowIcon(window, static_cast<int>(icons.size()), icons.data());
}

/// The monitor that shows most of the window.
GLFWmonitor* monitor_under(GLFWwindow* window) {
    int x = 0, y = 0, w = 0, h = 0, count = 0;
    glfwGetWindowPos(window, &x, &y);
    glfwGetWindowSize(window, &w, &h);
    GLFWmonitor** monitors = glfwGetMonitors(&count);
    GLFWmonitor* best = glfwGetPrimaryMonitor();
    long best_area = 0;
    for (int i = 0; i < count; ++i) {
        int mx = 0, my = 0;
        glfwGetMonitorPos(monitors[i], &mx, &my);
        const GLFWvidmode* mode = glfwGetVideoMode(monitors[i]);
        if (mode == nullptr) continue;
        const long across = std::min(x + w, mx + mode->width) - std::max(x, mx);
        const long down = std::min(y + h, my + mode->height) - std::max(y, my);
        const long area = std::max(across, 0l) * std::max(down, 0l);
        if (area > best_area) {
            best = monitors[i];
            best_area = area;
        }
    }
    return best;
}

}  // namespace

/// The callbacks only record that the picture may change. ImGui's back end, installed later, calls the ones that it
/// replaces.
void Window::Impl::set_callbacks() {
    glfwSetWindowUserPointer(window, this);
    glfwSetWindowRefreshCallback(window, note);
    glfwSetFramebufferSizeCallback(window, [](GLFWwindow* w, int, int) { note(w); });
    glfwSetWindowContentScaleCallback(window, [](GLFWwindow* w, float, float) { note(w); });
    glfwSetWindowFocusCallback(window, [](GLFWwindow* w, int) { note(w); });
    glfwSetWindowIconifyCallback(window, [](GLFWwindow* w, int) { note(w); });
    glfwSetWindowCloseCallback(window, note);
    glfwSetCursorPosCallback(window, [](GLFWwindow* w, double x, double y) {
        InputCount& count = noted(w).input;
        count.x = x;
        count.y = y;
    });
    glfwSetCursorEnterCallback(window, [](GLFWwindow* w, int) { note(w); });
    glfwSetMouseButtonCallback(window, [](GLFWwindow* w, int, int action, int) { note_change(w, action); });
    glfwSetScrollCallback(window, [](GLFWwindow* w, double, double) { ++noted(w).input.changes; });
    glfwSetKeyCallback(window, [](GLFWwindow* w, int, int, int action, int) { note_change(w, action); });
    glfwSetCharCallback(window, [](GLFWwindow* w, unsigned) { ++noted(w).input.typed; });
    glfwSetDropCallback(window, [](GLFWwindow* w, int count, const char** paths) {
        auto* impl = static_cast<Impl*>(glfwGetWindowUserPointer(w));
        impl->dropped.insert(impl->dropped.end(), paths, paths + count);
        impl->needs_redraw = true;
    });
}

attn::Result<Window> open_window(const WindowOptions& options) {
    if (glfwInit() != GLFW_TRUE)
        return attn::Error{"no window: there is no display " + glfw_reason() + ". " + kFixDisplay, {}, {}, 0};
    auto impl = std::make_unique<Window::Impl>();  // from here on its destructor terminates GLFW, whatever happens
    set_hints(options);
    impl->window = glfwCreateWindow(std::max(options.width, 1), std::max(options.height, 1), options.title.c_str(),
                                    nullptr, nullptr);
    if (impl->window == nullptr)
        return attn::Error{
            "no window: the display gives no OpenGL 3.3 " + glfw_reason() + ". " + kFixDriver, {}, {}, 0};
    glfwMakeContextCurrent(impl->window);
    const int version = gladLoadGL(glfwGetProcAddress);
    if (version < GLAD_MAKE_VERSION(3, 3))
        return attn::Error{
            std::string("no window: the graphics driver is older than OpenGL 3.3. ") + kFixDriver, {}, {}, 0};
    glfwSwapInterval(1);
    set_icons(impl->window);
    impl->set_callbacks();
    return Window(std::move(impl));
}

Window::Window(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Window::Window(Window&&) noexcept = default;
Window& Window::operator=(Window&&) noexcept = default;
Window::~Window() = default;

GLFWwindow* Window::handle() const { return impl_->window; }

void Window::poll_events() { glfwPollEvents(); }
void Window::wait_events(double seconds) { seconds > 0 ? glfwWaitEventsTimeout(seconds) : glfwWaitEvents(); }
void Window::post_empty_event() { glfwPostEmptyEvent(); }
void Window::swap() { glfwSwapBuffers(impl_->window); }

PixelSize Window::framebuffer_size() const {
    PixelSize size;
    glfwGetFramebufferSize(impl_->window, &size.width, &size.height);
    return size;
}

PixelSize Window::window_size() const {
    PixelSize size;
    glfwGetWindowSize(impl_->window, &size.width, &size.height);
    return size;
}

float Window::content_scale() const {
    float x = 1, y = 1;
    glfwGetWindowContentScale(impl_->window, &x, &y);
    return x > 0 ? x : 1.0f;
}

bool Window::should_close() const { return glfwWindowShouldClose(impl_->window) == GLFW_TRUE; }
void Window::set_close(bool close) { glfwSetWindowShouldClose(impl_->window, close ? GLFW_TRUE : GLFW_FALSE); }
void Window::show() { glfwShowWindow(impl_->window); }

bool Window::fullscreen() const { return glfwGetWindowMonitor(impl_->window) != nullptr; }
bool Window::minimised() const { return glfwGetWindowAttrib(impl_->window, GLFW_ICONIFIED) == GLFW_TRUE; }

void Window::toggle_fullscreen() {
    auto& [x, y, width, height] = impl_->restore;
    if (fullscreen()) {
        glfwSetWindowMonitor(impl_->window, nullptr, x, y, width, height, GLFW_DONT_CARE);
    } else if (GLFWmonitor* monitor = monitor_under(impl_->window)) {
        const GLFWvidmode* mode = glfwGetVideoMode(monitor);
        if (mode == nullptr) return;
        glfwGetWindowPos(impl_->window, &x, &y);
        glfwGetWindowSize(impl_->window, &width, &height);
        glfwSetWindowMonitor(impl_->window, monitor, 0, 0, mode->width, mode->height, mode->refreshRate);
    }
    impl_->needs_redraw = true;
}

bool Window::take_needs_redraw() { return std::exchange(impl_->needs_redraw, false); }
void Window::request_redraw() { impl_->needs_redraw = true; }
const InputCount& Window::input() const { return impl_->input; }
std::vector<std::string> Window::take_dropped() { return std::exchange(impl_->dropped, {}); }

}  // namespace app::gfx
