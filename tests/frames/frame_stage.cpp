#include "tests/frames/frame_stage.h"

#include "app/frame/heatmaps.h"
#include "app/screens/compare/look.h"
#include "app/screens/heads/look.h"
#include "tests/frames/typefaces.h"

namespace frames {
namespace {

constexpr int kSettleFrames = 6;

}  // namespace

FrameStage::Open FrameStage::open_;
::testing::Environment* const FrameStage::at_the_end_ = ::testing::AddGlobalTestEnvironment(new AtTheEnd);

void FrameStage::Open::close() {
    app.reset();
    context.reset();
}

void FrameStage::SetUp() {
    if (goes_on() && open_.app) {
        program().state() = app::first_state(app::Language::English);
        program().finish();
        return;
    }
    open_.close();
    typefaces_here();  // measured while no program is open
    reopen();
}

void FrameStage::reopen() {
    open_.close();
    auto context = app::gfx::open_offscreen();
    if (!context) GTEST_SKIP() << context.error().text();
    open_.context.emplace(std::move(*context));
    auto app = app::App::open({});
    ASSERT_TRUE(app) << app.error().text();
    open_.app = std::move(*app);
}

void FrameStage::show(const FrameCase& frame) {
    app::AppState& state = program().state();
    state = app::first_state(frame.language);
    state.document = frame.document();
    state.view.theme = frame.theme;
    state.view.convention = frame.convention;
    program().finish();
    ASSERT_FALSE(program().derived().error) << program().derived().error->text();
    if (frame.step.empty()) return;
    const attn::StepId step = attn::find_step(trace(), frame.step);
    ASSERT_NE(step, attn::kNoStep) << "no step " << frame.step;
    const attn::Tag tag = trace()[step].tag;
    if (tag.head != attn::kNoHead) program().apply(app::ChooseHead{tag.head});
    const int stop = app::stop_of(program().derived().timeline, trace(), step);
    ASSERT_GE(stop, 0) << frame.step << " is not shown by itself";
    program().apply(app::GoToStop{stop, frame.progress});
    ASSERT_EQ(program().derived().pose.step, step);
    if (frame.pin) program().apply(app::Pin{app::CellRef{tag, frame.pin->first, frame.pin->second}});
    if (frame.act == FrameCase::Act::Type) press(app::gui::Key::Enter, frame.size);
    app::ViewState view = state.view;
    view.difference = frame.act == FrameCase::Act::Change;
    if (!frame.compared.empty()) {
        view.screen = app::Screen::Compare;
        view.part<app::Comparison>().kind = frame.compared;
        view.part<app::Comparison>().shown = frame.shown;
    }
    if (frame.part == app::Place::Flow) {
        view.screen = app::Screen::Flow;
        view.playing = frame.progress < 1;
    }
    if (frame.act == FrameCase::Act::Room) {
        view.present.on = true;
        view.present.strokes = {{{0.2f, 0.7f}, {0.3f, 0.75f}, {0.4f, 0.68f}}};
    }
    if (frame.act == FrameCase::Act::Closer) view.flow = {2.5f, 0.6f, 0.55f};
    view.cube = frame.act == FrameCase::Act::Cube;
    view.inspector = frame.part == app::Place::Right;
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
    if (view != state.view) program().apply(app::becomes(view));
    if (frame.act == FrameCase::Act::Enter) enter(*view.pinned);
    program().finish();
}

/// More than half way from the flow into the matrix.
void FrameStage::enter(const app::CellRef& cell) {
    program().apply(app::EnterMatrix{cell});
    for (int i = 0; i < 5; ++i) program().apply(app::Advance{0.1});
}

void FrameStage::press(app::gui::Key key, app::Size size) {
    for (const bool down : {true, false}) {
        app::gui::inject_key(key, down);
        for (int i = 0; i < 2; ++i) program().build_frame(size, 0);
    }
}

app::gfx::Image FrameStage::render(app::Size size) {
    auto image = app::render_frame(program(), size);
    EXPECT_TRUE(image) << image.error().text();
    return image ? std::move(*image) : app::gfx::Image{};
}

Record FrameStage::record(app::Size size, app::Rect part) {
    app::Drawing drawing;
    app::FrameLog log;
    log.drawing = &drawing;
    program().heatmaps().keep_notes();
    program().finish();
    for (int i = 0; i < kSettleFrames; ++i) {
        log.clear();
        program().build_frame(size, 0, &log);
        if (i > 0 && !program().wants_frame()) break;
        if (!program().gathers()) continue;
        program().finish();
        --i;
    }
    return record_of(drawing, program().heatmaps(), part);
}

std::vector<app::LabelRect> FrameStage::labels(app::Size size) {
    app::FrameLog log;
    for (int i = 0; i < kSettleFrames; ++i) {
        log = {};
        program().build_frame(size, 0, &log);
        if (i > 0 && !program().wants_frame()) break;
    }
    return std::move(log.labels);
}

}  // namespace frames
