// The text field.

#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <string>
#include <type_traits>
#include <utility>

#include "app/ui/compat_parts.h"

namespace app::gui {
namespace {

/// The data of the library's callbacks. Texts are in the field's form (field_text.h), except for the byte count.
struct FieldData {
    std::string* shown;
    FieldText* signs;
    std::size_t bytes = 0;  // of the text, including what was accepted in this frame
    bool cut = false;
    std::string pasted = {};
};

std::size_t bytes_of(char32_t sign) {
    return sign < 0x80 || sign >= FieldText::kFirstByte ? 1 : sign < 0x800 ? 2 : sign < 0x10000 ? 3 : 4;
}

/// Accepts a typed or pasted character if there is room for the character that it means.
bool let_in(FieldData& field, ImWchar& sign) {
    const TypedSigns& typed = context_state().typed;
    const auto came = static_cast<char32_t>(sign);
    const auto shown = typed.is_ticket(came) ? field.signs->stand_in(typed.sign_of(came)) : came;
    const std::size_t bytes = shown ? bytes_of(field.signs->meant(*shown)) : 0;
    if (!shown || field.bytes + bytes > kMostFieldBytes) {
        field.cut = true;
        return false;
    }
    field.bytes += bytes;
    sign = static_cast<ImWchar>(*shown);
    return true;
}

int edit_text(ImGuiInputTextCallbackData* data) {
    auto* field = static_cast<FieldData*>(data->UserData);
    if (data->EventFlag == ImGuiInputTextFlags_CallbackResize) {
        field->shown->resize(static_cast<std::size_t>(data->BufTextLen));
        data->Buf = field->shown->data();
    } else if (data->EventFlag == ImGuiInputTextFlags_CallbackCharFilter) {
        return let_in(*field, data->EventChar) ? 0 : 1;
    }
    return 0;
}

/// The first kMostFieldBytes, cut at a whole character.
std::string beginning(const std::string& text) {
    std::size_t length = std::min(text.size(), kMostFieldBytes);
    while (length > 0 && length < text.size() && (static_cast<unsigned char>(text[length]) & 0xc0) == 0x80) --length;
    return text.substr(0, length);
}

#if IMGUI_VERSION_NUM < 19110
using ClipboardOwner = void*;
auto& clipboard_get() { return ImGui::GetIO().GetClipboardTextFn; }
auto& clipboard_set() { return ImGui::GetIO().SetClipboardTextFn; }
void*& clipboard_user() { return ImGui::GetIO().ClipboardUserData; }
#else
using ClipboardOwner = ImGuiContext*;
auto& clipboard_get() { return ImGui::GetPlatformIO().Platform_GetClipboardTextFn; }
auto& clipboard_set() { return ImGui::GetPlatformIO().Platform_SetClipboardTextFn; }
void*& clipboard_user() { return ImGui::GetPlatformIO().Platform_ClipboardUserData; }
#endif

/// While it exists, copying and pasting converts between the field's form of a text and the clipboard's.
class FieldClipboard {
public:
    explicit FieldClipboard(FieldData& field)
        : field_(field), get_(clipboard_get()), set_(clipboard_set()), user_(clipboard_user()) {
        install();
    }
    ~FieldClipboard() { uninstall(); }
    FieldClipboard(const FieldClipboard&) = delete;
    FieldClipboard& operator=(const FieldClipboard&) = delete;

private:
    void install() {
        clipboard_get() = paste;
        clipboard_set() = copy;
        clipboard_user() = this;
    }
    void uninstall() const {
        clipboard_get() = get_;
        clipboard_set() = set_;
        clipboard_user() = user_;
    }
    static const char* paste(ClipboardOwner) {
        auto* self = static_cast<FieldClipboard*>(clipboard_user());
        self->uninstall();
        FieldData& field = self->field_;
        const std::string line = on_one_line(clipboard()), begins = beginning(line);
        auto shown = field.signs->shown(begins);
        field.cut |= begins.size() < line.size() || !shown;
        field.pasted = shown ? std::move(*shown) : std::string();
        self->install();
        return field.pasted.c_str();
    }
    static void copy(ClipboardOwner, const char* text) {
        auto* self = static_cast<FieldClipboard*>(clipboard_user());
        self->uninstall();
        set_clipboard(self->field_.signs->text_of(text));
        self->install();
    }

    FieldData& field_;
    std::remove_reference_t<decltype(clipboard_get())> get_;
    std::remove_reference_t<decltype(clipboard_set())> set_;
    void* user_;
};

/// The stand-ins of a field that has the keyboard, or had it so recently that the library may still hand back its
/// contents; for any other field, fresh ones.
FieldText& signs_of(ImGuiID field, FieldText& fresh) {
    constexpr int kQuietFrames = 2;
    auto& fields = context_state().fields;
    const auto found = fields.find(field);
    if (found == fields.end()) return fresh;
    RecentField& here = found->second;
    here.quiet = ImGui::GetActiveID() == field ? 0 : here.quiet + 1;
    if (here.quiet <= kQuietFrames) return here.signs;
    // Its undo buffer holds characters whose meaning is about to change, so discard it.
    ImGuiID& last = ImGui::GetCurrentContext()->InputTextState.ID;
    if (!here.signs.plain() && last == field) last = 0;
    fields.erase(found);
    return fresh;
}

#if IMGUI_VERSION_NUM < 19200
/// These versions draw the caret in the text's colour, as the field's last line: make it invisible and draw it again. A
/// line's vertices all have the same v coordinate; a glyph's never do.
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

/// Gives the next item's field the keyboard from the next frame on.
void give_keyboard([[maybe_unused]] const char* id) {
#if IMGUI_VERSION_NUM >= 18900
    // SetKeyboardFocusHere() no longer finds an item in a window without navigation.
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
    const ImGuiID own = ImGui::GetID(id);
    FieldText fresh(IM_UNICODE_CODEPOINT_MAX);
    if (text.size() > kMostFieldBytes) {
        std::string shown = fresh.shown(beginning(text)).value_or(std::string());
        FieldData field{&shown, &fresh};
        const FieldClipboard between(field);
        ImGui::InputText(id, shown.data(), shown.size() + 1, ImGuiInputTextFlags_ReadOnly);
        result.cut = true;
        result.shown = std::move(shown);
        result.stand_ins = fresh.stand_ins();
    } else {
        constexpr ImGuiInputTextFlags kFlags =
            ImGuiInputTextFlags_CallbackResize | ImGuiInputTextFlags_CallbackCharFilter;
        FieldText& signs = signs_of(own, fresh);
        const auto shown = signs.shown(text);
        std::string edited = shown.value_or(std::string());
        FieldData field{&edited, &signs, text.size()};
        const FieldClipboard between(field);
        // Escape leaves the text as it is: what was typed has been computed already, and Ctrl+Z undoes it.
        const bool leaves = pressed(Key::Escape);
        const bool changed = ImGui::InputText(id, edited.data(), edited.capacity() + 1, kFlags, edit_text, &field);
        result.changed = changed && !leaves && shown.has_value();
        if (result.changed) text = signs.text_of(edited);
        result.cut = field.cut;
        result.shown = std::move(edited);
        result.stand_ins = signs.stand_ins();
        if (ImGui::GetActiveID() == own && &signs == &fresh) context_state().fields.insert_or_assign(own, RecentField{fresh});
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
