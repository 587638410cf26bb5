#pragma once
// A sheet over the window: a card on a darkened background. While it is open, nothing below it can be clicked or
// reached by Tab.

#include "app/frame/view.h"

namespace app {

/// Open during this object's lifetime; everything drawn meanwhile is on the card.
class SheetScope {
public:
    /// What a press outside the card does. (Escape always closes it.)
    enum class Beside : std::uint8_t { Closes, Nothing };
    /// `card`: its rectangle. `hole`: a part that is not darkened.
    SheetScope(const Frame& frame, std::string_view id, Rect card, Rect hole = {}, Beside beside = Beside::Closes);
    ~SheetScope();
    SheetScope(const SheetScope&) = delete;
    SheetScope& operator=(const SheetScope&) = delete;

private:
    PaintScope onto_;
};

/// In the middle of the window, of the requested size if there is room.
Rect sheet_rect(const Frame& frame, float width, float height);

/// The title at the top of the card, and a cross that closes the sheet. Returns its rectangle; the card is free below
/// it.
Rect sheet_head(const Frame& frame, std::string_view id, Rect card, Str title, Sheet sheet);
/// Design pixels between a card's edge and its content.
inline constexpr float kSheetMargin = 28;

}  // namespace app
