// The painter's recording of what it draws, as data.

#include "app/ui/paint.h"

namespace app {

DrawnItem* Painter::note(DrawnItem::Kind kind, std::uint32_t color) {
    constexpr int kForeground = 1 << 20;
    if (!drawing_) return nullptr;
    DrawnItem& item = drawing_->items.emplace_back();
    item.kind = kind;
    item.color = item.color2 = color;
    item.clip = clip_rect();
    item.layer = list_ == base_ ? 0 : list_ == gui::foreground() ? kForeground : static_cast<int>(lists_.size());
    return &item;
}

void Painter::note_rect(DrawnItem::Kind kind, Rect rect, std::uint32_t color, float radius) {
    if (DrawnItem* item = note(kind, color)) {
        item->rect = rect;
        item->radius = radius;
    }
}

void Painter::note_points(DrawnItem::Kind kind, std::span<const Point> points, std::uint32_t color, float width) {
    if (DrawnItem* item = note(kind, color)) {
        item->points.assign(points.begin(), points.end());
        item->width = width;
    }
}

void Painter::note_ribbon(std::span<const Point> one, std::span<const Point> other, std::uint32_t first,
                          std::uint32_t last, bool down) {
    if (DrawnItem* item = note(DrawnItem::Kind::Ribbon, first)) {
        item->points.assign(one.begin(), one.end());
        item->points.insert(item->points.end(), other.begin(), other.end());
        item->color2 = last;
        item->vertical = down;
    }
}

}  // namespace app
