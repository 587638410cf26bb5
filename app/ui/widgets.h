#pragma once
// Controls in our own style. Each is a function: it draws itself at a rectangle, says whether it was used or changed,
// and keeps nothing; what must live from frame to frame is in `Focus`, which the application owns.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/draw/vocab.h"
#include "app/ui/compat.h"
#include "app/ui/paint.h"

namespace app {

using ItemId = std::uint32_t;  // 0: none

struct WidgetRect {
    std::string id;
    Rect rect;
};

/// Which control has the keyboard. Tab and Shift+Tab walk through the controls in the order they are drawn.
struct Focus {
    ItemId current = 0;
    bool visible = false;         // came by keyboard: show the ring
    bool arrived = false;         // in this frame, by Tab
    std::vector<ItemId> order;    // of the last frame
    std::vector<ItemId> drawing;  // of the frame being drawn
    float popup_scroll = 0.0f;    // of the one list that can be open
    ItemId typing = 0;            // the text field that has the caret, and what it held after the last frame
    std::string typed;
    bool edited = false;  // a field's text was changed by hand in the frame being drawn
    WidgetRect pointed;  // the topmost control under the pointer in the frame being drawn; no id: none

    /// A control is being worked by keyboard: Space, Enter and the arrows are its own.
    bool owns_keys() const { return visible && current != 0; }
};
/// Once a frame, before the first control: handles Tab, and takes the ring away on a click or Escape.
void begin_focus(Focus& focus);

/// What the controls of one frame share.
class Ui {
public:
    /// `log` may be null; else every control leaves its id and rectangle there, so that tests drive by id.
    Ui(Painter& painter, Focus& focus, std::vector<WidgetRect>* log = nullptr)
        : painter_(painter), focus_(focus), log_(log) {}

    Painter& painter() const { return painter_; }
    const Theme& theme() const { return painter_.theme(); }
    Focus& focus() const { return focus_; }
    void record(std::string_view id, Rect rect) const {
        if (log_) log_->push_back({std::string(id), rect});
    }

private:
    Painter& painter_;
    Focus& focus_;
    std::vector<WidgetRect>* log_;
};

/// How a press area is being touched; for controls that views draw themselves.
struct Touch {
    ItemId id = 0;
    bool hovered = false;
    bool held = false;
    bool clicked = false;  // pressed and released, or Enter or Space on the focused control
    bool double_clicked = false;
    bool right_clicked = false;
    bool focused = false;  // has the keyboard and shows it
};
/// `tab_stop` false: not reached by Tab (cells of a matrix, which have their own arrow keys).
Touch touch_area(Ui& ui, std::string_view id, Rect rect, bool tab_stop = true);
/// The ring around what has the keyboard.
void focus_ring(Ui& ui, Rect rect, float radius);

enum class ButtonKind : std::uint8_t { Plain, Soft, Filled };
bool button(Ui& ui, std::string_view id, Rect rect, std::string_view label, ButtonKind kind = ButtonKind::Soft,
            bool enabled = true);
/// As wide as a button with this label wants to be.
float button_width(const Ui& ui, std::string_view label);
bool icon_button(Ui& ui, std::string_view id, Rect rect, Icon icon, ButtonKind kind = ButtonKind::Plain,
                 bool enabled = true);
/// Words without a frame that can be clicked.
bool link(Ui& ui, std::string_view id, Point baseline, std::string_view label, TextStyle style, Ink ink);

/// Where the words of a `segmented` stand: each has its own width, and all an equal share of the rest. Where there is
/// not even that much room they share it in proportion to their words.
std::vector<Rect> segments(const Ui& ui, Rect rect, std::span<const std::string_view> labels);
/// The least that `segmented` looks good in: the words with some air.
float segments_width(const Ui& ui, std::span<const std::string_view> labels);
/// Plain words, a pale pill behind the chosen one.
bool segmented(Ui& ui, std::string_view id, Rect rect, std::span<const std::string_view> labels, int& chosen);

/// The value with a small ▾; its list is a floating card with a row for each option. Arrow keys change it directly.
struct SelectOption {
    std::string_view label;
    bool enabled = true;
    std::string_view note = {};  // why not, or a short explanation, shown faintly beside
};
/// `fixed`: shown instead of the chosen option, for a list that acts rather than holds a value; nothing need be chosen.
bool select(Ui& ui, std::string_view id, Rect rect, std::span<const SelectOption> options, int& chosen,
            Align align = Align::Right, std::string_view fixed = {});
bool select(Ui& ui, std::string_view id, Rect rect, std::span<const std::string_view> options, int& chosen,
            Align align = Align::Right);

/// Looks like a closed list; what is chosen from opens elsewhere. True: it was pressed.
bool select_elsewhere(Ui& ui, std::string_view id, Rect rect, std::string_view label, Align align = Align::Right);

/// Thin track, round knob. Shift moves ten times finer, arrows step, a right click or a double click resets.
struct SliderRange {
    float low = 0.0f;
    float high = 1.0f;
    float step = 0.01f;  // of an arrow key
    float reset = 0.0f;
    bool logarithmic = false;  // both ends must be above 0
};
bool slider(Ui& ui, std::string_view id, Rect rect, float& value, const SliderRange& range);
/// The wheel over `view` moves `offset` (0 … content - view.h); a thin bar shows where. Draw the content with its top
/// at view.y - offset, inside painter.clip(view).
void scroll_area(Ui& ui, std::string_view id, Rect view, float content_height, float& offset);

bool toggle(Ui& ui, std::string_view id, Rect rect, std::string_view label, bool& on);

/// A token in a rounded box; `note` is small and faint inside it (bytes, id).
struct ChipLook {
    Ink fill = Hue::AccentSoft;
    Ink ink = Hue::Ink;
    bool lit = false;
    std::string_view note = {};
};
Size chip_size(const Ui& ui, std::string_view text, std::string_view note = {});
Touch chip(Ui& ui, std::string_view id, Point top_left, std::string_view text, const ChipLook& look = {});

struct FieldLook {
    std::string_view placeholder = {};
    float right_padding = 0.0f;  // kept free for what stands inside the field's right end
    bool take_focus = false;     // in this frame
    Type type = Type::Body;
};
gui::FieldResult text_field(Ui& ui, std::string_view id, Rect rect, std::string& text, const FieldLook& look = {});

// -- things that are only looked at
/// Small, faint, upper-case (Latin letters only).
void section_label(Ui& ui, Point baseline, std::string_view text);
float key_cap(Ui& ui, Point left_middle, std::string_view key);
void progress_bar(Ui& ui, Rect rect, float share, Ink ink = Hue::Accent);
enum class BannerKind : std::uint8_t { Note, Warning, Error };
/// What a bar with this sentence takes: one line, or up to three.
float banner_height(const Ui& ui, float width, std::string_view text, BannerKind kind, bool can_be_closed = true);
/// A bar with a sentence, and a cross where it can be closed; true where that was pressed.
bool banner(Ui& ui, std::string_view id, Rect rect, std::string_view text, BannerKind kind, bool can_be_closed = true);
/// Where a card stands, of what it is about.
enum class TipSide : std::uint8_t { Below, Above, Right, Left };
/// A floating card near `anchor`, kept inside `bounds`, drawn above everything. Lines may hold rich text.
void tooltip(Ui& ui, Rect anchor, Rect bounds, std::string_view markup, TipSide side = TipSide::Below);

}  // namespace app
