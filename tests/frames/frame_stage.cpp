#include "tests/frames/frame_stage.h"

#include "app/frame/heatmaps.h"
#include "app/screens/compare/look.h"
#include "app/screens/heads/look.h"
#include "tests/frames/typefaces.h"

namespace frames {
namespace {

constexpr int kSettleFrames = 6;

}  // namespace

void FrameStage::SetUp() {
    typefaces_here();  // measured before a program is open
    reopen();
}

void FrameStage::close() {
    app_.reset();
    context_.reset();
}

void FrameStage::reopen() {
    close();
    auto context = app::gfx::open_offscreen();
    if (!context) GTEST_SKIP() << context.error().text();
    context_.emplace(std::move(*context));
    auto app = app::App::open({});
    ASSERT_TRUE(app) << app.error().text();
    app_ = std::move(*app);
}

void FrameStage::show(const FrameCase& frame) {
    app::AppState& state = app_->state();
    state = app::first_state(frame.language);
    state.document = frame.document();
    state.view.theme = frame.theme;
    state.view.convention = frame.convention;
    app_->finish();
    ASSERT_FALSE(app_->derived().error) << app_->derived().error->text();
    if (frame.step.empty()) return;
    const attn::StepId step = attn::find_step(trace(), frame.step);
    ASSERT_NE(step, attn::kNoStep) << "no step " << frame.step;
    const attn::Tag tag = trace()[step].tag;
    if (tag.head != attn::kNoHead) app_->apply(app::ChooseHead{tag.head});
    const int stop = app::stop_of(app_->derived().timeline, trace(), step);
    ASSERT_GE(stop, 0) << frame.step << " is not shown by itself";
    app_->apply(app::GoToStop{stop, frame.progress});
    ASSERT_EQ(app_->derived().pose.step, step);
    if (frame.pin) app_->apply(app::Pin{app::CellRef{tag, frame.pin->first, frame.pin->second}});
    if (frame.act == FrameCase::Act::Type) press(app::gui::Key::Enter, frame.size);
    app::ViewState view = state.view;
    view.difference = frame.act == FrameCase::Act::Change;
    if (!frame.compared.empty()) {
        view.screen = app::Screen::Compare;
        view.part<app::Comparison>().kind = frame.compared;
        view.part<app::Comparison>().shown = frame.shown;
    }
    if (frame.kept == app::Place::Flow) {
        view.screen = app::Screen::Flow;
        view.playing = frame.progress < 1;
    }
    if (frame.act == FrameCase::Act::Room) {
        view.present.on = true;
        view.present.strokes = {{{0.2f, 0.7f}, {0.3f, 0.75f}, {0.4f, 0.68f}}};
    }
    if (frame.act == FrameCase::Act::Closer) view.flow = {2.5f, 0.6f, 0.55f};
    view.cube = frame.act == FrameCase::Act::Cube;
    view.inspector = frame.kept == app::Place::Right;
    if (frame.act == FrameCase::Act::Fan) {
        view.flow.fan = true;
        view.flow.fanned = 1;
    }
    if (!frame.heads.empty()) {
        view.screen = app::Screen::Heads;
        view.part<app::HeadsChoice>().page = frame.heads;
        if (frame.choose) frame.choose(view.part<app::HeadsChoice>());
    }
    if (frame.look) frame.look(view);
    if (view != state.view) app_->apply(app::becomes(view));
    if (frame.act == FrameCase::Act::Enter) enter(*view.pinned);
    app_->finish();
}

/// More than half way from the flow into the matrix.
void FrameStage::enter(const app::CellRef& cell) {
    app_->apply(app::EnterMatrix{cell});
    for (int i = 0; i < 5; ++i) app_->apply(app::Advance{0.1});
}

void FrameStage::press(app::gui::Key key, app::Size size) {
    for (const bool down : {true, false}) {
        app::gui::inject_key(key, down);
        for (int i = 0; i < 2; ++i) app_->build_frame(size, 0);
    }
}

app::gfx::Image FrameStage::render(app::Size size) {
    auto image = app::render_frame(*app_, size);
    EXPECT_TRUE(image) << image.error().text();
    return image ? std::move(*image) : app::gfx::Image{};
}

Record FrameStage::record(app::Size size, app::Rect part) {
    app::Drawing drawing;
    app::FrameLog log;
    log.drawing = &drawing;
    app_->heatmaps().keep_notes();
    app_->finish();
    for (int i = 0; i < kSettleFrames; ++i) {
        log.clear();
        app_->build_frame(size, 0, &log);
        if (i > 0 && !app_->wants_frame()) break;
        if (!app_->gathers()) continue;
        app_->finish();
        --i;
    }
    return record_of(drawing, app_->heatmaps(), part);
}

std::vector<app::LabelRect> FrameStage::labels(app::Size size) {
    app::FrameLog log;
    for (int i = 0; i < kSettleFrames; ++i) {
        log = {};
        app_->build_frame(size, 0, &log);
        if (i > 0 && !app_->wants_frame()) break;
    }
    return std::move(log.labels);
}

}  // namespace frames
