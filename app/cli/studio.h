#pragma once
// The program offscreen, with one document, for rendering pictures.

#include <memory>
#include <optional>
#include <string>

#include "app/state/course.h"
#include "app/gfx/offscreen.h"
#include "app/gfx/target.h"
#include "app/screens/compare/look.h"
#include "app/shell/app.h"
#include "app/state/settings.h"
#include "core/document/document.h"

namespace app {

struct StudioOptions {
    attn::Document document;
    Language language = Language::English;
    std::string theme = "light";
    attn::Convention convention = attn::Convention::Rows;
    bool cube = false;  ///< products of matrices
    bool fan = false;   ///< the flow's heads side by side
    bool map = false;   ///< the flow zoomed out to the whole model
    bool presenting = false;  ///< projector mode
    std::optional<double> opening = {};  ///< seconds into the opening's answer; below 0: its question
    float scale = 1;    ///< pixels per design pixel
    Screen screen = Screen::Stage;
    std::string page = {};  ///< of the experiments, heads or prediction screen, or the compared matrix
    bool panels = true;
    FigureLook figure = {};  ///< if `panels` is off
    Detail level = Detail::Everything;  ///< how much is drawn
    Sheet sheet = Sheet::None;
    int trained = 0;  ///< training steps to take, on the training screen
    int head = 0;  ///< the head on the stage, from 0
    std::optional<attn::CountFrom> count_from = {};
    WalkPace pace = WalkPace::Story;
    std::string assets;
};

class Studio {
public:
    /// Opens a context and the program in it, and computes the document. Error: no OpenGL 3.3, or no assets.
    static attn::Result<Studio> open(StudioOptions options);

    const Derived& derived() const { return app_->derived(); }
    const AppState& state() const { return app_->state(); }
    const ViewState& view() const { return app_->state().view; }
    const attn::Trace& trace() const { return app_->derived().run->trace; }

    /// Applies settings, or a position in the document.
    void use(const ViewPart& part);
    /// Adds a second run for comparison.
    void compare(Comparison comparison);
    /// Any change of the view, such as a screen or a sheet.
    void change_view(std::function<void(ViewState&)> change) {
        app_->apply(ChangeView{std::move(change)});
        app_->finish();
    }
    const ChapterLibrary& chapters() const { return app_->chapters(); }
    /// Reads a chapter's file; its mistakes are another command's to report.
    attn::Result<attn::Done> use_chapter(const std::string& file) { return app_->use_chapter(file, false); }
    /// Shows a page of a chapter after its motion; one past the last page: the further reading.
    void open_page(const std::string& chapter, int page);
    void show_stop(int stop, double progress);
    void show_time(double seconds);
    void pin(attn::Cell cell);

    /// The current frame; `size` in pixels.
    attn::Result<gfx::Image> picture(Size size);
    /// The frame, and a record of what was drawn in it.
    attn::Result<gfx::Image> picture(Size size, Drawing& drawn);
    /// A picture that contains only what `draw` draws.
    attn::Result<gfx::Image> beside(Size size, const std::function<void(Painter&)>& draw);
    /// The current frame as a drawing.
    attn::Result<Drawing> drawing(Size size) { return render_drawing(*app_, size); }
    /// For one of many pictures of a motion: drawn once, where `picture` draws until everything has settled.
    attn::Result<gfx::Image> frame(Size size);

private:
    Studio(gfx::Offscreen context, std::unique_ptr<App> app) : context_(std::move(context)), app_(std::move(app)) {}

    gfx::Offscreen context_;  // declared before the program, so that it outlives everything made in it
    std::unique_ptr<App> app_;
    std::optional<gfx::Target> target_;  // for `frame`, reused between calls
};

}  // namespace app
