#pragma once
// What lies over the window: a card on the darkened rest. While it is there nothing below is pressed or reached by Tab.

#include "app/frame/view.h"

namespace app {

/// Open from its making to the end of its scope; everything drawn meanwhile is on the card.
class SheetScope {
public:
    /// What a press beside the card does. (Escape closes it always.)
    enum class Beside : std::uint8_t { Closes, Nothing };
    /// `card`: where it is. `hole`: what is not darkened.
    SheetScope(const Frame& frame, std::string_view id, Rect card, Rect hole = {}, Beside beside = Beside::Closes);
    ~SheetScope();
    SheetScope(const SheetScope&) = delete;
    SheetScope& operator=(const SheetScope&) = delete;

private:
    PaintScope onto_;
};

/// In the window's middle, as large as asked for where there is room.
Rect sheet_rect(const Frame& frame, float width, float height);

/// The title at the card's head, and the cross that closes the sheet. Returns the head; below it the card is free.
Rect sheet_head(const Frame& frame, std::string_view id, Rect card, Str title, Sheet sheet);
/// Design pixels between a card's edge and what stands on it.
inline constexpr float kSheetMargin = 28;

}  // namespace app
