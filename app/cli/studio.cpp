#include "app/cli/studio.h"

#include <algorithm>

#include "app/state/course.h"
#include "app/screens/compare/look.h"
#include "app/screens/experiments/look.h"
#include "app/screens/heads/look.h"
#include "app/screens/prediction/look.h"
#include "app/screens/training/training.h"

namespace app {

attn::Result<Studio> Studio::open(StudioOptions options) {
    auto context = gfx::open_offscreen();
    if (!context) return context.error();
    auto opened = App::open({.window = nullptr, .display_scale = options.scale, .assets = options.assets});
    if (!opened) return opened.error();
    Studio studio(std::move(*context), std::move(*opened));
    AppState& state = studio.app_->state();
    state = first_state(options.language);
    state.document = std::move(options.document);
    state.view.theme = options.theme;
    state.view.convention = options.convention;
    state.view.cube = options.cube;
    state.view.present.on = options.presenting;
    if (options.opening) state.view.asking = *options.opening < 0 ? Asking::Asked : Asking::Answered;
    state.view.flow.fan = options.fan;
    state.view.flow.fanned = options.fan ? 1 : 0;
    state.view.screen = options.screen;
    if (options.screen == Screen::Heads)
        state.view.part<HeadsChoice>().page = options.page;
    else if (options.screen == Screen::Prediction)
        state.view.part<PredictionLook>().page = options.page;
    else if (options.screen == Screen::Compare && !options.page.empty())
        state.view.part<Comparison>().shown = options.page;
    else
        state.view.part<ExperimentsLook>().page = options.page;
    state.view.part<TrainingLook>().until = options.trained;
    state.view.panels = options.panels;
    state.view.figure = !options.panels;
    state.view.figure_look = options.figure;
    state.view.level = options.level;
    state.view.sheet = options.sheet;
    state.view.pace = options.pace;
    state.view.count_from = options.count_from;
    state.view.head = std::clamp(options.head, 0, std::max(state.document.config.heads, 1) - 1);
    studio.app_->finish();
    if (options.opening) {
        const double seconds = *options.opening;
        if (seconds > kAnswerSeconds) studio.app_->apply(OpeningAction{OpeningAction::Do::LookInside});
        studio.change_view([seconds](ViewState& view) {
            view.opening.seconds = seconds < 0 ? kBreathSeconds : seconds > kAnswerSeconds ? seconds - kAnswerSeconds : seconds;
        });
    }
    // An empty change lets the first look show its question.
    if (options.level == Detail::FirstLook) studio.change_view([](ViewState&) {});
    if (options.map) studio.change_view([](ViewState& view) { view.flow.zoom = kLeastFlowZoom; });
    return studio;
}

void Studio::use(const ViewPart& part) {
    change_view([&](ViewState& view) { use_part(view, part); });
}

void Studio::compare(Comparison comparison) {
    change_view([&](ViewState& view) {
        view.screen = Screen::Compare;
        view.part<Comparison>() = std::move(comparison);
    });
}

void Studio::open_page(const std::string& chapter, int page) {
    change_view([](ViewState& view) { view.still = true; });
    app_->apply(CourseAction{OpenPage{chapter, page}});
    app_->finish();
}

void Studio::show_stop(int stop, double progress) {
    app_->apply(GoToStop{stop, progress});
    app_->finish();
}

void Studio::show_time(double seconds) {
    app_->apply(Seek{seconds});
    app_->finish();
}

void Studio::pin(attn::Cell cell) {
    app_->apply(Pin{CellRef{trace()[cell.step].tag, cell.row, cell.col}});
    app_->finish();
}

attn::Result<gfx::Image> Studio::picture(Size size) { return render_frame(*app_, size); }

attn::Result<gfx::Image> Studio::picture(Size size, Drawing& drawn) {
    FrameLog log;
    log.drawing = &drawn;
    return render_frame(*app_, size, &log);
}

attn::Result<gfx::Image> Studio::beside(Size size, const std::function<void(Painter&)>& draw) {
    const auto target = gfx::make_target(static_cast<int>(size.w), static_cast<int>(size.h));
    if (!target) return target.error();
    target->bind();
    // New characters are in the atlas from the second frame on.
    for (int i = 0; i < 2; ++i) app_->draw_beside(size, draw, true);
    return target->read();
}

attn::Result<gfx::Image> Studio::frame(Size size) {
    const auto width = static_cast<int>(size.w), height = static_cast<int>(size.h);
    if (!target_ || target_->width() != width || target_->height() != height) {
        auto target = gfx::make_target(width, height);
        if (!target) return target.error();
        target_ = std::move(*target);
    }
    target_->bind();
    app_->run_frame(size, 0);
    // A new character, or a view that needs another frame.
    if (app_->wants_frame()) return render_frame(*app_, size);
    return target_->read();
}

}  // namespace app
