#pragma once
// The program without its window: state in, one frame out. Window, tests, pictures and animations run the same frame.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/gfx/image.h"
#include "app/shell/child.h"
#include "app/state/derived.h"
#include "app/state/state.h"
#include "app/ui/paint.h"
#include "app/ui/widgets.h"

struct GLFWwindow;

namespace app {

class Heatmaps;

/// What a test sees of a frame: where the controls and the labels were.
struct FrameLog {
    std::vector<WidgetRect> widgets;
    std::vector<LabelRect> labels;
    ItemId focused = 0;  ///< the control with the keyboard's ring; 0: none has it
    std::size_t glyphs = 0;  ///< that the atlas has, or will have for the next frame
    Drawing* drawing = nullptr;  ///< gets everything that is drawn; null: nobody wants it

    void clear() {
        widgets.clear();
        labels.clear();
        if (drawing) drawing->items.clear();
    }
};

struct AppOptions {
    GLFWwindow* window = nullptr;  ///< null: offscreen
    float display_scale = 1;       ///< pixels per design pixel that the display asks for
    std::string fonts = {};        ///< a folder whose typefaces come before the system's; may be empty
    std::string assets = {};       ///< read shaders and assets from this folder; empty: those inside the program
    std::string program = own_program();  ///< run again for pictures that are exported
};

class App {
public:
    /// A GL context must be current, and stay so.
    static attn::Result<std::unique_ptr<App>> open(const AppOptions& options);
    ~App();
    App(const App&) = delete;
    App& operator=(const App&) = delete;

    AppState& state();
    const Derived& derived() const;
    const ChapterLibrary& chapters() const;
    /// Does what a view or a key would do.
    void apply(const Action& action);

    /// refresh, draw, apply: into the framebuffer that is bound, `size` in pixels. `seconds` since the last frame.
    void run_frame(Size size, double seconds, FrameLog* log = nullptr);
    /// The same frame up to its draw lists: all that the processor does and nothing of what the driver does, for
    /// measuring and for tests that look at the log. A frame that run_frame draws may follow.
    void build_frame(Size size, double seconds, FrameLog* log = nullptr);
    /// A frame with nothing in it but what `draw` draws, up to its draw lists: for measuring. `pixels`: drawn, too, into
    /// what is bound.
    void draw_beside(Size size, const std::function<void(Painter&)>& draw, bool pixels = false);
    /// Textures and what they take, for measuring.
    Heatmaps& heatmaps();
    /// Something moves or waits: the next frame should follow at once.
    bool wants_frame() const;
    /// Seconds after the last frame in which another is due though nothing moves: a note goes. None: none is.
    std::optional<double> due_in() const;
    /// Large matrices are not on the screen in full yet: frames that follow add to them.
    bool gathers() const;
    /// A run is under way: the document, the same without edits, or the one beside it.
    bool computes() const;
    /// A chapter of the reader's, read from its file; `open`: at its first page, else only where it is open already.
    /// Error: it cannot be read, or the first of its mistakes; what could be read is there all the same.
    attn::Result<attn::Done> use_chapter(const std::string& file, bool open);
    /// Waits for a computation that is under way.
    void finish();
    void set_display_scale(float scale);
    void on_ready(std::function<void()> wake);
    /// There was not enough memory for something that was computed on a thread; once.
    bool take_no_memory();

private:
    struct Parts;
    explicit App(std::unique_ptr<Parts> parts);
    std::unique_ptr<Parts> parts_;
};

/// The same frame to pixels, settled: the state as it is, nothing computing, all glyphs there. Needs an offscreen App.
attn::Result<gfx::Image> render_frame(App& app, Size size, FrameLog* log = nullptr);
/// The same frame as what was drawn, its pictures read back.
attn::Result<Drawing> render_drawing(App& app, Size size);

}  // namespace app
