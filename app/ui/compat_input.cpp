// Keys, pointer and clipboard. Up to 1.86, ImGui's keys are the platform's native numbers (GLFW's, also offscreen), and
// an ImGuiKey passed instead compiles but never fires; from 1.87 on they are ImGuiKeys, and events are queued. ImGui
// has no key for the question mark: it gets that of the slash, which none of our shortcuts uses.

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <utility>

#include "app/ui/compat_page.h"
#include "app/ui/compat_parts.h"
#include "core/text/unicode.h"

namespace app::gui {
namespace {

constexpr std::array<int, kKeyCount - static_cast<std::size_t>(Key::Space)> kCodes = {
    GLFW_KEY_SPACE,         GLFW_KEY_LEFT,         GLFW_KEY_RIGHT,      GLFW_KEY_UP,        GLFW_KEY_DOWN,
    GLFW_KEY_HOME,          GLFW_KEY_END,          GLFW_KEY_PAGE_UP,    GLFW_KEY_PAGE_DOWN, GLFW_KEY_ESCAPE,
    GLFW_KEY_ENTER,         GLFW_KEY_TAB,          GLFW_KEY_DELETE,     GLFW_KEY_BACKSPACE, GLFW_KEY_PERIOD,
    GLFW_KEY_COMMA,         GLFW_KEY_SLASH,        GLFW_KEY_MINUS,      GLFW_KEY_EQUAL,     GLFW_KEY_LEFT_BRACKET,
    GLFW_KEY_RIGHT_BRACKET, GLFW_KEY_LEFT_CONTROL, GLFW_KEY_LEFT_SHIFT, GLFW_KEY_LEFT_ALT,  GLFW_KEY_LEFT_SUPER,
};

/// A second key with the same meaning: on the keypad, or the right-hand modifier. GLFW_KEY_UNKNOWN: none.
int twin_code(Key key) {
    switch (key) {
        case Key::Enter:
            return GLFW_KEY_KP_ENTER;
        case Key::Plus:
            return GLFW_KEY_KP_ADD;
        case Key::Minus:
            return GLFW_KEY_KP_SUBTRACT;
        case Key::Ctrl:
            return GLFW_KEY_RIGHT_CONTROL;
        case Key::Shift:
            return GLFW_KEY_RIGHT_SHIFT;
        case Key::Alt:
            return GLFW_KEY_RIGHT_ALT;
        case Key::Super:
            return GLFW_KEY_RIGHT_SUPER;
        default:
            return GLFW_KEY_UNKNOWN;
    }
}

#if IMGUI_VERSION_NUM < 18700
int native_of(int code) { return code; }
#else
struct NamedKey {
    int code;
    ImGuiKey key;
};
constexpr NamedKey kNamedKeys[] = {
    {GLFW_KEY_SPACE, ImGuiKey_Space},
    {GLFW_KEY_LEFT, ImGuiKey_LeftArrow},
    {GLFW_KEY_RIGHT, ImGuiKey_RightArrow},
    {GLFW_KEY_UP, ImGuiKey_UpArrow},
    {GLFW_KEY_DOWN, ImGuiKey_DownArrow},
    {GLFW_KEY_HOME, ImGuiKey_Home},
    {GLFW_KEY_END, ImGuiKey_End},
    {GLFW_KEY_PAGE_UP, ImGuiKey_PageUp},
    {GLFW_KEY_PAGE_DOWN, ImGuiKey_PageDown},
    {GLFW_KEY_ESCAPE, ImGuiKey_Escape},
    {GLFW_KEY_ENTER, ImGuiKey_Enter},
    {GLFW_KEY_KP_ENTER, ImGuiKey_KeypadEnter},
    {GLFW_KEY_TAB, ImGuiKey_Tab},
    {GLFW_KEY_INSERT, ImGuiKey_Insert},
    {GLFW_KEY_DELETE, ImGuiKey_Delete},
    {GLFW_KEY_BACKSPACE, ImGuiKey_Backspace},
    {GLFW_KEY_PERIOD, ImGuiKey_Period},
    {GLFW_KEY_COMMA, ImGuiKey_Comma},
    {GLFW_KEY_SLASH, ImGuiKey_Slash},
    {GLFW_KEY_MINUS, ImGuiKey_Minus},
    {GLFW_KEY_KP_SUBTRACT, ImGuiKey_KeypadSubtract},
    {GLFW_KEY_EQUAL, ImGuiKey_Equal},
    {GLFW_KEY_KP_ADD, ImGuiKey_KeypadAdd},
    {GLFW_KEY_LEFT_BRACKET, ImGuiKey_LeftBracket},
    {GLFW_KEY_RIGHT_BRACKET, ImGuiKey_RightBracket},
    {GLFW_KEY_LEFT_CONTROL, ImGuiKey_LeftCtrl},
    {GLFW_KEY_RIGHT_CONTROL, ImGuiKey_RightCtrl},
    {GLFW_KEY_LEFT_SHIFT, ImGuiKey_LeftShift},
    {GLFW_KEY_RIGHT_SHIFT, ImGuiKey_RightShift},
    {GLFW_KEY_LEFT_ALT, ImGuiKey_LeftAlt},
    {GLFW_KEY_RIGHT_ALT, ImGuiKey_RightAlt},
    {GLFW_KEY_LEFT_SUPER, ImGuiKey_LeftSuper},
    {GLFW_KEY_RIGHT_SUPER, ImGuiKey_RightSuper},
};

ImGuiKey native_of(int code) {
    if (code >= GLFW_KEY_A && code <= GLFW_KEY_Z) return static_cast<ImGuiKey>(ImGuiKey_A + code - GLFW_KEY_A);
    if (code >= GLFW_KEY_0 && code <= GLFW_KEY_9) return static_cast<ImGuiKey>(ImGuiKey_0 + code - GLFW_KEY_0);
    if (code >= GLFW_KEY_F1 && code <= GLFW_KEY_F12) return static_cast<ImGuiKey>(ImGuiKey_F1 + code - GLFW_KEY_F1);
    const auto* const found = std::ranges::find(kNamedKeys, code, &NamedKey::code);
    return found == std::end(kNamedKeys) ? ImGuiKey_None : found->key;
}

/// The modifier that a left or right key belongs to.
ImGuiKey modifier_of(int code) {
    switch (code) {
        case GLFW_KEY_LEFT_CONTROL:
        case GLFW_KEY_RIGHT_CONTROL:
            return ImGuiMod_Ctrl;
        case GLFW_KEY_LEFT_SHIFT:
        case GLFW_KEY_RIGHT_SHIFT:
            return ImGuiMod_Shift;
        case GLFW_KEY_LEFT_ALT:
        case GLFW_KEY_RIGHT_ALT:
            return ImGuiMod_Alt;
        case GLFW_KEY_LEFT_SUPER:
        case GLFW_KEY_RIGHT_SUPER:
            return ImGuiMod_Super;
        default:
            return ImGuiKey_None;
    }
}
#endif

auto native(Key key) { return native_of(code_of(key)); }
auto native_twin(Key key) { return native_of(twin_code(key)); }
bool has_twin(Key key) { return twin_code(key) != GLFW_KEY_UNKNOWN; }

}  // namespace

int code_of(Key key) {
    const int index = static_cast<int>(key);
    if (key <= Key::Z) return GLFW_KEY_A + index;
    if (key <= Key::Digit9) return GLFW_KEY_0 + index - static_cast<int>(Key::Digit0);
    if (key <= Key::F12) return GLFW_KEY_F1 + index - static_cast<int>(Key::F1);
    return kCodes[static_cast<std::size_t>(key) - static_cast<std::size_t>(Key::Space)];
}

bool pressed(Key key, bool repeat) {
    return ImGui::IsKeyPressed(native(key), repeat) || (has_twin(key) && ImGui::IsKeyPressed(native_twin(key), repeat));
}

bool held(Key key) { return ImGui::IsKeyDown(native(key)) || (has_twin(key) && ImGui::IsKeyDown(native_twin(key))); }

bool mod_ctrl() { return ImGui::GetIO().KeyCtrl; }
bool mod_shift() { return ImGui::GetIO().KeyShift; }
bool mod_alt() { return ImGui::GetIO().KeyAlt; }
bool typing() { return ImGui::GetIO().WantTextInput; }

bool input_waits() {
#if IMGUI_VERSION_NUM >= 18700
    return !ImGui::GetCurrentContext()->InputEventsQueue.empty();
#else
    return false;
#endif
}

#if IMGUI_VERSION_NUM < 18700
void feed_key(int code, bool down) { ImGui::GetIO().KeysDown[code] = down; }
void inject_mouse_pos(Point position) { ImGui::GetIO().MousePos = {position.x, position.y}; }
void inject_mouse_button(int button, bool down) {
    if (button >= 0 && button < 3) ImGui::GetIO().MouseDown[button] = down;
}
void inject_wheel(float horizontal, float vertical) {
    ImGui::GetIO().MouseWheelH += horizontal;
    ImGui::GetIO().MouseWheel += vertical;
}
#else
void feed_key(int code, bool down) {
    ImGuiIO& io = ImGui::GetIO();
    if (const ImGuiKey modifier = modifier_of(code); modifier != ImGuiKey_None) io.AddKeyEvent(modifier, down);
    if (const ImGuiKey key = native_of(code); key != ImGuiKey_None) io.AddKeyEvent(key, down);
}
void inject_mouse_pos(Point position) { ImGui::GetIO().AddMousePosEvent(position.x, position.y); }
void inject_mouse_button(int button, bool down) {
    if (button >= 0 && button < 3) ImGui::GetIO().AddMouseButtonEvent(button, down);
}
void inject_wheel(float horizontal, float vertical) { ImGui::GetIO().AddMouseWheelEvent(horizontal, vertical); }
#endif

void inject_key(Key key, bool down) { feed_key(code_of(key), down); }

void inject_text(std::string_view utf8) {
    for (const char32_t sign : attn::to_code_points(utf8)) type_sign(sign);
}

void type_sign(char32_t sign) {
    constexpr char32_t kDelete = 0x7F, kFirstPrivate = 0xE000, kLastPrivate = 0xF8FF, kReturnSign = 0x21B5;
    const bool changed = sign == kDelete || sign == kReturnSign || sign > IM_UNICODE_CODEPOINT_MAX ||
                         (sign >= kFirstPrivate && sign <= kLastPrivate);
    ImGui::GetIO().AddInputCharacter(changed ? context_state().typed.ticket_of(sign) : sign);
}

Point mouse() {
    const ImVec2 at = ImGui::GetIO().MousePos;
    return {at.x, at.y};
}
bool mouse_down(int button) { return ImGui::IsMouseDown(button); }
bool mouse_clicked(int button) { return ImGui::IsMouseClicked(button); }
bool mouse_double_clicked(int button) { return ImGui::IsMouseDoubleClicked(button); }
bool mouse_released(int button) { return ImGui::IsMouseReleased(button); }
Point mouse_delta() {
    const ImVec2 moved = ImGui::GetIO().MouseDelta;
    return {moved.x, moved.y};
}
float wheel() { return ImGui::GetIO().MouseWheel; }

void set_cursor(Cursor cursor) {
    switch (cursor) {
        case Cursor::Arrow:
            return ImGui::SetMouseCursor(ImGuiMouseCursor_Arrow);
        case Cursor::Hand:
            return ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
        case Cursor::Text:
            return ImGui::SetMouseCursor(ImGuiMouseCursor_TextInput);
        case Cursor::ResizeHorizontal:
            return ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
        case Cursor::ResizeVertical:
            return ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeNS);
    }
}

std::string_view shown_cursor() {
    switch (ImGui::GetMouseCursor()) {
        case ImGuiMouseCursor_Hand:
            return "pointer";
        case ImGuiMouseCursor_TextInput:
            return "text";
        case ImGuiMouseCursor_ResizeEW:
            return "ew-resize";
        case ImGuiMouseCursor_ResizeNS:
            return "ns-resize";
        default:
            return "default";
    }
}

void use_clipboard(std::function<void(const std::string&)> copy, std::function<std::string()> paste) {
    context_state().copy = std::move(copy);
    context_state().paste = std::move(paste);
}

void set_clipboard(const std::string& text) { context_state().copy ? context_state().copy(text) : ImGui::SetClipboardText(text.c_str()); }
std::string clipboard() {
    if (context_state().paste) return context_state().paste();
    const char* text = ImGui::GetClipboardText();
    return text ? text : "";
}

}  // namespace app::gui
