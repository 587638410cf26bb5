// Fonts, drawing calls whose arguments changed, and windows.

#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cfloat>

#include "app/ui/compat.h"

namespace app::gui {
namespace {

ImVec2 vec(Point p) { return {p.x, p.y}; }
ImVec2 low(Rect r) { return {r.x, r.y}; }
ImVec2 high(Rect r) { return {r.right(), r.bottom()}; }

ImDrawFlags flags_of(Corners corners) {
    switch (corners) {
        case Corners::All:
            return ImDrawFlags_RoundCornersAll;
        case Corners::None:
            return ImDrawFlags_RoundCornersNone;
        case Corners::Left:
            return ImDrawFlags_RoundCornersLeft;
        case Corners::Right:
            return ImDrawFlags_RoundCornersRight;
        case Corners::Top:
            return ImDrawFlags_RoundCornersTop;
        case Corners::Bottom:
            return ImDrawFlags_RoundCornersBottom;
    }
    return ImDrawFlags_RoundCornersAll;
}

#if IMGUI_VERSION_NUM < 19200
/// The scale from a font's built size to its drawn size: versions from 1.90 on build whole sizes.
float stretch(FontAt font) { return font.size / font.font->FontSize; }

const ImFontGlyph* find_glyph(FontAt font, char32_t c) {
    return c > 0xffff ? nullptr : font.font->FindGlyphNoFallback(static_cast<ImWchar>(c));
}
#else
constexpr float stretch(FontAt) { return 1; }

const ImFontGlyph* find_glyph(FontAt font, char32_t c) {
    return font.font->GetFontBaked(font.size)->FindGlyphNoFallback(static_cast<ImWchar>(c));
}
#endif

}  // namespace

// ---- fonts -----------------------------------------------------------------------------------------------------

void push_font(FontAt font) {
#if IMGUI_VERSION_NUM < 19200
    ImGui::PushFont(font.font);
    if (stretch(font) != 1) ImGui::SetWindowFontScale(stretch(font));
#else
    ImGui::PushFont(font.font, font.size);
#endif
}
void pop_font() {
#if IMGUI_VERSION_NUM < 19200
    ImGui::SetWindowFontScale(1);
#endif
    ImGui::PopFont();
}

float text_width(FontAt font, std::string_view text) {
    if (!font || text.empty()) return 0.0f;
    return font.font->CalcTextSizeA(font.size, FLT_MAX, 0.0f, text.data(), text.data() + text.size()).x;
}

float ascent(FontAt font) {
#if IMGUI_VERSION_NUM < 19200
    return static_cast<float>(static_cast<int>(font.font->Ascent + 0.5f)) * stretch(font);
#else
    return static_cast<float>(static_cast<int>(font.font->GetFontBaked(font.size)->Ascent + 0.5f));
#endif
}

GlyphBox glyph_box(FontAt font, char32_t code_point) {
    const ImFontGlyph* glyph = font ? find_glyph(font, code_point) : nullptr;
    if (!glyph) return {};
    const float base = ascent(font), k = stretch(font);
    return {glyph->AdvanceX * k, glyph->X0 * k, glyph->Y0 * k - base, glyph->X1 * k, glyph->Y1 * k - base};
}

bool has_glyph(FontAt font, char32_t code_point) { return font && find_glyph(font, code_point) != nullptr; }

// ---- drawing ---------------------------------------------------------------------------------------------------

void fill_rect(ImDrawList* list, Rect rect, std::uint32_t color, float radius, Corners corners) {
    list->AddRectFilled(low(rect), high(rect), color, radius, flags_of(corners));
}

void stroke_rect(ImDrawList* list, Rect rect, std::uint32_t color, float radius, float thickness) {
#if IMGUI_VERSION_NUM < 19280
    list->AddRect(low(rect), high(rect), color, radius, ImDrawFlags_RoundCornersAll, thickness);
#else
    list->AddRect(low(rect), high(rect), color, radius, thickness, ImDrawFlags_RoundCornersAll);
#endif
}

void polyline(ImDrawList* list, std::span<const Point> points, std::uint32_t color, bool closed, float thickness) {
    if (points.size() < 2) return;
    list->PathClear();
    for (const Point& point : points) list->PathLineTo(vec(point));
    const ImDrawFlags flags = closed ? ImDrawFlags_Closed : ImDrawFlags_None;
#if IMGUI_VERSION_NUM < 19280
    list->PathStroke(color, flags, thickness);
#else
    list->PathStroke(color, thickness, flags);
#endif
}

void image(ImDrawList* list, unsigned texture, Rect rect, Rect uv, std::uint32_t tint) {
    list->AddImage((ImTextureID)(std::intptr_t)texture, low(rect), high(rect), low(uv), high(uv), tint);
}

void image_turned(ImDrawList* list, unsigned texture, Rect rect, Rect uv, std::uint32_t tint) {
    const ImVec2 a = low(rect), c = high(rect), from = low(uv), to = high(uv);
    list->AddImageQuad((ImTextureID)(std::intptr_t)texture, a, ImVec2(c.x, a.y), c, ImVec2(a.x, c.y), from,
                       ImVec2(from.x, to.y), to, ImVec2(to.x, from.y), tint);
}

// ---- windows ---------------------------------------------------------------------------------------------------

namespace {
constexpr ImGuiWindowFlags kBareWindow = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                         ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoSavedSettings |
                                         ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoScrollWithMouse;

void place_next_window(Rect area) {
    ImGui::SetNextWindowPos(low(area));
    ImGui::SetNextWindowSize({std::max(area.w, 1.0f), std::max(area.h, 1.0f)});
}
}  // namespace

ImDrawList* begin_host(const char* id, Rect area) {
    place_next_window(area);
    ImGui::Begin(id, nullptr, kBareWindow | ImGuiWindowFlags_NoBringToFrontOnFocus);
    return ImGui::GetWindowDrawList();
}
void end_host() { ImGui::End(); }
ImDrawList* begin_layer(const char* id, Rect area) {
    place_next_window(area);
    ImGui::Begin(id, nullptr, kBareWindow);  // comes to the front when it appears
    return ImGui::GetWindowDrawList();
}
void end_layer() { ImGui::End(); }
ImDrawList* foreground() { return ImGui::GetForegroundDrawList(); }
Rect screen() {
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    return {0.0f, 0.0f, size.x, size.y};
}
ImDrawList* current_list() { return ImGui::GetWindowDrawList(); }

void release_keyboard() {
    ImGui::SetWindowFocus(nullptr);
#if IMGUI_VERSION_NUM >= 18980
    // Else the field would write back its old contents when it is drawn next.
    ImGui::GetCurrentContext()->InputTextDeactivatedState.ID = 0;
#endif
}

Press press_area(std::string_view id, Rect rect) {
    Press press;
    push_id(id);
    press.id = ImGui::GetID("##");
    ImGui::SetCursorScreenPos(low(rect));
    // The library refuses a button without area.
    press.clicked = ImGui::InvisibleButton("##", {std::max(rect.w, 1.0f), std::max(rect.h, 1.0f)});
    press.hovered = ImGui::IsItemHovered();
    press.held = ImGui::IsItemActive();
    pop_id();
    return press;
}
void push_id(std::string_view id) { ImGui::PushID(id.data(), id.data() + id.size()); }
void pop_id() { ImGui::PopID(); }
std::uint32_t id_of(std::string_view id) { return ImGui::GetID(id.data(), id.data() + id.size()); }
void push_clip(Rect rect) { ImGui::PushClipRect(low(rect), high(rect), true); }
void pop_clip() { ImGui::PopClipRect(); }

void open_popup(const char* id) { ImGui::OpenPopup(id); }
bool popup_open(const char* id) { return ImGui::IsPopupOpen(id); }
bool any_popup() { return ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel); }

ImDrawList* begin_popup(const char* id, Rect area) {
    place_next_window(area);
    if (!ImGui::BeginPopup(id, kBareWindow)) return nullptr;
    ImDrawList* list = ImGui::GetWindowDrawList();
    list->PushClipRectFullScreen();  // the card's shadow extends beyond its window
    return list;
}
void close_popup() { ImGui::CloseCurrentPopup(); }
void end_popup() {
    ImGui::GetWindowDrawList()->PopClipRect();
    ImGui::EndPopup();
}

}  // namespace app::gui
