#pragma once
// Keys in the order in which they went down and up, handed out a frame at a time. A frame sees how keys stand, not how
// they moved: what goes down and up between two of them, and a modifier that is let go with it, must be seen one after
// the other, however slow the frames are.

#include <deque>
#include <vector>

namespace app::gui {

struct KeyEvent {
    int key = 0;
    bool down = false;
    bool modifier = false;  ///< Ctrl, Shift, Alt, Super
    bool letter = false;    ///< writes a sign, without Ctrl, Alt or Super
    int scancode = 0, mods = 0;
    char32_t plain = 0;  ///< what the layout has on the key (key_layout.h)
    char32_t typed = 0;  ///< what it wrote
    bool latin = true;   ///< of the layout
};

class KeyQueue {
public:
    void push(const KeyEvent& event) { waiting_.push_back(event); }
    bool empty() const { return waiting_.empty(); }
    /// What the key that went down last has written.
    void add_typed(char32_t sign) {
        if (!waiting_.empty() && waiting_.back().down) waiting_.back().typed = sign;
    }

    /// What the next frame is to see: as many events as leave every key that went down down until it is drawn, with the
    /// modifiers that it went down with. `typing`: into a text field, which gets its signs another way; then letters
    /// need not be seen one by one, and what follows them need not wait.
    std::vector<KeyEvent> take_frame(bool typing = false) {
        std::vector<KeyEvent> out;
        bool pressed = false;  // a key that is no modifier went down in this frame
        while (!waiting_.empty()) {
            const KeyEvent next = waiting_.front();
            const bool written = typing && next.letter;
            for (const KeyEvent& before : out)
                if (before.key == next.key && !written) return out;
            if (pressed && next.modifier) return out;
            pressed |= next.down && !next.modifier && !written;
            out.push_back(next);
            waiting_.pop_front();
        }
        return out;
    }

private:
    std::deque<KeyEvent> waiting_;
};

}  // namespace app::gui
