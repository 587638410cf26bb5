#include "app/shell/window_loop.h"

#include <glad/gl.h>

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <iostream>
#include <memory>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>
#include <utility>

#include "app/state/course.h"
#include "app/chapters/teacher_notes.h"
#include "app/gfx/window.h"
#include "app/shell/app.h"
#include "app/shell/open_files.h"
#include "app/shell/session.h"
#include "app/shell/signals.h"
#include "app/shell/waker.h"
#include "app/shell/window_report.h"
#include "app/shell/window_start.h"
#include "app/state/edits.h"
#include "app/state/examples.h"
#include "app/ui/compat.h"
#include "app/ui/theme.h"
#include "core/io/safe_text.h"
#include "core/remake/remake.h"

namespace app {
namespace {

constexpr int kExitFailure = 1;
constexpr int kExitNoDisplay = 4;
/// Frames drawn after an event: one processes it, one lays out, one shows the consequences (hovering, focus).
constexpr int kSettlingFrames = 3;
/// If the display does not limit the frame rate, the loop does, slightly above the display's rate.
constexpr double kPacing = 0.9;
constexpr double kUsualRate = 60;
/// Seconds between two checks of a chapter's file for edits.
constexpr double kLookPause = 0.5;
/// While something moves, reports are written at most this often (seconds).
constexpr double kReportPause = 0.1;

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

int complain(const attn::Error& error, int status) {
    fmt::print(stderr, "attenscope: {}\n", attn::visible_text(error.text(), true));  // door
    return status;
}

/// Whether enough of the window is on some monitor to grab it.
bool can_be_seen(WindowCorner corner) {
    constexpr int kGrip = 100;
    int count = 0;
    GLFWmonitor** monitors = glfwGetMonitors(&count);
    return std::any_of(monitors, monitors + count, [&](GLFWmonitor* monitor) {
        int x = 0, y = 0;
        glfwGetMonitorPos(monitor, &x, &y);
        const GLFWvidmode* mode = glfwGetVideoMode(monitor);
        return mode && corner.x >= x - kGrip && corner.x < x + mode->width - kGrip && corner.y >= y &&
               corner.y < y + mode->height - kGrip;
    });
}

/// Makes a window that is larger than the primary monitor as large as what that has left beside its panels: its right and
/// lower end would be out of reach.
void fit_to_monitor(GLFWwindow* window) {
    int x = 0, y = 0, most_width = 0, most_height = 0;
    if (GLFWmonitor* monitor = glfwGetPrimaryMonitor()) glfwGetMonitorWorkarea(monitor, &x, &y, &most_width, &most_height);
    int left = 0, top = 0, right = 0, bottom = 0;
    glfwGetWindowFrameSize(window, &left, &top, &right, &bottom);
    most_width -= left + right;
    most_height -= top + bottom;
    int width = 0, height = 0;
    glfwGetWindowSize(window, &width, &height);
    if (most_width <= 0 || most_height <= 0 || (width <= most_width && height <= most_height)) return;
    glfwSetWindowSize(window, std::min(width, most_width), std::min(height, most_height));
    glfwSetWindowPos(window, x + left, y + top);
}

attn::Result<gfx::Window> open_at(const WindowPlace& place) {
    auto window = gfx::open_window({"Attenscope", place.width, place.height, false, false});
    if (!window) return window;
    if (place.corner && can_be_seen(*place.corner))
        glfwSetWindowPos(window->handle(), place.corner->x, place.corner->y);
    else
        fit_to_monitor(window->handle());
    window->show();
    return window;
}

double shortest_frame() {
    GLFWmonitor* monitor = glfwGetPrimaryMonitor();
    const GLFWvidmode* mode = monitor ? glfwGetVideoMode(monitor) : nullptr;
    return kPacing / (mode && mode->refreshRate > 0 ? mode->refreshRate : kUsualRate);
}

/// Whether the driver has lost everything that was made in the context.
bool context_lost() {
    if (GLAD_GL_KHR_robustness && glGetGraphicsResetStatus) return glGetGraphicsResetStatus() != GL_NO_ERROR;
    if (GLAD_GL_ARB_robustness && glGetGraphicsResetStatusARB) return glGetGraphicsResetStatusARB() != GL_NO_ERROR;
    return false;
}

/// The connection to the X server is lost. Xlib would end the process immediately; the latest work is saved first.
/// (Xlib is looked up by name, because the display may not use it.)
class DeadServer {
public:
    explicit DeadServer(std::function<void()> save) {
        last_words() = std::move(save);
        if (const auto set = setter()) set(&DeadServer::gone);
    }
    ~DeadServer() { last_words() = nullptr; }
    DeadServer(const DeadServer&) = delete;
    DeadServer& operator=(const DeadServer&) = delete;

private:
    using Handler = int (*)(void* display);
    /// Xlib's callback gets only the display, so this is the only global variable in the program.
    static std::function<void()>& last_words() {
        static std::function<void()> words;
        return words;
    }
    static Handler (*setter())(Handler) {
        void* const library = dlopen("libX11.so.6", RTLD_LAZY | RTLD_NOLOAD);
        return library ? reinterpret_cast<Handler (*)(Handler)>(dlsym(library, "XSetIOErrorHandler")) : nullptr;
    }
    static int gone(void*) {
        if (auto words = std::exchange(last_words(), nullptr)) words();
        complain({"the display has gone (the X server ended, or the connection to it); the document is saved", {}, {}, 0},
                 kExitNoDisplay);
        std::fflush(nullptr);
        _exit(kExitNoDisplay);  // any cleanup would talk to the server
    }
};

enum class Ending { Quit, ContextLost };

/// Bytes that are freed before the document is saved when memory has run out.
constexpr std::size_t kReserve = std::size_t{4} << 20;

bool is_refusal(const std::exception& error) {
    return dynamic_cast<const std::bad_alloc*>(&error) || dynamic_cast<const std::system_error*>(&error);
}

/// A value handed from one thread to another.
template <class Value>
class Handed {
public:
    void put(Value value) {
        const std::scoped_lock lock(mutex_);
        value_ = std::move(value);
    }
    std::optional<Value> take() {
        const std::scoped_lock lock(mutex_);
        return std::exchange(value_, std::nullopt);
    }

private:
    std::mutex mutex_;
    std::optional<Value> value_;
};

/// The loop of one window, from opening to end.
class Loop {
public:
    Loop(gfx::Window& window, App& app, Session& session, const QuitSignals& signals, const WindowOptions& options,
         Waker& waker, WindowPlace place)
        : window_(window),
          waker_(waker),
          app_(app),
          session_(session),
          signals_(signals),
          report_(options.report),
          chapter_(options.chapter),
          notes_(options.notes ? std::make_unique<NotesTerminal>(std::cout, isatty(STDOUT_FILENO) == 1) : nullptr),
          place_(place),
          content_scale_(window.content_scale()),
          shortest_frame_(shortest_frame()) {}

    Ending run() {
        while (true) {
            sleep();
            follow_world();
            if (signals_.came() || window_.should_close() || app_.state().view.quit) return Ending::Quit;
            if (context_lost()) return Ending::ContextLost;
            if (window_.take_needs_redraw()) settling_ = kSettlingFrames;
            if (const auto due = app_.due_in(); due && now() - last_frame_ >= *due) settling_ = std::max(settling_, 1);
            if (has_work()) frame();
            if (settling_ == 0) follow_place();
            save();
        }
    }

    /// The last known place; does not query the display.
    const WindowPlace& last_place() const { return place_; }
    const WindowPlace& place() {
        follow_place();
        return place_;
    }

private:
    bool can_draw() const { return !window_.minimised() && !window_.framebuffer_size().empty(); }
    bool has_work() const { return (settling_ > 0 || app_.wants_frame() || gui::input_waits()) && can_draw(); }

    /// Until something happens or is due, so that no processor time is used while nothing moves.
    void sleep() {
        constexpr double kLeast = 1e-3;
        if (has_work()) return window_.poll_events();
        double wait = 0;
        const auto at_most = [&](double left) { wait = std::max(wait == 0 ? left : std::min(wait, left), kLeast); };
        if (const auto saving = session_.due_in(now())) at_most(*saving);
        if (const auto note = app_.due_in(); note && can_draw()) at_most(last_frame_ + *note - now());
        if (!chapter_.empty()) at_most(kLookPause);
        window_.wait_events(wait);
    }

    void follow_world() {
        if (app_.take_no_memory()) notify(app_, std::string(tr(Str::no_memory, app_.state().view.language)));
        follow_chapter();
        follow_files();
        if (const float scale = window_.content_scale(); scale != content_scale_) {
            content_scale_ = scale;
            app_.set_display_scale(scale);
            window_.request_redraw();
        }
        follow_full_screen();
    }

    /// The chapter's file that is watched for edits: the user's own open chapter, or the requested one.
    const std::string& watched() const {
        const Chapter* chapter = open_chapter(app_.state());
        return chapter && chapter->own ? chapter->file : chapter_;
    }

    /// Reloads the user's own chapter when its file is saved.
    void follow_chapter() {
        if (watched() != chapter_) {
            chapter_ = watched();
            chapter_written_ = {};
        }
        if (chapter_.empty() || now() - chapter_looked_ < kLookPause) return;
        chapter_looked_ = now();
        std::error_code code;
        const auto written = std::filesystem::last_write_time(chapter_, code);
        if (code || written == chapter_written_) return;
        if (chapter_written_ != std::filesystem::file_time_type{}) {
            app_.apply(ChangeView{[](ViewState& v) { v.notice.clear(); }});
            if (const auto used = app_.use_chapter(chapter_, false); !used) notify(app_, used.error().text());
        }
        chapter_written_ = written;
        window_.request_redraw();
    }

    void save() {
        session_.watch(app_.state(), place_, now());
        if (const auto error = session_.take_error())
            notify(app_, fill_in(tr(Str::cannot_save, app_.state().view.language), {error->text()}));
    }

    void follow_full_screen() {
        const bool wanted = app_.state().view.full_screen;
        if (window_.fullscreen() == wanted) return;
        window_.toggle_fullscreen();
        if (window_.fullscreen() == wanted) return;
        // There is no monitor to fill: do not try again.
        app_.apply(ChangeView{[wanted](ViewState& v) { v.full_screen = !wanted; }});
    }

    /// Files are read on a thread, so that the window does not wait for a large one. Of several drops in the meantime
    /// the last one counts.
    void follow_files() {
        if (auto files = window_.take_dropped(); !files.empty()) to_open_ = std::move(files);
        if (auto dropped = opened_.take()) {
            opening_ = false;
            use_dropped(app_, *dropped);
        }
        if (opening_ || to_open_.empty()) return;
        opening_ = true;
        opener_ = std::jthread([files = std::exchange(to_open_, {}), this] {
            opened_.put(open_dropped(files));
            waker_.wake();
        });
    }

    void frame() {
        constexpr double kLongest = 5;  // seconds; animations take less, pauses between edits need no more
        const double start = now();
        const gfx::PixelSize size = window_.framebuffer_size();
        FrameLog log;
        app_.run_frame({static_cast<float>(size.width), static_cast<float>(size.height)},
                       std::clamp(start - last_frame_, 0.0, kLongest), report_.empty() ? nullptr : &log);
        window_.swap();
        last_frame_ = start;
        ++serial_;
        settling_ = std::max(0, settling_ - 1);
        const bool settled = !has_work();
        if (notes_) notes_->follow(app_.state(), app_.derived());
        if (!report_.empty()) report(log, {serial_, settled, size, window_.input()});
        const double left = start + shortest_frame_ - now();
        if (app_.wants_frame() && left > 0) window_.wait_events(left);
    }

    void report(const FrameLog& log, const ReportFrame& frame) {
        if (!frame.settled && now() - reported_ < kReportPause) return;
        reported_ = now();
        if (const auto written = write_report(report_, window_report(app_, log, frame)); !written) {
            complain(written.error(), 0);
            report_.clear();
        }
    }

    /// Updates the place where the window would be opened again; a full-screen or hidden window is ignored.
    void follow_place() {
        if (window_.fullscreen() || !can_draw()) return;
        const gfx::PixelSize size = window_.window_size();
        const auto unscaled = [&](int units) {
            return std::clamp(static_cast<int>(std::lround(static_cast<float>(units) / content_scale_)),
                              WindowPlace::kLeast, WindowPlace::kMost);
        };
        place_ = {unscaled(size.width), unscaled(size.height), WindowCorner{}};
        glfwGetWindowPos(window_.handle(), &place_.corner->x, &place_.corner->y);
    }

    gfx::Window& window_;
    Waker& waker_;
    App& app_;
    Session& session_;
    const QuitSignals& signals_;
    std::string report_;
    std::string chapter_;                    ///< watched for edits; empty: none
    std::unique_ptr<NotesTerminal> notes_;  ///< null: not requested
    std::filesystem::file_time_type chapter_written_{};
    double chapter_looked_ = -kLookPause;
    WindowPlace place_;
    float content_scale_;
    double shortest_frame_;
    int settling_ = kSettlingFrames;
    double last_frame_ = now();
    double reported_ = 0;
    long serial_ = 0;
    std::vector<std::string> to_open_;
    bool opening_ = false;
    Handed<Dropped> opened_;
    std::jthread opener_;  ///< the last member, so that it ends before what it hands over is destroyed
};

/// Closes the waker before the window is destroyed.
struct WakerGuard {
    Waker& waker;
    ~WakerGuard() { waker.close(); }
};

std::string last_sentence(const Session& session) {
    std::string said = "attenscope: a fault ended the program, in a library or in itself: mostly a graphics driver that was refused memory. ";
    if (const std::filesystem::path file = session.last_file(); !file.empty())
        said += fmt::format("The document, as it was at most {:.0f} seconds before, is in {} and comes back at the next start. ",
                            std::ceil(Session::kPause), attn::visible_text(file.string(), true));
    return said + "If it happens again, start with LIBGL_ALWAYS_SOFTWARE=1, with a shorter text or with more memory";
}

/// Runs one window. `start` is its initial state, and afterwards its last one. An exit status ends the program; none:
/// the context was lost, and everything must be made anew.
std::optional<int> live(const WindowOptions& options, Start& start, Session& session, Waker& waker,
                        const QuitSignals& signals) {
    auto window = open_at(start.place);
    if (!window) return complain(window.error(), kExitNoDisplay);
    auto app = App::open({.window = window->handle(),
                          .display_scale = window->content_scale(),
                          .fonts = start.fonts,
                          .assets = options.assets});
    if (!app) return complain(app.error(), kExitFailure);
    waker.open(&gfx::Window::post_empty_event);
    const WakerGuard guard{waker};
    (*app)->on_ready([&waker] { waker.wake(); });
    (*app)->state() = start.state;
    (*app)->state().models = model_folder();
    if (start.first) open_chapters(**app, options);
    (*app)->apply(ChangeView{[](ViewState&) {}});  // drops what the document does not have
    Loop loop(*window, **app, session, signals, options, waker, start.place);
    if (start.first) session.begin((*app)->state(), loop.place(), now());
    const DeadServer dead([&] { session.finish((*app)->state(), loop.last_place()); });
    const LastSentence fault(last_sentence(session));
    std::vector<char> reserve(kReserve);
    Ending ending{};
    try {
        ending = loop.run();
    } catch (const std::exception& refused) {
        // A frame could not get memory or a thread. The reserve is freed to save the latest work.
        if (!is_refusal(refused)) throw;
        reserve = {};
        session.finish((*app)->state(), loop.last_place());
        if (const auto error = session.take_error()) return complain(*error, kExitFailure);
        return complain({"the system refuses more memory, or another thread; the document is saved. Start again with a shorter text, or "
                         "end other programs first",
                         {}, {}, 0},
                        kExitFailure);
    }
    start = {(*app)->state(), loop.place(), start.fonts, false};
    if (ending == Ending::ContextLost) return std::nullopt;
    session.finish(start.state, start.place);
    if (const auto error = session.take_error()) complain(*error, 0);
    return 0;
}

}  // namespace

int run_window(const WindowOptions& options) {
    try {
        Waker waker;
        const QuitSignals signals(waker);
        Session session(system_folders(), [&waker] { waker.wake(); });
        Start start = restored_start(options, session);
        constexpr int kTries = 2;  // a driver recovers from one reset; one that needs another will not
        for (int i = 0; i < kTries; ++i)
            if (const auto status = live(options, start, session, waker, signals)) return *status;
        session.finish(start.state, start.place);
    } catch (const std::exception& refused) {
        if (!is_refusal(refused)) throw;
        return complain({"there is not enough memory for a window, or the system refuses another thread", {}, {}, 0}, kExitFailure);
    }
    return complain({"the graphics driver was reset twice; the last document is saved. Start again, with "
                     "LIBGL_ALWAYS_SOFTWARE=1 if it happens again",
                     {}, {}, 0},
                    kExitNoDisplay);
}

}  // namespace app
