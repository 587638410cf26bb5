#pragma once
// The only place that depends on the version of Dear ImGui, from 1.86 (Debian 12) to 1.92 and later. Everything whose
// name, arguments or meaning changed in between goes through `gui::`.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <map>
#include <string>
#include <string_view>

#include "app/draw/vocab.h"
#include "core/base/result.h"

struct GLFWwindow;
struct ImDrawList;
struct ImFont;
struct ImFontAtlas;

namespace app::gui {

// ---- keyboard --------------------------------------------------------------------------------------------------

/// Keys by their label: a letter, a digit or a sign of the layout in use (key_layout.h), wherever the key is. Letters
/// and digits are contiguous.
enum class Key : std::uint8_t {
    A,
    B,
    C,
    D,
    E,
    F,
    G,
    H,
    I,
    J,
    K,
    L,
    M,
    N,
    O,
    P,
    Q,
    R,
    S,
    T,
    U,
    V,
    W,
    X,
    Y,
    Z,  // clang-format off
    Digit0, Digit1, Digit2, Digit3, Digit4, Digit5, Digit6, Digit7, Digit8, Digit9,
    F1, F2, F3, F4, F5, F6, F7, F8, F9, F10, F11, F12,
    Space, Left, Right, Up, Down, Home, End, PageUp, PageDown, Escape, Enter, Tab, Delete, Backspace,
    Period, Comma, Question, Minus, Plus, LeftBracket, RightBracket, Ctrl, Shift, Alt, Super,  // clang-format on
};
inline constexpr std::size_t kKeyCount = static_cast<std::size_t>(Key::Super) + 1;

/// Went down in this frame; with `repeat`, also when the keyboard repeats it.
bool pressed(Key key, bool repeat = false);
bool held(Key key);
bool mod_ctrl();
bool mod_shift();
bool mod_alt();
/// A text field has the keyboard: single-key shortcuts must be ignored.
bool typing();
/// Some input has not reached a frame yet: from 1.87 on, a frame takes one change per key.
bool input_waits();

// ---- input from a script or a test (offscreen) -----------------------------------------------------------------
// Call between frames; the next frame sees the injected input. Newer versions let only one change per frame through, so
// run two frames after each step.

void inject_key(Key key, bool down);
void inject_text(std::string_view utf8);
void inject_mouse_pos(Point position);
void inject_mouse_button(int button, bool down);  // 0 left, 1 right, 2 middle
void inject_wheel(float horizontal, float vertical);

// ---- pointer, clipboard ----------------------------------------------------------------------------------------

Point mouse();
bool mouse_down(int button = 0);
bool mouse_clicked(int button = 0);
bool mouse_double_clicked(int button = 0);
bool mouse_released(int button = 0);
Point mouse_delta();
float wheel();
enum class Cursor : std::uint8_t { Arrow, Hand, Text, ResizeHorizontal, ResizeVertical };
void set_cursor(Cursor cursor);
void set_clipboard(const std::string& text);
std::string clipboard();

// ---- fonts -----------------------------------------------------------------------------------------------------

/// A font at a size. Before 1.92 the size is that of the atlas.
struct FontAt {
    ImFont* font = nullptr;
    float size = 0.0f;
    explicit operator bool() const { return font != nullptr; }
};

/// One file at one size, to be added to the atlas. The data must outlive the atlas and must have passed `check_font`,
/// because the library aborts on a font that it cannot read.
struct FontSource {
    std::span<const std::byte> data;
    int face = 0;                           // which font of a collection (.ttc)
    float height = 16.0f;                   // ascent - descent, in pixels
    const std::uint16_t* ranges = nullptr;  // pairs of first, last; ends with 0; must stay in memory
    bool merge = false;                     // add to the previous font
    bool snap = false;                      // whole-pixel advances
    int oversample = 1;                     // horizontally
    Point offset{};
};
/// The glyphs of several fonts, rasterised together. From 1.92 on the library has a single atlas that grows by itself;
/// then all objects share it.
class Atlas {
public:
    Atlas();
    /// Another atlas must be shown before the next frame.
    ~Atlas();
    Atlas(const Atlas&) = delete;
    Atlas& operator=(const Atlas&) = delete;

    /// Whether an atlas can be kept while another is shown.
    static bool several();
    void clear();
    FontAt add(const FontSource& source);
    /// The library's own 13-px ASCII font.
    FontAt add_builtin(float height);
    /// Draws the character as a frame around `number` in hexadecimal digits, or as an empty frame if that is 0. For
    /// characters that no typeface draws, or to replace one that is drawn. Versions from 1.92 on rasterise glyphs when
    /// they are drawn; they have no such frames and show their sign for a missing glyph.
    void add_boxed(FontAt font, char32_t code, char32_t number);
    /// Rasterises and uploads; a context must be current. Never during a frame. Returns the size of the texture.
    Size upload();
    /// The next frame draws from this one. Never during a frame.
    void show();
    ImFontAtlas* fonts();

private:
    struct Glyphs;
    std::unique_ptr<Glyphs> glyphs_;
};

void push_font(FontAt font);
void pop_font();
float text_width(FontAt font, std::string_view text);
/// From the top of a line of text to its baseline, in whole pixels.
float ascent(FontAt font);

/// Ink of one glyph relative to the pen and the baseline, y downwards.
struct GlyphBox {
    float advance = 0.0f;
    float left = 0.0f;
    float top = 0.0f;
    float right = 0.0f;
    float bottom = 0.0f;
};
GlyphBox glyph_box(FontAt font, char32_t code_point);
bool has_glyph(FontAt font, char32_t code_point);

// ---- drawing: the calls whose arguments changed ----------------------------------------------------------------

enum class Corners : std::uint8_t { All, None, Left, Right, Top, Bottom };
void fill_rect(ImDrawList* list, Rect rect, std::uint32_t color, float radius, Corners corners = Corners::All);
void stroke_rect(ImDrawList* list, Rect rect, std::uint32_t color, float radius, float thickness);
void polyline(ImDrawList* list, std::span<const Point> points, std::uint32_t color, bool closed, float thickness);
void image(ImDrawList* list, unsigned texture, Rect rect, Rect uv, std::uint32_t tint);
/// The same part of the texture, transposed: its rows become columns from left to right.
void image_turned(ImDrawList* list, unsigned texture, Rect rect, Rect uv, std::uint32_t tint);

// ---- windows ---------------------------------------------------------------------------------------------------

/// The one window that contains everything: it covers `area` and has no decoration, no background and no keyboard
/// navigation of ImGui's. Returns the list to draw on. Always followed by end_host().
ImDrawList* begin_host(const char* id, Rect area);
void end_host();
/// A window over everything but popups; nothing below it can be pressed. Between begin_host() and end_host(); always
/// followed by end_layer().
ImDrawList* begin_layer(const char* id, Rect area);
void end_layer();
ImDrawList* foreground();
/// The whole drawing area.
Rect screen();
ImDrawList* current_list();

/// An area that can be pressed, at `rect`; the id is relative to those pushed by push_id.
struct Press {
    std::uint32_t id = 0;
    bool hovered = false;
    bool held = false;
    bool clicked = false;
};
Press press_area(std::string_view id, Rect rect);
void push_id(std::string_view id);
void pop_id();
std::uint32_t id_of(std::string_view id);
/// Clips drawing and pressing in the current window.
void push_clip(Rect rect);
void pop_clip();

/// Takes the keyboard away from the text field that has it.
void release_keyboard();
/// A popup that closes by itself on a click elsewhere or on Escape. Draw and end it only if a list was returned.
void open_popup(const char* id);
bool popup_open(const char* id);
bool any_popup();
ImDrawList* begin_popup(const char* id, Rect area);
void close_popup();
void end_popup();

/// A single-line field at `area`, drawn without a frame. `text` is changed in place; if it is longer than
/// kMostFieldBytes, its beginning is shown and cannot be edited. Colours are packed as the library wants them.
struct FieldResult {
    bool changed = false;
    bool entered = false;  // Enter was pressed
    bool active = false;   // has the keyboard
    bool cut = false;      // more was typed or pasted than kMostFieldBytes
    std::string shown{};   // the text as the field holds it: on one line, with stand-ins
    std::map<char32_t, char32_t> stand_ins{};  // its private-use characters: the one shown, and the one meant
};
inline constexpr std::size_t kMostFieldBytes = 12000;  // the library fails on a line of more than 16 380 glyphs
FieldResult input_text(const char* id, Rect area, std::string& text, FontAt font, std::uint32_t ink,
                       std::uint32_t caret, std::uint32_t selection, bool take_focus);

// ---- the backend -----------------------------------------------------------------------------------------------

/// Owns the ImGui context and its OpenGL 3 renderer, with or without a GLFW window. The GL context must be current when
/// this is opened, used and destroyed. One at a time. The window's own callbacks must be set before `open`.
class Backend {
public:
    /// `window` null: offscreen.
    static attn::Result<std::unique_ptr<Backend>> open(GLFWwindow* window);
    ~Backend();
    Backend(const Backend&) = delete;
    Backend& operator=(const Backend&) = delete;

    /// `size`: the drawing area in pixels (offscreen only; a window knows its own). `dt` in seconds, clamped.
    void begin_frame(Size size, double dt);
    /// Draws into the bound framebuffer. Draws nothing if the area is empty or `draw` is false; then the frame ends
    /// with its draw lists, to measure our own part of it.
    void end_frame(bool draw = true);
    /// Some keys wait for the next frame.
    bool has_input() const;
    bool offscreen() const { return window_ == nullptr; }
    /// "1.86".
    static std::string_view version();

private:
    struct Taps;
    explicit Backend(GLFWwindow* window);
    GLFWwindow* window_ = nullptr;
    std::unique_ptr<Taps> taps_;
    std::unique_ptr<Atlas> plain_;  // exists while no other atlas is shown
    bool renderer_ = false;
    bool platform_ = false;
};

}  // namespace app::gui
