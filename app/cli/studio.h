#pragma once
// The program offscreen, holding one document still for pictures.

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
    bool map = false;   ///< the flow from afar
    bool room = false;  ///< as before a room
    std::optional<double> opening = {};  ///< seconds of its answer; below 0: its question
    float scale = 1;    ///< pixels per design pixel
    Screen screen = Screen::Stage;
    std::string page = {};  ///< of the experiments or of the heads
    bool panels = true;
    FigureLook figure = {};  ///< without panels
    Detail level = Detail::Everything;  ///< how much is drawn
    Sheet sheet = Sheet::None;
    int trained = 0;  ///< steps of a training, on its screen
    int head = 0;  ///< shown on the stage, from 0
    std::optional<attn::CountFrom> count_from = {};
    WalkPace pace = WalkPace::Story;
    std::string assets;
};

class Studio {
public:
    /// Opens a context and the program in it, and computes. Error: no OpenGL 3.3, or no assets.
    static attn::Result<Studio> open(StudioOptions options);

    const Derived& derived() const { return app_->derived(); }
    const AppState& state() const { return app_->state(); }
    const ViewState& view() const { return app_->state().view; }
    const attn::Trace& trace() const { return app_->derived().run->trace; }

    /// Settings, or a place in the document.
    void use(const ViewPart& part);
    /// Another run beside this one.
    void compare(Comparison comparison);
    /// Any change of the view, such as a screen or a sheet.
    void change_view(std::function<void(ViewState&)> change) {
        app_->apply(ChangeView{std::move(change)});
        app_->finish();
    }
    const ChapterLibrary& chapters() const { return app_->chapters(); }
    /// A chapter's file is read; what is wrong with it is another command's to say.
    attn::Result<attn::Done> use_chapter(const std::string& file) { return app_->use_chapter(file, false); }
    /// A page of a chapter as it is when its motion is over; one past the last: what to read.
    void open_page(const std::string& chapter, int page);
    void show_stop(int stop, double progress);
    void show_time(double seconds);
    void pin(attn::Cell cell);

    /// The frame as it stands, `size` in pixels.
    attn::Result<gfx::Image> picture(Size size);
    /// The frame, and what was drawn in it.
    attn::Result<gfx::Image> picture(Size size, Drawing& drawn);
    /// A picture with nothing in it but what `draw` draws.
    attn::Result<gfx::Image> beside(Size size, const std::function<void(Painter&)>& draw);
    /// The same as what was drawn.
    attn::Result<Drawing> drawing(Size size) { return render_drawing(*app_, size); }
    /// The same for one of many pictures of a motion: drawn once where `picture` draws until everything has settled.
    attn::Result<gfx::Image> frame(Size size);

private:
    Studio(gfx::Offscreen context, std::unique_ptr<App> app) : context_(std::move(context)), app_(std::move(app)) {}

    gfx::Offscreen context_;  // before the program: everything made in it must go first
    std::unique_ptr<App> app_;
    std::optional<gfx::Target> target_;  // of `frame`, kept between calls
};

}  // namespace app
