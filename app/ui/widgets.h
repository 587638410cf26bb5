#pragma once
// Controls in our own style. Each is a function: it draws itself in a rectangle, returns whether it was used or
// changed, and stores nothing; what must live from frame to frame is in `Focus`, which the application owns.

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

/// Which control has the keyboard. Tab and Shift+Tab walk through the controls in drawing order.
struct Focus {
    ItemId current = 0;
    bool visible = false;         // reached by keyboard: show the ring
    bool arrived = false;         // in this frame, by Tab
    std::vector<ItemId> order;    // of the last frame
    std::vector<ItemId> drawing;  // of the frame being drawn
    float popup_scroll = 0.0f;    // for the list that is open, of which there is at most one
    ItemId typing = 0;            // the text field with the caret, and its text after the last frame
    std::string typed;
    bool edited = false;  // a field's text was changed by hand in the frame being drawn
    WidgetRect pointed;  // the topmost control under the pointer in the frame being drawn; no id: none
    WidgetRect holder;   // the control that is `current`, in the frame being drawn; no id: none
    std::string holds;   // what is written in it, if it is a text field
    std::vector<Rect> controls;  // of the frame being drawn: what Tab reaches

    /// A control is being operated by keyboard: Space, Enter and the arrow keys belong to it.
    bool owns_keys() const { return visible && current != 0; }
};
/// Call once a frame, before the first control: handles Tab, and hides the ring on a click or Escape.
void begin_focus(Focus& focus);

/// What the controls of a frame share.
class Ui {
public:
    /// If `log` is not null, every control records its id and rectangle there, so that tests can drive it by id.
    Ui(Painter& painter, Focus& focus, std::vector<WidgetRect>* log = nullptr)
        : painter_(painter), focus_(focus), log_(log) {}

    Painter& painter() const { return painter_; }
    const Theme& theme() const { return painter_.theme(); }
    Focus& focus() const { return focus_; }
    /// Whether record() keeps anything, so that names of many cells need not be made otherwise.
    bool records() const { return log_ != nullptr; }
    void record(std::string_view id, Rect rect) const {
        if (log_) log_->push_back({std::string(id), rect});
    }

private:
    Painter& painter_;
    Focus& focus_;
    std::vector<WidgetRect>* log_;
};

/// The state of a press area, for controls that views draw themselves.
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
/// The ring around the focused control.
void focus_ring(Ui& ui, Rect rect, float radius);

enum class ButtonKind : std::uint8_t { Plain, Soft, Filled };
bool button(Ui& ui, std::string_view id, Rect rect, std::string_view label, ButtonKind kind = ButtonKind::Soft,
            bool enabled = true);
/// The preferred width of a button with this label.
float button_width(const Ui& ui, std::string_view label);
bool icon_button(Ui& ui, std::string_view id, Rect rect, Icon icon, ButtonKind kind = ButtonKind::Plain,
                 bool enabled = true);
/// A clickable text without a frame.
bool link(Ui& ui, std::string_view id, Point baseline, std::string_view label, TextStyle style, Ink ink);

/// The rectangles of the words of a `segmented`: each has its text width plus an equal part of the remaining space. If
/// even the text does not fit, they share the width in proportion to it.
std::vector<Rect> segments(const Ui& ui, Rect rect, std::span<const std::string_view> labels);
/// The smallest width in which `segmented` looks good: the words with some padding.
float segments_width(const Ui& ui, std::span<const std::string_view> labels);
/// Plain words, with a pale pill behind the chosen one.
bool segmented(Ui& ui, std::string_view id, Rect rect, std::span<const std::string_view> labels, int& chosen);

/// The value with a small ▾; its list is a floating card with one row per option. Arrow keys change it directly.
struct SelectOption {
    std::string_view label;
    bool enabled = true;
    std::string_view note = {};  // the reason or a short explanation, shown faintly next to the label
};
/// `fixed`: shown instead of the chosen option, for a list that acts rather than holds a value; then nothing need be
/// chosen.
bool select(Ui& ui, std::string_view id, Rect rect, std::span<const SelectOption> options, int& chosen,
            Align align = Align::Right, std::string_view fixed = {});
bool select(Ui& ui, std::string_view id, Rect rect, std::span<const std::string_view> options, int& chosen,
            Align align = Align::Right);

/// Looks like a closed list, but the choice opens elsewhere. True: it was pressed.
bool select_elsewhere(Ui& ui, std::string_view id, Rect rect, std::string_view label, Align align = Align::Right);

/// Thin track, round knob. Shift moves ten times finer, arrows step, a right click or a double click resets.
struct SliderRange {
    float low = 0.0f;
    float high = 1.0f;
    float step = 0.01f;  // per press of an arrow key
    float reset = 0.0f;
    bool logarithmic = false;  // both ends must be above 0
};
bool slider(Ui& ui, std::string_view id, Rect rect, float& value, const SliderRange& range);
/// The wheel over `view` changes `offset` (0 … content - view.h); a thin bar shows the position. Draw the content with
/// its top at view.y - offset, inside painter.clip(view).
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
    float right_padding = 0.0f;  // kept free for what is drawn inside the field's right end
    bool take_focus = false;     // in this frame
    Type type = Type::Body;
};
gui::FieldResult text_field(Ui& ui, std::string_view id, Rect rect, std::string& text, const FieldLook& look = {});

// -- passive elements
/// Small, faint, upper-case (Latin letters only).
void section_label(Ui& ui, Point baseline, std::string_view text);
float key_cap(Ui& ui, Point left_middle, std::string_view key);
void progress_bar(Ui& ui, Rect rect, float share, Ink ink = Hue::Accent);
enum class BannerKind : std::uint8_t { Note, Warning, Error };
/// The height of a bar with this sentence: one line, or up to three.
float banner_height(const Ui& ui, float width, std::string_view text, BannerKind kind, bool can_be_closed = true);
/// A bar with a sentence, and a cross if it can be closed; true if that was pressed.
bool banner(Ui& ui, std::string_view id, Rect rect, std::string_view text, BannerKind kind, bool can_be_closed = true);
/// On which side of its anchor a card is placed.
enum class TipSide : std::uint8_t { Below, Above, Right, Left };
/// A floating card near `anchor`, kept inside `bounds`, drawn above everything. Lines may hold rich text. It takes the
/// opposite side if it would otherwise cover another control of this frame, and there none. Returns where it is.
Rect tooltip(Ui& ui, Rect anchor, Rect bounds, std::string_view markup, TipSide side = TipSide::Below);

}  // namespace app
