#pragma once
// The program without its window: state in, one frame out. The window, tests, pictures and animations run the same
// frame.

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

/// What a test can read of a frame: where the controls and the labels were.
struct FrameLog {
    std::vector<WidgetRect> widgets;
    std::vector<LabelRect> labels;
    ItemId focused = 0;  ///< the control with the keyboard's focus ring; 0: none
    WidgetRect focus;      ///< its id and rectangle
    std::string focus_text;  ///< what is written in it, if it is a text field
    std::size_t glyphs = 0;  ///< glyphs that the atlas has, or will have in the next frame
    Drawing* drawing = nullptr;  ///< records everything that is drawn; null: not recorded

    void clear() {
        widgets.clear();
        labels.clear();
        if (drawing) drawing->items.clear();
    }
};

struct AppOptions {
    GLFWwindow* window = nullptr;  ///< null: offscreen
    float display_scale = 1;       ///< pixels per design pixel that the display asks for
    std::string fonts = {};        ///< a folder whose typefaces take precedence over the system's; may be empty
    std::string assets = {};       ///< read shaders and assets from this folder; empty: the built-in ones
    std::string program = own_program();  ///< run again to export pictures
};

class App {
public:
    /// A GL context must be current, and stay current.
    static attn::Result<std::unique_ptr<App>> open(const AppOptions& options);
    ~App();
    App(const App&) = delete;
    App& operator=(const App&) = delete;

    AppState& state();
    const Derived& derived() const;
    const ChapterLibrary& chapters() const;
    /// Performs an action, like a view or a key.
    void apply(const Action& action);

    /// Refreshes, draws and applies actions: draws into the bound framebuffer; `size` in pixels, `seconds` since the
    /// last frame.
    void run_frame(Size size, double seconds, FrameLog* log = nullptr);
    /// The same frame up to its draw lists: all of the CPU's work and none of the driver's, for measurements and for
    /// tests that read the log. A frame drawn by run_frame may follow.
    void build_frame(Size size, double seconds, FrameLog* log = nullptr);
    /// A frame that contains only what `draw` draws, up to its draw lists, for measurements. `pixels`: also draws into
    /// the bound framebuffer.
    void draw_beside(Size size, const std::function<void(Painter&)>& draw, bool pixels = false);
    /// The textures and their memory, for measurements.
    Heatmaps& heatmaps();
    /// Something moves or waits: the next frame should follow at once.
    bool wants_frame() const;
    /// Seconds after the last frame in which another is due although nothing moves, for example to remove a message;
    /// none: no frame is due.
    std::optional<double> due_in() const;
    /// Large matrices are not completely drawn yet: later frames add to them.
    bool gathers() const;
    /// A run is being computed: the document, its unedited version, or the comparison's second run.
    bool computes() const;
    /// Reads a chapter of the user's from its file; `open`: at its first page, else only if it is open already. Error:
    /// it cannot be read, or its first mistake; what could be read is used anyway.
    attn::Result<attn::Done> use_chapter(const std::string& file, bool open);
    /// Waits for the current computation.
    void finish();
    void set_display_scale(float scale);
    /// Whether a character was drawn as its number because no typeface has it, and looking for typefaces again.
    bool lacks_characters() const;
    void look_for_fonts();
    void on_ready(std::function<void()> wake);
    /// Memory ran out in a computation on a thread; reported once.
    bool take_no_memory();

private:
    struct Parts;
    explicit App(std::unique_ptr<Parts> parts);
    std::unique_ptr<Parts> parts_;
};

/// The settled frame as pixels: the present state, with nothing computing and all glyphs there. Needs an offscreen App.
attn::Result<gfx::Image> render_frame(App& app, Size size, FrameLog* log = nullptr);
/// The same frame as a drawing, with the pixels of its textures.
attn::Result<Drawing> render_drawing(App& app, Size size);

}  // namespace app
