// The text field.

#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>

#include "app/ui/compat_parts.h"

namespace app::gui {
namespace {

struct FieldData {
    std::string* text;
    std::size_t taken = 0;  // bytes let in during this frame
    bool cut = false;
};

int edit_text(ImGuiInputTextCallbackData* data) {
    auto* field = static_cast<FieldData*>(data->UserData);
    if (data->EventFlag == ImGuiInputTextFlags_CallbackResize) {
        field->text->resize(static_cast<std::size_t>(data->BufTextLen));
        data->Buf = field->text->data();
    } else if (data->EventFlag == ImGuiInputTextFlags_CallbackCharFilter) {
        const std::size_t bytes = data->EventChar < 0x80 ? 1 : data->EventChar < 0x800 ? 2 : 3;
        if (field->text->size() + field->taken + bytes > kMostFieldBytes) {
            field->cut = true;
            return 1;
        }
        field->taken += bytes;
    }
    return 0;
}

/// The first kMostFieldBytes, whole characters.
std::string beginning(const std::string& text) {
    std::size_t length = std::min(text.size(), kMostFieldBytes);
    while (length > 0 && length < text.size() && (static_cast<unsigned char>(text[length]) & 0xc0) == 0x80) --length;
    return text.substr(0, length);
}

#if IMGUI_VERSION_NUM < 19200
/// These versions draw the caret in the text's colour, as the field's last line: it is made invisible and drawn anew.
/// A line's vertices all have one v coordinate; a glyph's never have.
void repaint_caret(ImDrawList* list, int vertices_before, std::uint32_t ink, std::uint32_t caret) {
    constexpr int kLineVertices = 4;
    if (list->VtxBuffer.Size < vertices_before + kLineVertices) return;
    ImDrawVert* line = list->VtxBuffer.Data + list->VtxBuffer.Size - kLineVertices;
    Rect box{line[0].pos.x, line[0].pos.y, 0, 0};
    float right = box.x, bottom = box.y;
    for (int i = 0; i < kLineVertices; ++i) {
        if (line[i].uv.y != line[0].uv.y || (line[i].col & 0xffffff) != (ink & 0xffffff)) return;
        box = {std::min(box.x, line[i].pos.x), std::min(box.y, line[i].pos.y), 0, 0};
        right = std::max(right, line[i].pos.x);
        bottom = std::max(bottom, line[i].pos.y);
    }
    for (int i = 0; i < kLineVertices; ++i) line[i].col &= 0x00ffffff;
    const float middle = (box.x + right) / 2;
    const float half = std::max(0.75f, (bottom - box.y) / 24);
    list->AddRectFilled({middle - half, box.y}, {middle + half, bottom}, caret);
}
#endif

/// The field of the next item is active from the next frame on.
void give_keyboard([[maybe_unused]] const char* id) {
#if IMGUI_VERSION_NUM >= 18900
    // SetKeyboardFocusHere() finds no item any more in a window without navigation.
    ImGuiContext& g = *ImGui::GetCurrentContext();
    ImGui::FocusWindow(g.CurrentWindow);
    g.NavNextActivateId = ImGui::GetID(id);
    g.NavNextActivateFlags = ImGuiActivateFlags_PreferInput;
#else
    ImGui::SetKeyboardFocusHere();
#endif
}
}  // namespace

FieldResult input_text(const char* id, Rect area, std::string& text, FontAt font, std::uint32_t ink,
                       std::uint32_t caret, std::uint32_t selection, bool take_focus) {
    push_font(font);
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {0.0f, std::max(0.0f, (area.h - ImGui::GetFontSize()) / 2)});
    ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, 0.0f);
    ImGui::PushStyleColor(ImGuiCol_FrameBg, 0u);
    ImGui::PushStyleColor(ImGuiCol_Text, ink);
    ImGui::PushStyleColor(ImGuiCol_TextSelectedBg, selection);
#if IMGUI_VERSION_NUM >= 19200
    ImGui::PushStyleColor(ImGuiCol_InputTextCursor, caret);
#endif
    ImGui::SetCursorScreenPos({area.x, area.y});
    ImGui::SetNextItemWidth(std::max(area.w, 1.0f));
    if (take_focus) give_keyboard(id);
    ImDrawList* list = ImGui::GetWindowDrawList();
    [[maybe_unused]] const int vertices = list->VtxBuffer.Size;
    FieldResult result;
    FieldData field{&text};
    if (text.size() > kMostFieldBytes) {
        std::string shown = beginning(text);
        field.text = &shown;
        ImGui::InputText(id, shown.data(), shown.size() + 1, ImGuiInputTextFlags_ReadOnly);
        result.cut = true;
    } else {
        constexpr ImGuiInputTextFlags kFlags =
            ImGuiInputTextFlags_CallbackResize | ImGuiInputTextFlags_CallbackCharFilter;
        // Escape leaves the field as it is: what was typed has been computed already, and Ctrl+Z takes it back.
        const bool leaves = pressed(Key::Escape);
        const std::string typed = leaves ? text : std::string();
        result.changed = ImGui::InputText(id, text.data(), text.capacity() + 1, kFlags, edit_text, &field);
        if (leaves && result.changed) {
            text = typed;
            result.changed = false;
        }
        result.cut = field.cut;
    }
    result.active = ImGui::IsItemActive();
    result.entered = ImGui::IsItemDeactivated() && pressed(Key::Enter);
#if IMGUI_VERSION_NUM < 19200
    if (result.active) repaint_caret(list, vertices, ink, caret);
    ImGui::PopStyleColor(3);
#else
    ImGui::PopStyleColor(4);
#endif
    ImGui::PopStyleVar(2);
    pop_font();
    return result;
}

}  // namespace app::gui
