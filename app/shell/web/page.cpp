// The program in a browser page: run_window() with the browser's loop. Browser events arrive through the functions at
// the end, which page.js calls; page.js also does what only a browser can (clipboard, downloads, storage).

#include <GLES3/gl3.h>
#include <emscripten.h>
#include <emscripten/html5.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <memory>
#include <string>
#include <utility>

#include "app/chapters/format/walk.h"
#include "app/frame/asking.h"
#include "app/gfx/window.h"
#include "app/panels/description.h"
#include "app/shell/app.h"
#include "app/shell/delivery.h"
#include "app/shell/frame_words.h"
#include "app/shell/open_files.h"
#include "app/shell/session.h"
#include "app/shell/window_loop.h"
#include "app/shell/window_report.h"
#include "app/shell/window_start.h"
#include "app/state/course.h"
#include "app/ui/compat_page.h"
#include "app/ui/key_layout.h"
#include "core/document/link.h"
#include "core/io/safe_text.h"
#include "core/text/unicode.h"

namespace app {
namespace {

constexpr int kExitFailure = 1;
constexpr int kExitNoDisplay = 4;
/// Frames drawn after an event (app/shell/window_loop.cpp).
constexpr int kSettlingFrames = 3;
/// While something moves, reports are written at most this often (seconds).
constexpr double kReportPause = 0.1;

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

EM_JS(void, page_put_by, (), { Module.putBy(); });
EM_JS(void, page_download, (const char* path), { Module.download(UTF8ToString(path)); });
EM_JS(void, page_copy, (const char* text), { Module.copy(UTF8ToString(text)); });
EM_JS(void, page_cursor, (const char* name), { Module.showCursor(UTF8ToString(name)); });
EM_JS(void, page_fill_screen, (int on), { Module.fillScreen(on !== 0); });
EM_JS(void, page_words, (const char* words, const char* description, const char* language), {
    Module.write(UTF8ToString(words), UTF8ToString(description), UTF8ToString(language));
});
EM_JS(void, page_focus, (const char* words), { Module.say(UTF8ToString(words)); });
EM_JS(void, page_want_typefaces, (), { Module.wantTypefaces(); });
EM_JS(void, page_over, (const char* message), { Module.over(UTF8ToString(message)); });

class Page {
public:
    explicit Page(const WindowOptions& options)
        : options_(options), session_(system_folders(), [this] { written_ = true; }), start_(restored_start(options, session_)) {}

    attn::Result<attn::Done> open();
    void resize(int width, int height, float scale);
    void touch() { settling_ = kSettlingFrames; }
    void frame();
    void open_file(const std::string& path);
    void open_link(const std::string& text);
    void open_chapter(const std::string& name);
    void refuse(const std::string& sentence);
    void leave();
    void set_full_screen(bool on);
    void look_for_fonts() {
        app_->look_for_fonts();
        touch();
    }
    void set_clipboard(std::string text) { clipboard_ = std::move(text); }
    const std::string& report() const { return report_; }
    gfx::InputCount& input() { return input_; }

private:
    void draw();
    void say(const FrameLog& log);
    void follow_view();

    WindowOptions options_;
    Session session_;
    Start start_;
    std::unique_ptr<App> app_;
    gfx::PixelSize size_{1, 1};
    float scale_ = 1;
    int settling_ = kSettlingFrames;
    double last_frame_ = now(), reported_ = 0;
    long serial_ = 0;
    bool written_ = false;      ///< the session has written files, which the browser must store
    bool typefaces_wanted_ = false;
    bool full_screen_ = false;  ///< as reported by the browser
    std::string report_, cursor_;
    std::string words_, focus_;   ///< as last passed to the page
    std::uint64_t said_ = 0;      ///< the generation that was described
    std::string clipboard_;  ///< the last copied text, from here or, when pasting, from elsewhere
    gfx::InputCount input_;
};

/// Exists from the first frame to the end of the page, because the browser calls it.
std::unique_ptr<Page>& page() {
    static std::unique_ptr<Page> one;
    return one;
}

attn::Result<attn::Done> Page::open() {
    EmscriptenWebGLContextAttributes wanted;
    emscripten_webgl_init_context_attributes(&wanted);
    wanted.majorVersion = 2;
    wanted.alpha = wanted.depth = wanted.stencil = wanted.antialias = false;
    const auto context = emscripten_webgl_create_context("#canvas", &wanted);
    if (context <= 0 || emscripten_webgl_make_context_current(context) != EMSCRIPTEN_RESULT_SUCCESS)
        return attn::Error{"this browser gives no WebGL 2, which the pictures are drawn with", {}, {}, 0};
    auto app = App::open({.window = nullptr, .display_scale = scale_, .fonts = start_.fonts, .assets = options_.assets});
    if (!app) return app.error();
    app_ = std::move(*app);
    gui::use_clipboard([this](const std::string& text) { page_copy((clipboard_ = text).c_str()); }, [this] { return clipboard_; });
    app_->on_ready([this] { touch(); });
    app_->state() = start_.state;
    app_->state().models = model_folder();
    open_chapters(*app_, options_);
    app_->apply(ChangeView{[](ViewState&) {}});  // drops what the document does not have
    session_.begin(app_->state(), start_.place, now());
    return attn::Done{};
}

void Page::resize(int width, int height, float scale) {
    size_ = {width, height};
    if (scale != scale_) {
        scale_ = scale;
        if (app_) app_->set_display_scale(scale);
    }
    touch();
}

void Page::draw() {
    constexpr double kLongest = 5;  // seconds, as on a desktop
    const double start = now();
    const bool last = settling_ <= 1 && !app_->wants_frame();  // its words are read once nothing moves
    const bool logged = last || !options_.report.empty();
    FrameLog log;
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glViewport(0, 0, size_.width, size_.height);
    app_->run_frame({static_cast<float>(size_.width), static_cast<float>(size_.height)}, std::clamp(start - last_frame_, 0.0, kLongest),
                    logged ? &log : nullptr);
    last_frame_ = start;
    ++serial_;
    settling_ = std::max(0, settling_ - 1);
    const bool settled = settling_ == 0 && !app_->wants_frame() && !gui::input_waits();
    if (settled && logged) say(log);
    if (settled && !logged) touch();  // the next frame's words are read
    if (options_.report.empty() || (!settled && start - reported_ < kReportPause)) return;
    reported_ = start;
    report_ = window_report(*app_, log, {serial_, settled, size_, input_});
}

/// Passes on the words of a frame that differ from those of the one before.
void Page::say(const FrameLog& log) {
    FrameWords words = words_of(log);
    if (words.focus != focus_) page_focus((focus_ = std::move(words.focus)).c_str());
    std::string lines = fmt::format("{}", fmt::join(words.lines, "\n"));
    const std::uint64_t generation = app_->derived().generation;
    if (lines == words_ && generation == said_) return;
    words_ = std::move(lines);
    said_ = generation;
    // What a card covers is not described.
    const AppState& state = app_->state();
    const bool shown = state.view.sheet == Sheet::None && !shows_opening(state);
    const std::string description = shown ? description_of(state, app_->derived()) : std::string();
    page_words(words_.c_str(), description.c_str(), std::string(language_id(state.view.language)).c_str());
}

void Page::frame() {
    if (!app_) return;
    if (app_->take_no_memory()) notify(*app_, std::string(tr(Str::no_memory, app_->state().view.language)));
    if (const auto due = app_->due_in(); due && now() - last_frame_ >= *due) settling_ = std::max(settling_, 1);
    if (!size_.empty() && (settling_ > 0 || app_->wants_frame() || gui::input_waits())) draw();
    // The page's own typefaces have the common Chinese characters; a file beside the page has the others.
    if (!typefaces_wanted_ && app_->lacks_characters()) {
        typefaces_wanted_ = true;
        page_want_typefaces();
    }
    follow_view();
    session_.watch(app_->state(), start_.place, now());
    if (const auto error = session_.take_error())
        notify(*app_, fill_in(tr(Str::cannot_save, app_->state().view.language), {error->text()}));
    if (std::exchange(written_, false)) page_put_by();
}

void Page::follow_view() {
    if (const auto name = gui::shown_cursor(); name != cursor_) {
        cursor_ = name;
        page_cursor(cursor_.c_str());
    }
    const ViewState& view = app_->state().view;
    if (view.full_screen != full_screen_) {
        full_screen_ = view.full_screen;
        page_fill_screen(full_screen_);
    }
    if (!view.quit) return;
    // Only a page opened by a script may close itself; any other stays open, and the work is saved.
    app_->apply(ChangeView{[](ViewState& v) { v.quit = false; }});
    leave();
    page_over("");
}

void Page::set_full_screen(bool on) {
    full_screen_ = on;
    app_->apply(ChangeView{[on](ViewState& v) { v.full_screen = on; }});
    touch();
}

void Page::open_file(const std::string& path) {
    const std::array<std::string, 1> files{path};
    use_dropped(*app_, open_dropped(files));
    touch();
}

void Page::open_link(const std::string& text) {
    auto document = attn::document_from_link(text);
    if (document)
        app_->apply(becomes(std::move(*document)));
    else
        notify(*app_, document.error().text());
    touch();
}

/// "chapter/page", or "chapter" for its first page.
void Page::open_chapter(const std::string& name) {
    PagePlace place = place_of_page(app_->chapters(), name);
    if (!place.chapter) place = {app_->chapters().find(name), 0};
    if (place.chapter)
        app_->apply(CourseAction{OpenPage{place.chapter->id, place.page}});
    else
        notify(*app_, attn::Error{"there is no such page in the chapters", attn::in_quotes(name), {}, 0}.text());
    touch();
}

/// Says why the page cannot open something.
void Page::refuse(const std::string& sentence) {
    notify(*app_, sentence);
    touch();
}

void Page::leave() {
    session_.finish(app_->state(), start_.place);
    page_put_by();
}

/// The browser's name of a key that writes no character.
struct NamedKey {
    std::string_view code;
    gui::Key key;
};
using enum gui::Key;
constexpr NamedKey kNamedKeys[] = {
    {"Space", Space},           {"ArrowLeft", Left},     {"ArrowRight", Right},    {"ArrowUp", Up},           {"ArrowDown", Down},
    {"Home", Home},             {"End", End},            {"PageUp", PageUp},       {"PageDown", PageDown},    {"Escape", Escape},
    {"Enter", Enter},           {"NumpadEnter", Enter},  {"Tab", Tab},             {"Delete", Delete},        {"Backspace", Backspace},
    {"ControlLeft", Ctrl},      {"ControlRight", Ctrl},  {"ShiftLeft", Shift},     {"ShiftRight", Shift},     {"AltLeft", Alt},
    {"AltRight", Alt},          {"MetaLeft", Super},     {"MetaRight", Super},     {"NumpadAdd", Plus},       {"NumpadSubtract", Minus},
};
struct SignPlace {
    std::string_view code;
    char sign;
};
/// The US keyboard's signs at these places, which also number the places (app/ui/key_layout.h).
constexpr SignPlace kSignPlaces[] = {{"Minus", '-'},        {"Equal", '='},        {"Comma", ','}, {"Period", '.'}, {"Slash", '/'},
                                     {"BracketLeft", '['},  {"BracketRight", ']'}, {"Semicolon", ';'}, {"Quote", '\''}, {"Backquote", '`'},
                                     {"Backslash", '\\'}};

int place_of(std::string_view code) {
    if (code.starts_with("Key") && code.size() == 4) return code[3];
    if (code.starts_with("Digit") && code.size() == 6) return code[5];
    const auto* found = std::ranges::find(kSignPlaces, code, &SignPlace::code);
    return found == std::end(kSignPlaces) ? 0 : found->sign;
}

/// `code` is the key's place, `written` the character that it writes. None: no shortcut uses it.
std::optional<gui::Key> key_of(std::string_view code, std::string_view written, bool shift) {
    if (const auto* found = std::ranges::find(kNamedKeys, code, &NamedKey::code); found != std::end(kNamedKeys)) return found->key;
    if (code.size() <= 3 && code.starts_with("F")) {
        int number = 0;
        for (const char digit : code.substr(1)) number = 10 * number + (digit - '0');
        if (number >= 1 && number <= 12) return static_cast<gui::Key>(static_cast<int>(F1) + number - 1);
        return std::nullopt;
    }
    const std::u32string signs = attn::to_code_points(written);
    const char32_t sign = signs.size() == 1 ? signs.front() : 0;
    const bool letter = (sign >= U'a' && sign <= U'z') || (sign >= U'A' && sign <= U'Z');
    return gui::key_of({place_of(code), letter || !shift ? sign : 0, sign, shift, letter || sign < 0x80});
}

bool step(double, void*) {
    if (page()) page()->frame();
    return true;
}

}  // namespace

void deliver(const std::string& path) { page_download(path.c_str()); }

int run_window(const WindowOptions& options) {
    page() = std::make_unique<Page>(options);
    EM_ASM({ Module.measure(); });
    if (const auto opened = page()->open(); !opened) {
        fmt::print(stderr, "attenscope: {}\n", attn::visible_text(opened.error().text(), true));  // door
        page_over(opened.error().text().c_str());
        return emscripten_webgl_get_current_context() > 0 ? kExitFailure : kExitNoDisplay;
    }
    page()->frame();
    EM_ASM({ Module.begin(); });
    emscripten_request_animation_frame_loop([](double time, void* nothing) -> EM_BOOL { return step(time, nothing); }, nullptr);
    return 0;  // nothing is destroyed: the browser calls it
}

}  // namespace app

// The numbers match app/shell/web/page.js.
extern "C" {
using app::page;
namespace gui = app::gui;

EMSCRIPTEN_KEEPALIVE void page_resize(int width, int height, float scale) {
    if (page()) page()->resize(width, height, scale);
}
EMSCRIPTEN_KEEPALIVE void page_pointer(float x, float y) {
    gui::inject_mouse_pos({x, y});
    page()->input().x = x;
    page()->input().y = y;
    page()->touch();
}
EMSCRIPTEN_KEEPALIVE void page_button(int button, int down) {
    gui::inject_mouse_button(button, down != 0);
    ++page()->input().changes;
    page()->input().held += down ? 1 : -1;
    page()->touch();
}
EMSCRIPTEN_KEEPALIVE void page_wheel(float across, float up) {
    gui::inject_wheel(across, up);
    ++page()->input().changes;
    page()->touch();
}
/// 1: the program uses the key, so the browser should not.
EMSCRIPTEN_KEEPALIVE int page_key(const char* code, const char* written, int shift, int down) {
    const auto key = app::key_of(code, written, shift != 0);
    if (!key) return 0;
    gui::inject_key(*key, down != 0);
    ++page()->input().changes;
    page()->touch();
    return 1;
}
EMSCRIPTEN_KEEPALIVE void page_text(const char* text) {
    gui::inject_text(text);
    page()->input().typed += static_cast<long>(attn::to_code_points(text).size());
    page()->touch();
}
EMSCRIPTEN_KEEPALIVE void page_clipboard(const char* text) { page()->set_clipboard(text); }
EMSCRIPTEN_KEEPALIVE int page_typing() { return gui::typing(); }
EMSCRIPTEN_KEEPALIVE void page_open(const char* path) { page()->open_file(path); }
EMSCRIPTEN_KEEPALIVE void page_link(const char* text) { page()->open_link(text); }
EMSCRIPTEN_KEEPALIVE void page_chapter(const char* name) { page()->open_chapter(name); }
EMSCRIPTEN_KEEPALIVE void page_refuse(const char* sentence) { page()->refuse(sentence); }
EMSCRIPTEN_KEEPALIVE void page_full_screen(int on) { page()->set_full_screen(on != 0); }
EMSCRIPTEN_KEEPALIVE void page_typefaces() { page()->look_for_fonts(); }
EMSCRIPTEN_KEEPALIVE void page_frame() { page()->frame(); }
EMSCRIPTEN_KEEPALIVE void page_leave() { page()->leave(); }
EMSCRIPTEN_KEEPALIVE const char* page_report() { return page()->report().c_str(); }
}
