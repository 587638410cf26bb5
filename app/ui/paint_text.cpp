// Text: placed by its baseline, aligned, shortened with an ellipsis, recorded for tests.

#include <imgui.h>

#include <algorithm>
#include <cfloat>
#include <cmath>

#include "app/ui/paint.h"
#include "core/text/unicode.h"

namespace app {
namespace {

constexpr std::size_t kMostBytes = 8000;  // per call: the library fails on more than 16 380 glyphs
constexpr std::string_view kEllipsis = "…";

/// Chinese and similar scripts need whole pixels for their strokes to be sharp.
bool is_wide(char32_t c) { return c >= 0x2e80; }

/// The length of the next piece to pass to the library: of a single script, so that it can start on a whole pixel after
/// letters of fractional width, and not too long.
std::size_t piece_length(std::string_view text) {
    std::size_t at = 0;
    bool wide = false;
    while (at < text.size() && at < kMostBytes) {
        const attn::CodePoint code = attn::decode_utf8(text, at);
        if (at > 0 && is_wide(code.value) != wide) break;
        wide = is_wide(code.value);
        at += code.length;
    }
    return at;
}

float shift_of(Align align) { return align == Align::Left ? 0.0f : align == Align::Center ? 0.5f : 1.0f; }

}  // namespace

float Painter::width(std::string_view text, Type type) const { return fonts_.width(text, type); }

float Painter::text(Point at, std::string_view text, TextStyle style, Ink ink) {
    if (text.empty() || !std::isfinite(at.x + at.y)) return 0.0f;
    fonts_.need(text, style.type);
    const gui::FontAt font = fonts_.at(style.type);
    if (!font) return 0.0f;
    const float width = gui::text_width(font, text) * style.scale;
    const float rise = gui::ascent(font) * style.scale;
    // Letters blur unless they start on whole pixels.
    Point corner{at.x - width * shift_of(style.align), at.y - rise};
    corner = {std::round(corner.x), std::round(corner.y)};
    remember(text,
             {corner.x, at.y - theme_.em(style.type) * 0.8f * style.scale, width, theme_.em(style.type) * style.scale});
    const std::uint32_t color = letters(ink);
    if ((color & IM_COL32_A_MASK) == 0) return width;
    note_text({corner.x + width * shift_of(style.align), corner.y + rise}, text, style, ink);
    float x = corner.x;
    for (std::string_view rest = text; !rest.empty();) {
        const std::string_view piece = rest.substr(0, piece_length(rest));
        const float size = font.size * style.scale;
        list_->AddText(font.font, size, {std::round(x), corner.y}, color, piece.data(), piece.data() + piece.size());
        rest.remove_prefix(piece.size());
        if (!rest.empty()) x += gui::text_width(font, piece) * style.scale;
        if (x > clip_rect().right()) break;  // the rest is invisible
    }
    return width;
}

void Painter::note_text(Point at, std::string_view text, TextStyle style, Ink ink) {
    DrawnItem* item = note(DrawnItem::Kind::Text, letters(ink));
    if (!item) return;
    const gui::FontAt font = fonts_.at(style.type);
    item->text = text;
    item->type = style.type;
    item->em = theme_.em(style.type) * style.scale;
    item->align = style.align;
    item->length = gui::text_width(font, text) * style.scale;
    item->at = {at.x - item->length * shift_of(style.align), at.y};
    float x = item->at.x;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::string_view rest = text.substr(begin), piece = rest.substr(0, piece_length(rest));
        item->pieces.push_back({begin, x, is_wide(attn::decode_utf8(piece, 0).value)});
        x = std::round(x + gui::text_width(font, piece) * style.scale);
        begin += piece.size();
    }
}

void Painter::text_slanted(Point at, std::string_view words, TextStyle style, Ink ink) {
    // Written horizontally, then rotated about its start; the list's clip rectangles cannot rotate.
    const float c = std::cos(kSlantAngle), s = std::sin(kSlantAngle);
    const int first = list_->VtxBuffer.Size;
    const ImVec2 clip_min = list_->GetClipRectMin(), clip_max = list_->GetClipRectMax();
    list_->PushClipRect({clip_min.x - 4096.0f, clip_min.y - 4096.0f}, {clip_max.x + 4096.0f, clip_max.y + 4096.0f},
                        false);
    text(at, words, {style.type, Align::Left, style.scale}, ink);
    list_->PopClipRect();
    if (drawing_ && list_->VtxBuffer.Size > first) {
        DrawnItem& item = drawing_->items.back();
        item.turned = kSlantAngle;
        item.clip = clip_rect();
    }
    for (int i = first; i < list_->VtxBuffer.Size; ++i) {
        ImVec2& v = list_->VtxBuffer[i].pos;
        const float x = v.x - at.x, y = v.y - at.y;
        v = {at.x + x * c - y * s, at.y + x * s + y * c};
    }
}

float Painter::text_in(Rect rect, std::string_view text, TextStyle style, Ink ink) {
    const Point at{rect.x + rect.w * shift_of(style.align),
                   rect.center().y + middle_to_baseline(style.type) * style.scale};
    return this->text(at, text, style, ink);
}

std::string Painter::fitted(std::string_view text, Type type, float width) const {
    text = text.substr(0, kMostBytes);  // wider than any screen; an incomplete last character is cut off below
    if (this->width(text, type) <= width) return std::string(text);
    const float room = width - this->width(kEllipsis, type);
    // Binary search over whole characters; letters and their combining marks stay together.
    const std::vector<std::string_view> signs = attn::graphemes(text);
    const auto bytes = [&](std::size_t count) {
        return count == 0 ? 0
                          : static_cast<std::size_t>(signs[count - 1].data() + signs[count - 1].size() - text.data());
    };
    std::size_t fits = 0, tried = signs.size();
    while (fits < tried) {
        const std::size_t middle = (fits + tried + 1) / 2;
        if (this->width(text.substr(0, bytes(middle)), type) <= room) {
            fits = middle;
        } else {
            tried = middle - 1;
        }
    }
    return std::string(text.substr(0, bytes(fits))).append(kEllipsis);
}

float Painter::text_fit(Rect rect, std::string_view text, TextStyle style, Ink ink) {
    if (width(text, style.type) * style.scale <= rect.w) return text_in(rect, text, style, ink);
    const std::size_t before = labels_ ? labels_->size() : 0;
    const float width = text_in(rect, fitted(text, style.type, rect.w / std::max(style.scale, 0.01f)), style, ink);
    if (labels_ && labels_->size() > before) labels_->back().shortened = true;
    return width;
}

void Painter::remember(std::string_view text, Rect rect) {
    if (labels_) labels_->push_back({std::string(text), rect, clip_rect(), list_ != base_});
}

}  // namespace app
