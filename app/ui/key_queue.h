#pragma once
// A queue of key presses and releases, handed out frame by frame. A frame sees the state of the keys, not their
// changes: a press and release between two frames, and a modifier released with them, must be seen one after the other,
// however slow the frames are.

#include <deque>
#include <vector>

namespace app::gui {

struct KeyEvent {
    int key = 0;
    bool down = false;
    bool modifier = false;  ///< Ctrl, Shift, Alt, Super
    bool letter = false;    ///< writes a character, without Ctrl, Alt or Super
    int scancode = 0, mods = 0;
    char32_t plain = 0;  ///< the character of the key in the layout (key_layout.h)
    char32_t typed = 0;  ///< the character that it wrote
    bool latin = true;   ///< whether the layout is Latin
};

class KeyQueue {
public:
    void push(const KeyEvent& event) { waiting_.push_back(event); }
    bool empty() const { return waiting_.empty(); }
    /// Records the character that the last pressed key has written.
    void add_typed(char32_t sign) {
        if (!waiting_.empty() && waiting_.back().down) waiting_.back().typed = sign;
    }

    /// The events for the next frame: as many as leave every pressed key down until the frame is drawn, together with
    /// its modifiers. `typing`: into a text field, which gets its characters in another way; letters then need not be
    /// seen one by one, and what follows them need not wait.
    std::vector<KeyEvent> take_frame(bool typing = false) {
        std::vector<KeyEvent> out;
        bool pressed = false;  // a non-modifier key went down in this frame
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
