// The ImGui context and its two back ends.

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <imgui.h>
#include <imgui_impl_glfw.h>
#include <imgui_impl_opengl3.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <new>
#include <optional>
#include <utility>

#include "app/gfx/platform.h"
#include "app/ui/compat_parts.h"
#include "app/ui/composing.h"
#include "app/ui/key_layout.h"
#include "app/ui/key_queue.h"
#include "core/text/unicode.h"

namespace app::gui {
namespace {

/// Removes the stock look: windows are bare, and everything visible is drawn by the painter.
void strip_style() {
    ImGuiStyle& style = ImGui::GetStyle();
    style.WindowPadding = style.FramePadding = style.ItemSpacing = style.ItemInnerSpacing = {0.0f, 0.0f};
    style.WindowBorderSize = style.PopupBorderSize = style.FrameBorderSize = 0.0f;
    style.WindowRounding = style.PopupRounding = style.FrameRounding = 0.0f;
    style.WindowMinSize = {1.0f, 1.0f};
    style.DisplayWindowPadding = style.DisplaySafeAreaPadding = {0.0f, 0.0f};
    style.CircleTessellationMaxError = 0.1f;  // rounder than stock
    style.CurveTessellationTol = 0.5f;
}

#if IMGUI_VERSION_NUM < 18700
/// What a window's back end does in each frame, for a run without a window: the same native key numbers, and the
/// modifiers.
void map_native_keys() {
    ImGuiIO& io = ImGui::GetIO();
    const auto map = [&io](ImGuiKey key, int native) { io.KeyMap[key] = native; };
    map(ImGuiKey_Tab, GLFW_KEY_TAB);
    map(ImGuiKey_LeftArrow, GLFW_KEY_LEFT);
    map(ImGuiKey_RightArrow, GLFW_KEY_RIGHT);
    map(ImGuiKey_UpArrow, GLFW_KEY_UP);
    map(ImGuiKey_DownArrow, GLFW_KEY_DOWN);
    map(ImGuiKey_PageUp, GLFW_KEY_PAGE_UP);
    map(ImGuiKey_PageDown, GLFW_KEY_PAGE_DOWN);
    map(ImGuiKey_Home, GLFW_KEY_HOME);
    map(ImGuiKey_End, GLFW_KEY_END);
    map(ImGuiKey_Insert, GLFW_KEY_INSERT);
    map(ImGuiKey_Delete, GLFW_KEY_DELETE);
    map(ImGuiKey_Backspace, GLFW_KEY_BACKSPACE);
    map(ImGuiKey_Space, GLFW_KEY_SPACE);
    map(ImGuiKey_Enter, GLFW_KEY_ENTER);
    map(ImGuiKey_Escape, GLFW_KEY_ESCAPE);
    map(ImGuiKey_KeyPadEnter, GLFW_KEY_KP_ENTER);
    map(ImGuiKey_A, GLFW_KEY_A);
    map(ImGuiKey_C, GLFW_KEY_C);
    map(ImGuiKey_V, GLFW_KEY_V);
    map(ImGuiKey_X, GLFW_KEY_X);
    map(ImGuiKey_Y, GLFW_KEY_Y);
    map(ImGuiKey_Z, GLFW_KEY_Z);
}

void read_modifiers() {
    ImGuiIO& io = ImGui::GetIO();
    io.KeyCtrl = io.KeysDown[GLFW_KEY_LEFT_CONTROL] || io.KeysDown[GLFW_KEY_RIGHT_CONTROL];
    io.KeyShift = io.KeysDown[GLFW_KEY_LEFT_SHIFT] || io.KeysDown[GLFW_KEY_RIGHT_SHIFT];
    io.KeyAlt = io.KeysDown[GLFW_KEY_LEFT_ALT] || io.KeysDown[GLFW_KEY_RIGHT_ALT];
    io.KeySuper = io.KeysDown[GLFW_KEY_LEFT_SUPER] || io.KeysDown[GLFW_KEY_RIGHT_SUPER];
}
#else
void map_native_keys() {}
void read_modifiers() {}
#endif

}  // namespace

namespace {

/// The character on a key in the current layout; 0: none.
char32_t sign_on(int place, int scancode) {
    const char* const name = glfwGetKeyName(place, scancode);
    return name && *name ? attn::decode_utf8(name, 0).value : 0;
}

bool is_latin(char32_t sign) { return sign >= U'a' && sign <= U'z'; }

bool has_latin_letters() {
    for (int place = GLFW_KEY_A; place <= GLFW_KEY_Z; ++place)
        if (is_latin(sign_on(place, 0))) return true;
    return false;
}

}  // namespace

/// Keys of the window, held back until the frame that is to see them (key_queue.h). 1.86 reads the state of keys only
/// at the beginning of a frame, and later versions that of modifiers at its end. ImGui's own key callback is not used:
/// it identifies a key by its place on a US keyboard or, in later versions, knows fewer signs than our shortcuts use.
struct Backend::Taps : ContextState {
    GLFWwindow* window = nullptr;
    KeyQueue queue;
    Composing composing;
    GLFWkeyfun before = nullptr;  ///< the window's own callbacks
    GLFWcharfun before_text = nullptr;
    std::map<int, int> held;      ///< by place: what went down, which is what comes up, whatever the layout is then
    int went_down = 0;            ///< the key that moved last, if down
    bool fresh = false;           ///< a key went down, and what it writes comes next

    static bool is_letter(int key, int mods) {
        return key >= GLFW_KEY_SPACE && key < GLFW_KEY_ESCAPE &&
               (mods & (GLFW_MOD_CONTROL | GLFW_MOD_ALT | GLFW_MOD_SUPER)) == 0;
    }
    static bool is_shift(int key) { return key == GLFW_KEY_LEFT_SHIFT || key == GLFW_KEY_RIGHT_SHIFT; }
    static bool is_modifier(int key) { return key >= GLFW_KEY_LEFT_SHIFT && key <= GLFW_KEY_RIGHT_SUPER; }

    static Taps& here() { return static_cast<Taps&>(context_state()); }

    /// Takes over the window's callbacks before ImGui installs its own: those for keys and text are handled here alone.
    void take(GLFWwindow* of) {
        window = of;
        before = glfwSetKeyCallback(window, nullptr);
        before_text = glfwSetCharCallback(window, nullptr);
    }
    void follow() const {
        glfwSetKeyCallback(window, on_key);
        glfwSetCharModsCallback(window, on_typed);
        glfwSetCharCallback(window, on_text);
    }
    void leave() const {
        glfwSetKeyCallback(window, before);
        glfwSetCharModsCallback(window, nullptr);
        glfwSetCharCallback(window, before_text);
    }

    static void on_key(GLFWwindow*, int place, int scancode, int action, int mods) {
        Taps& taps = here();
        // Shift by itself, or Caps Lock: input methods hand over the letters as they are.
        const int last = std::exchange(taps.went_down, action == GLFW_RELEASE ? 0 : place);
        if (place == GLFW_KEY_CAPS_LOCK || (action == GLFW_RELEASE && is_shift(place) && last == place)) taps.composing.end();
        if (action != GLFW_RELEASE && taps.is_composed(place, scancode, mods)) return taps.tell_window(place, scancode, action, mods);
        taps.fresh = action == GLFW_PRESS;
        if (action == GLFW_REPEAT || place < 0 || place > GLFW_KEY_LAST) return taps.tell_window(place, scancode, action, mods);
        KeyEvent event{place, action == GLFW_PRESS, is_modifier(place), is_letter(place, mods), scancode, mods};
        if (event.down && writes_signs(place)) {
            event.plain = sign_on(place, scancode);
            event.latin = is_latin(event.plain) || has_latin_letters();
        }
        taps.queue.push(event);
    }

    bool is_composed(int place, int scancode, int mods) {
        if (is_modifier(place) || !ImGui::GetIO().WantTextInput) return false;
        // With AltGr a key may have no character.
        const bool chord = (mods & (GLFW_MOD_CONTROL | GLFW_MOD_ALT | GLFW_MOD_SUPER)) != 0 ||
                           glfwGetKey(window, GLFW_KEY_RIGHT_ALT) == GLFW_PRESS;
        if (chord) return composing.end(), false;
        const char32_t sign = writes_signs(place) ? sign_on(place, scancode) : 0;
        using Writes = Composing::Writes;
        return composing.takes(place, sign == 0 ? Writes::Nothing : is_latin(sign) ? Writes::Letter : Writes::Sign, sign);
    }

    /// Unlike the text callback, this is also called with Ctrl and Alt, and right after the key's callback.
    static void on_typed(GLFWwindow*, unsigned sign, int) {
        if (std::exchange(here().fresh, false)) here().queue.add_typed(static_cast<char32_t>(sign));
    }

    static void on_text(GLFWwindow* window, unsigned sign) {
        Taps& taps = here();
        if (taps.before_text) taps.before_text(window, sign);
        type_sign(static_cast<char32_t>(sign));
        for (const int place : taps.composing.arrives(static_cast<char32_t>(sign)))
            for (const bool down : {true, false}) taps.queue.push({.key = place, .down = down});
    }

    void tell_window(int place, int scancode, int action, int mods) {
        if (before) before(window, place, scancode, action, mods);
    }

    /// GLFW's number of the key that a pressed key stands for; none: no shortcut uses it.
    static std::optional<int> meaning_of(const KeyEvent& event) {
        if (!writes_signs(event.key)) return event.key;
        const auto key = key_of({event.key, event.plain, event.typed, (event.mods & GLFW_MOD_SHIFT) != 0, event.latin});
        return key ? std::optional(code_of(*key)) : std::nullopt;
    }

    void hand_on(const KeyEvent& event) {
        tell_window(event.key, event.scancode, event.down ? GLFW_PRESS : GLFW_RELEASE, event.mods);
        if (event.down) {
            const auto meaning = meaning_of(event);
            if (!meaning) return;
            held[event.key] = *meaning;
            feed_key(*meaning, true);
        } else if (const auto before_it = held.find(event.key); before_it != held.end()) {
            feed_key(before_it->second, false);
            held.erase(before_it);
        }
    }

    void begin_frame() {
        const ImGuiIO& io = ImGui::GetIO();
        if (!io.WantTextInput || ImGui::IsAnyMouseDown() || glfwGetWindowAttrib(window, GLFW_FOCUSED) == GLFW_FALSE) composing.end();
        for (const KeyEvent& event : queue.take_frame(io.WantTextInput)) hand_on(event);
        read_modifiers();
    }
};

/// ImGui does not check its allocations, so a failed one must not return null.
void* taken(std::size_t bytes, void*) {
    if (void* const memory = std::malloc(bytes)) return memory;
    throw std::bad_alloc();
}
void given_back(void* memory, void*) { std::free(memory); }

ContextState& context_state() { return *static_cast<ContextState*>(ImGui::GetIO().UserData); }

Backend::Backend(GLFWwindow* window) : window_(window), taps_(std::make_unique<Taps>()), plain_(std::make_unique<Atlas>()) {}

attn::Result<std::unique_ptr<Backend>> Backend::open(GLFWwindow* window) {
    if (ImGui::GetCurrentContext()) return attn::Error{"the user interface is open already", {}, {}, 0};
    IMGUI_CHECKVERSION();
    ImGui::SetAllocatorFunctions(taken, given_back);
    std::unique_ptr<Backend> backend(new Backend(window));
#if IMGUI_VERSION_NUM < 19200
    ImGui::CreateContext(backend->plain_->fonts());
#else
    ImGui::CreateContext();
#endif
    ImGuiIO& io = ImGui::GetIO();
    io.UserData = static_cast<ContextState*>(backend->taps_.get());
    io.IniFilename = nullptr;  // a hostile file crashes 1.86; our layout is in our own settings
    io.LogFilename = nullptr;
    io.ConfigInputTextCursorBlink = false;  // the picture must not move while nothing happens
    io.Fonts->Flags |= ImFontAtlasFlags_NoMouseCursors;
    strip_style();
    if (window) {
        backend->taps_->take(window);
        backend->platform_ = ImGui_ImplGlfw_InitForOpenGL(window, true);
        backend->taps_->follow();
    } else {
        map_native_keys();
        io.DisplaySize = {1.0f, 1.0f};
    }
    backend->renderer_ = ImGui_ImplOpenGL3_Init(gfx::shader_version());
    if (!backend->renderer_ || (window && !backend->platform_)) {
        return attn::Error{
            "OpenGL 3.3 could not be set up for drawing (is libGL installed? apt install libgl1)", {}, {}, 0};
    }
    // Now, so that the first frame does not make a second font texture in addition to ours.
    ImGui_ImplOpenGL3_CreateDeviceObjects();
    return backend;
}

Backend::~Backend() {
    plain_->show();
    if (renderer_) ImGui_ImplOpenGL3_Shutdown();
    if (platform_) {
        ImGui_ImplGlfw_Shutdown();
        taps_->leave();
    }
    ImGui::DestroyContext();
}

void Backend::begin_frame(Size size, double dt) {
    constexpr double kLeast = 1e-4, kMost = 0.25;  // a suspended or stepped clock must not make motions jump
    ImGui_ImplOpenGL3_NewFrame();
    ImGuiIO& io = ImGui::GetIO();
    if (window_) {
        taps_->begin_frame();
        ImGui_ImplGlfw_NewFrame();
        read_modifiers();
    } else {
        io.DisplaySize = {std::max(size.w, 0.0f), std::max(size.h, 0.0f)};
        read_modifiers();
    }
    io.DeltaTime = static_cast<float>(std::isfinite(dt) ? std::clamp(dt, kLeast, kMost) : kLeast);
    ImGui::NewFrame();
}

void Backend::end_frame(bool draw) {
    ImGui::Render();
    if (!input_waits()) context_state().typed.seen();
    ImDrawData* data = ImGui::GetDrawData();
    if (draw && data->DisplaySize.x > 0.0f && data->DisplaySize.y > 0.0f) ImGui_ImplOpenGL3_RenderDrawData(data);
}

bool Backend::has_input() const { return !taps_->queue.empty(); }

std::string_view Backend::version() { return IMGUI_VERSION; }

}  // namespace app::gui
