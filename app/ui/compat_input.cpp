// Keys, pointer and clipboard. Up to 1.86 ImGui's keys are the platform's native numbers (GLFW's, offscreen too) and
// an ImGuiKey given in their place compiles and never fires; from 1.87 on they are ImGuiKeys and events are queued.

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <imgui.h>
#include <imgui_internal.h>

#include <array>

#include "app/ui/compat.h"

namespace app::gui {
namespace {

#if IMGUI_VERSION_NUM < 18700
constexpr int index_of(Key key) { return static_cast<int>(key); }

constexpr std::array<int, kKeyCount - static_cast<std::size_t>(Key::Space)> kNative = {
    GLFW_KEY_SPACE,         GLFW_KEY_LEFT,         GLFW_KEY_RIGHT,      GLFW_KEY_UP,        GLFW_KEY_DOWN,
    GLFW_KEY_HOME,          GLFW_KEY_END,          GLFW_KEY_PAGE_UP,    GLFW_KEY_PAGE_DOWN, GLFW_KEY_ESCAPE,
    GLFW_KEY_ENTER,         GLFW_KEY_TAB,          GLFW_KEY_DELETE,     GLFW_KEY_BACKSPACE, GLFW_KEY_PERIOD,
    GLFW_KEY_COMMA,         GLFW_KEY_SLASH,        GLFW_KEY_MINUS,      GLFW_KEY_EQUAL,     GLFW_KEY_LEFT_BRACKET,
    GLFW_KEY_RIGHT_BRACKET, GLFW_KEY_LEFT_CONTROL, GLFW_KEY_LEFT_SHIFT, GLFW_KEY_LEFT_ALT,  GLFW_KEY_LEFT_SUPER,
};

int native(Key key) {
    if (key <= Key::Z) return GLFW_KEY_A + index_of(key);
    if (key <= Key::Digit9) return GLFW_KEY_0 + index_of(key) - index_of(Key::Digit0);
    if (key <= Key::F12) return GLFW_KEY_F1 + index_of(key) - index_of(Key::F1);
    return kNative[static_cast<std::size_t>(key) - static_cast<std::size_t>(Key::Space)];
}

/// The second key that says the same: keypad and right-hand modifiers. -1: none.
int native_twin(Key key) {
    switch (key) {
        case Key::Enter:
            return GLFW_KEY_KP_ENTER;
        case Key::Plus:
            return GLFW_KEY_KP_ADD;
        case Key::Minus:
            return GLFW_KEY_KP_SUBTRACT;
        case Key::Slash:
            return GLFW_KEY_KP_DIVIDE;
        case Key::Ctrl:
            return GLFW_KEY_RIGHT_CONTROL;
        case Key::Shift:
            return GLFW_KEY_RIGHT_SHIFT;
        case Key::Alt:
            return GLFW_KEY_RIGHT_ALT;
        case Key::Super:
            return GLFW_KEY_RIGHT_SUPER;
        default:
            return -1;
    }
}
#else
ImGuiKey native(Key key) {
    constexpr std::array<ImGuiKey, kKeyCount - static_cast<std::size_t>(Key::Space)> kKeys = {
        ImGuiKey_Space,        ImGuiKey_LeftArrow, ImGuiKey_RightArrow, ImGuiKey_UpArrow,   ImGuiKey_DownArrow,
        ImGuiKey_Home,         ImGuiKey_End,       ImGuiKey_PageUp,     ImGuiKey_PageDown,  ImGuiKey_Escape,
        ImGuiKey_Enter,        ImGuiKey_Tab,       ImGuiKey_Delete,     ImGuiKey_Backspace, ImGuiKey_Period,
        ImGuiKey_Comma,        ImGuiKey_Slash,     ImGuiKey_Minus,      ImGuiKey_Equal,     ImGuiKey_LeftBracket,
        ImGuiKey_RightBracket, ImGuiKey_LeftCtrl,  ImGuiKey_LeftShift,  ImGuiKey_LeftAlt,   ImGuiKey_LeftSuper,
    };
    const int index = static_cast<int>(key);
    if (key <= Key::Z) return static_cast<ImGuiKey>(ImGuiKey_A + index);
    if (key <= Key::Digit9) return static_cast<ImGuiKey>(ImGuiKey_0 + index - static_cast<int>(Key::Digit0));
    if (key <= Key::F12) return static_cast<ImGuiKey>(ImGuiKey_F1 + index - static_cast<int>(Key::F1));
    return kKeys[static_cast<std::size_t>(key) - static_cast<std::size_t>(Key::Space)];
}

ImGuiKey native_twin(Key key) {
    switch (key) {
        case Key::Enter:
            return ImGuiKey_KeypadEnter;
        case Key::Plus:
            return ImGuiKey_KeypadAdd;
        case Key::Minus:
            return ImGuiKey_KeypadSubtract;
        case Key::Slash:
            return ImGuiKey_KeypadDivide;
        case Key::Ctrl:
            return ImGuiKey_RightCtrl;
        case Key::Shift:
            return ImGuiKey_RightShift;
        case Key::Alt:
            return ImGuiKey_RightAlt;
        case Key::Super:
            return ImGuiKey_RightSuper;
        default:
            return ImGuiKey_None;
    }
}
#endif

bool has_twin(Key key) { return static_cast<int>(native_twin(key)) > 0; }

}  // namespace

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
void inject_key(Key key, bool down) { ImGui::GetIO().KeysDown[native(key)] = down; }
void inject_mouse_pos(Point position) { ImGui::GetIO().MousePos = {position.x, position.y}; }
void inject_mouse_button(int button, bool down) {
    if (button >= 0 && button < 3) ImGui::GetIO().MouseDown[button] = down;
}
void inject_wheel(float horizontal, float vertical) {
    ImGui::GetIO().MouseWheelH += horizontal;
    ImGui::GetIO().MouseWheel += vertical;
}
#else
void inject_key(Key key, bool down) {
    ImGuiIO& io = ImGui::GetIO();
    if (key == Key::Ctrl) io.AddKeyEvent(ImGuiMod_Ctrl, down);
    if (key == Key::Shift) io.AddKeyEvent(ImGuiMod_Shift, down);
    if (key == Key::Alt) io.AddKeyEvent(ImGuiMod_Alt, down);
    io.AddKeyEvent(native(key), down);
}
void inject_mouse_pos(Point position) { ImGui::GetIO().AddMousePosEvent(position.x, position.y); }
void inject_mouse_button(int button, bool down) {
    if (button >= 0 && button < 3) ImGui::GetIO().AddMouseButtonEvent(button, down);
}
void inject_wheel(float horizontal, float vertical) { ImGui::GetIO().AddMouseWheelEvent(horizontal, vertical); }
#endif

void inject_char(char32_t code_point) { ImGui::GetIO().AddInputCharacter(static_cast<unsigned>(code_point)); }
void inject_text(std::string_view utf8) { ImGui::GetIO().AddInputCharactersUTF8(std::string(utf8).c_str()); }

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

void set_clipboard(const std::string& text) { ImGui::SetClipboardText(text.c_str()); }
std::string clipboard() {
    const char* text = ImGui::GetClipboardText();
    return text ? text : "";
}

}  // namespace app::gui
