#include "app/shell/app.h"

#include <glad/gl.h>

#include <algorithm>
#include <atomic>
#include <cmath>

#include "app/state/course.h"
#include "app/chapters/course_page.h"
#include "app/content/assets.h"
#include "app/frame/asking.h"
#include "app/frame/hint.h"
#include "app/frame/view.h"
#include "app/gfx/target.h"
#include "app/panels/keys.h"
#include "app/panels/notes.h"
#include "app/screens/training/training.h"
#include "app/state/own_models.h"
#include "app/shell/exporter.h"
#include "app/state/latest.h"
#include "core/remake/remake.h"

namespace app {
namespace {

/// A picture is drawn until nothing changes any more, but at most this many times.
constexpr int kSettleFrames = 6;

void clear(Color back, float alpha = 1) {
    glClearColor(alpha * static_cast<float>(back.r) / 255.0f, alpha * static_cast<float>(back.g) / 255.0f,
                 alpha * static_cast<float>(back.b) / 255.0f, alpha);
    glClear(GL_COLOR_BUFFER_BIT);
}

}  // namespace

/// When presenting, figures are at least this fraction of the window's height, to be readable from the last row. In a
/// window narrower than 4 : 3, the height of a 4 : 3 window of its width counts.
constexpr float kRoomFigures = 24.0f / 768, kRoomShape = 0.75f;
/// Window size in design pixels beyond which the interface grows with the window.
constexpr Size kGrowsFrom{1920, 1080};
/// Glyphs are rasterised for each size, so the scale changes in steps.
constexpr float kScaleGrain = 16;

/// The least window size in design pixels of the theme: it limits the type size in small windows.
constexpr Size kLeastWindow{300, 220};
float largest_type(const Theme& theme, Size design) {
    return std::max(kMinScale, std::min(design.w / kLeastWindow.w, design.h / kLeastWindow.h) / theme.scale);
}

/// Enlargement compared with a window of normal size; the user's own scale is applied in addition.
float type_for_window(const ViewState& view, Size design) {
    if (!view.present.on)
        return std::max(1.0f, std::floor(std::min(design.w / kGrowsFrom.w, design.h / kGrowsFrom.h) * kScaleGrain / 2) /
                                  kScaleGrain * 2);
    const float figures = kRoomFigures * std::min(design.h, design.w * kRoomShape);
    return std::clamp(std::ceil(figures / theme_named(view.theme).em(Type::Number) * kScaleGrain) / kScaleGrain, 0.625f, 4.0f);
}

/// The window size that the opening's lengths refer to, and the limits of its scale.
constexpr Size kOpeningWindow{1440, 900};
constexpr float kLeastOpening = 0.78f, kLargestOpening = 3;
float unit_of_opening(const ViewState& view, Size design) {
    const float fits = std::min(design.w / kOpeningWindow.w, design.h / kOpeningWindow.h);
    return std::clamp(std::floor(fits * kScaleGrain) / kScaleGrain, kLeastOpening, kLargestOpening) * view.scale;
}

struct App::Parts {
    std::unique_ptr<gui::Backend> backend;
    std::unique_ptr<Fonts> fonts;
    std::string fonts_folder;
    std::unique_ptr<Heatmaps> heatmaps;
    AppState state;
    Deriver deriver;
    std::shared_ptr<const ChapterLibrary> chapters;
    Derived derived;
    std::unique_ptr<Exporter> exporter;
    LatestOnly<std::shared_ptr<const attn::Result<attn::ModelPtr>>> keeper;  ///< for snapshots
    bool keeping = false;
    Scratch scratch;
    Theme theme;
    std::string theme_id;
    float theme_scale = 0, opening_unit = 0;
    std::pair<const Chapter*, Language> expected_chapter{};  ///< whose words the fonts have
    float display_scale = 1;
    std::atomic<bool> no_memory = false;  ///< memory ran out in a job on a thread, since the last query
    bool changed = true;  ///< the last frame's actions changed something: another frame must show it

    void follow_theme(Size size);
    void follow_fonts();
    void follow_course();
    void follow_keeping();
    enum class End : std::uint8_t { Pixels, DrawLists };  ///< how far a frame is built
    void frame(Size size, double seconds, FrameLog* log, End end);
    void draw(Size size, double seconds, FrameLog* log, Actions& actions);
};

void App::Parts::follow_theme(Size size) {
    const Size design{size.w / display_scale, size.h / display_scale};
    const float wanted = state.view.scale * type_for_window(state.view, design);
    const float scale = display_scale * std::min(wanted, largest_type(theme_named(state.view.theme), design));
    // If the opening is not shown, its type size stays the same, so that no glyphs are rasterised for it.
    const bool grows = shows_opening(state) || opening_unit == 0;
    const float unit = grows ? display_scale * unit_of_opening(state.view, design) : opening_unit;
    if (theme_id == state.view.theme && theme_scale == scale && unit == opening_unit) return;
    opening_unit = unit;
    theme = scaled(theme_named(state.view.theme), scale);
    if (state.view.figure_look.ground == FigureLook::Ground::White) theme.hues[static_cast<std::size_t>(Hue::Back)] = theme[Hue::Paper];
    set_opening(theme, opening_unit);
    theme_id = state.view.theme;
    theme_scale = scale;
    scratch.forget_measures();
}

void App::Parts::follow_fonts() {
    if (state.view.language == Language::Chinese) fonts->read_chinese();
    fonts->expect(Fonts::Words::Text, state.document.text);
    fonts->expect(Fonts::Words::Source, state.document.source);
    fonts->expect(Fonts::Words::Opening, shows_opening(state) ? words_of_opening(derived, state.view.language) : std::string());
    if (const std::pair now{derived.part<CoursePage>().chapter, state.view.language}; now != expected_chapter) {
        expected_chapter = now;
        // A closed chapter is expected no longer: new atlases do without its words.
        fonts->expect(Fonts::Words::Chapter, now.first ? words_of(*now.first, now.second) : std::string());
    }
    if (!fonts->refresh(theme)) return;
    scratch.forget_measures();
}

void App::Parts::draw(Size size, double seconds, FrameLog* log, Actions& actions) {
    const Rect window{0, 0, size.w, size.h};
    backend->begin_frame(size, seconds);
    heatmaps->begin(theme, derived, state.view.pooling);
    scratch.display_scale = display_scale;
    scratch.seconds = seconds;
    scratch.map.most_zoom = 1;  // views set it again in this frame
    ImDrawList* list = gui::begin_host("attenscope", window);
    {
        Painter painter(list, theme, *fonts, log ? &log->labels : nullptr, log ? log->drawing : nullptr);
        begin_focus(scratch.focus);
        Ui ui(painter, scratch.focus, log ? &log->widgets : nullptr);
        if (state.view.figure_look.ground == FigureLook::Ground::Theme) painter.fill(window, Hue::Back);
        const auto frame_at = [&](Rect area) {
            return Frame{state, derived, theme, ui, actions, scratch, area, window};
        };
        const Screen screen = has_screen(frame_at(window), state.view.screen) ? state.view.screen : Screen::Stage;
        const Panels panels = panels_of(state);
        begin_hints(scratch);
        for (const View& view : views()) {
            if (!has_part(state.view.level, view.part) || !is_on(view.place, screen, panels)) continue;
            const Rect area = place_rect(view.place, window, theme, panels);
            view.draw(frame_at(screen_at(view.place) ? above_notes(frame_at(area), area) : area));
        }
        hint_of_pointed(frame_at(window));
        draw_hint(frame_at(window), seconds);
        handle_keys(frame_at(window));
        if (log) {
            log->focused = scratch.focus.visible ? scratch.focus.current : 0;
            log->focus = scratch.focus.visible ? scratch.focus.holder : WidgetRect{};
            log->focus_text = scratch.focus.visible ? scratch.focus.holds : std::string();
        }
        if (log) log->glyphs = fonts->glyphs();
    }
    gui::end_host();
}

/// A newly opened page goes to its step once its document is computed; a completed task is recorded.
void App::Parts::follow_course() {
    if (!state.chapters) {
        state.chapters = chapters;
        deriver.refresh(state, derived);
    }
    if (state.view.course.arriving && !derived.computing) {
        update(state, CourseAction{Arrive{}}, derived);
        deriver.refresh(state, derived);
        changed = true;
    }
    const CoursePage& course = derived.part<CoursePage>();
    if (!course.page || !course.page->task || !course.task_done || state.view.course.arriving) return;
    const PageDone* done = state.progress.find(course.chapter->id, course.page->id);
    if (!done || !done->task) update(state, CourseAction{TaskDone{}}, derived);
}

/// A snapshot that was sent to the stage is written and measured while frames go on.
void App::Parts::follow_keeping() {
    if (!state.keeping) return;
    if (!keeping) {
        keeping = true;
        return keeper.ask([taken = *state.keeping, folder = state.models](const std::stop_token&) {
            return std::make_shared<const attn::Result<attn::ModelPtr>>(save_snapshot(taken, folder));
        });
    }
    const auto saved = keeper.take();
    if (!saved) return;
    keeping = false;
    const attn::Result<attn::ModelPtr>& model = **saved;
    update(state, TrainingAction{model ? SnapshotTaken{*model, {}} : SnapshotTaken{nullptr, model.error().text()}}, derived);
    deriver.refresh(state, derived);
    changed = true;
}

void App::Parts::frame(Size size, double seconds, FrameLog* log, End end) {
    const attn::PinScope pins;
    deriver.refresh(state, derived);
    follow_course();
    follow_theme(size);
    follow_fonts();
    if (end == End::Pixels) clear(theme[Hue::Back], state.view.figure_look.ground == FigureLook::Ground::None ? 0 : 1);
    Actions actions;
    draw(size, seconds, log, actions);
    backend->end_frame(end == End::Pixels);
    changed = !actions.empty();
    for (const Action& action : actions) {
        update(state, action, derived);
        deriver.refresh(state, derived);
    }
    follow_course();
    follow_keeping();
    // What has just come to rest is drawn once more, at rest.
    changed |= state.view.playing || state.view.passage || state.view.flow.moves() || state.view.opening_moves();
    const Size design{size.w / display_scale, size.h / display_scale};
    if (exporter->follow(state, derived, design)) changed = true;
    update(state, Advance{seconds}, derived);
}

App::App(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
App::~App() = default;

attn::Result<std::unique_ptr<App>> App::open(const AppOptions& options) {
    const Assets assets(options.assets);
    const auto vertex = assets.read("shaders/heatmap.vert"), fragment = assets.read("shaders/heatmap.frag");
    if (!vertex) return vertex.error();
    if (!fragment) return fragment.error();
    auto renderer = gfx::make_heatmap_renderer({"shaders/heatmap.vert", *vertex}, {"shaders/heatmap.frag", *fragment});
    if (!renderer) return renderer.error();
    auto backend = gui::Backend::open(options.window);
    if (!backend) return backend.error();
    auto parts = std::make_unique<Parts>();
    parts->backend = std::move(*backend);
    parts->fonts_folder = options.fonts;
    parts->fonts = std::make_unique<Fonts>(find_fonts({.folder = options.fonts}), all_text());
    parts->heatmaps = std::make_unique<Heatmaps>(std::move(*renderer));
    parts->scratch.heatmaps = parts->heatmaps.get();
    parts->exporter = std::make_unique<Exporter>(options.program);
    parts->display_scale = options.display_scale;
    parts->state = first_state(Language::English);
    parts->chapters = parts->state.chapters = std::make_shared<const ChapterLibrary>(load_chapters(assets));
    parts->deriver.refresh(parts->state, parts->derived);
    return std::unique_ptr<App>(new App(std::move(parts)));
}

AppState& App::state() { return parts_->state; }
const Derived& App::derived() const { return parts_->derived; }
const ChapterLibrary& App::chapters() const { return *parts_->chapters; }

void App::apply(const Action& action) {
    const attn::PinScope pins;
    parts_->deriver.refresh(parts_->state, parts_->derived);
    parts_->follow_course();
    update(parts_->state, action, parts_->derived);
    parts_->deriver.refresh(parts_->state, parts_->derived);
    parts_->follow_course();
    parts_->changed = true;
}

void App::run_frame(Size size, double seconds, FrameLog* log) { parts_->frame(size, seconds, log, Parts::End::Pixels); }

void App::build_frame(Size size, double seconds, FrameLog* log) {
    parts_->frame(size, seconds, log, Parts::End::DrawLists);
}

bool App::wants_frame() const {
    // A number field that waits for the keyboard gets it in the next frame.
    const auto& number = parts_->scratch.number;
    return parts_->changed || parts_->backend->has_input() || parts_->state.view.playing || parts_->state.view.passage ||
           parts_->state.view.flow.moves() || parts_->state.view.opening_moves() || parts_->fonts->pending() || parts_->deriver.ready() ||
           parts_->keeper.ready() || parts_->exporter->ready() || gathers() || hint_is_due(parts_->scratch) || (number && !number->had_keyboard);
}
bool App::lacks_characters() const { return parts_->fonts->lacks(); }
void App::look_for_fonts() { parts_->fonts->use(find_fonts({.folder = parts_->fonts_folder})); }
std::optional<double> App::due_in() const { return presented_note_due(parts_->scratch); }
Heatmaps& App::heatmaps() { return *parts_->heatmaps; }
void App::draw_beside(Size size, const std::function<void(Painter&)>& draw, bool pixels) {
    parts_->follow_fonts();
    if (pixels) clear(parts_->theme[Hue::Back]);
    parts_->backend->begin_frame(size, 0);
    parts_->heatmaps->begin(parts_->theme, parts_->derived, parts_->state.view.pooling);
    Painter painter(gui::begin_host("beside", {0, 0, size.w, size.h}), parts_->theme, *parts_->fonts);
    draw(painter);
    gui::end_host();
    parts_->backend->end_frame(pixels);
}
bool App::gathers() const {
    return parts_->heatmaps->pending() || parts_->heatmaps->busy() || parts_->deriver.busy() || parts_->deriver.ready();
}
bool App::computes() const {
    const Derived& derived = parts_->derived;
    return derived.computing || derived.unedited.computing || derived.other.computing;
}
void App::finish() {
    parts_->follow_keeping();
    parts_->keeper.wait();
    parts_->follow_keeping();
    parts_->deriver.finish(parts_->state, parts_->derived);
    parts_->heatmaps->wait();
}
attn::Result<attn::Done> App::use_chapter(const std::string& file, bool open) {
    auto chapter = load_chapter_file(file, *parts_->chapters);
    if (!chapter) return chapter.error();
    auto library = std::make_shared<ChapterLibrary>(*parts_->chapters);
    if (chapter->id.empty()) chapter->id = file;
    const std::string id = chapter->id;
    const std::vector<ChapterProblem> problems = chapter->problems;
    library->add(std::move(*chapter));
    parts_->chapters = parts_->state.chapters = std::move(library);
    parts_->changed = true;
    if (open)
        apply(CourseAction{OpenPage{id, 0}});
    else if (parts_->state.view.course.chapter == id)
        apply(CourseAction{OpenPage{id, parts_->state.view.course.page}});
    if (problems.empty()) return attn::Done{};
    return attn::Error{problems.front().text(), "", "", 0};
}
void App::set_display_scale(float scale) { parts_->display_scale = scale; }
void App::on_ready(std::function<void()> wake) {
    parts_->exporter->on_news(wake);
    const Wake ended = [this, wake = std::move(wake)](JobEnd end) {
        if (end == JobEnd::NoMemory) parts_->no_memory = true;
        wake();
    };
    parts_->heatmaps->on_ready(ended);
    parts_->keeper.on_ready(ended);
    parts_->deriver.on_ready(ended);
}
bool App::take_no_memory() { return parts_->no_memory.exchange(false); }

attn::Result<gfx::Image> render_frame(App& app, Size size, FrameLog* log) {
    const auto target = gfx::make_target(static_cast<int>(size.w), static_cast<int>(size.h));
    if (!target) return target.error();
    app.finish();
    target->bind();
    for (int i = 0; i < kSettleFrames; ++i) {
        if (log) log->clear();
        app.run_frame(size, 0, log);
        if (i > 0 && !app.wants_frame()) break;
        // A chapter's page that arrives in the first frame may request a second run.
        if (!app.gathers() && !app.computes()) continue;
        app.finish();
        --i;
    }
    return target->read();
}

namespace {

/// Reads the pixels of the texture in an image item, nearest neighbour, as it is drawn.
void read_back(DrawnItem& item) {
    const gfx::Image whole = gfx::read_texture(item.texture);
    if (whole.empty()) return;
    const auto side = [](float from, float size, int count) {
        const int first = std::clamp(static_cast<int>(std::lround(from * static_cast<float>(count))), 0, count);
        const int last = std::clamp(static_cast<int>(std::lround((from + size) * static_cast<float>(count))), 0, count);
        return std::pair(first, last);
    };
    const auto [left, right] = side(item.uv.x, item.uv.w, whole.width);
    const auto [top, bottom] = side(item.uv.y, item.uv.h, whole.height);
    item.pixels_wide = right - left;
    item.pixels_high = bottom - top;
    if (right <= left) return;
    if (!item.vertical) {
        for (int y = top; y < bottom; ++y)
            item.rgba.insert(item.rgba.end(), whole.at(left, y), whole.at(right - 1, y) + 4);
        return;
    }
    std::swap(item.pixels_wide, item.pixels_high);
    for (int x = left; x < right; ++x)
        for (int y = top; y < bottom; ++y) item.rgba.insert(item.rgba.end(), whole.at(x, y), whole.at(x, y) + 4);
}

}  // namespace

attn::Result<Drawing> render_drawing(App& app, Size size) {
    Drawing drawing;
    FrameLog log;
    log.drawing = &drawing;
    if (const auto image = render_frame(app, size, &log); !image) return image.error();
    for (DrawnItem& item : drawing.items)
        if (item.kind == DrawnItem::Kind::Image) read_back(item);
    return drawing;
}

}  // namespace app
