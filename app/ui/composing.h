#pragma once
// Decides which keys an input method has taken. On X, GLFW passes every key on, also those that go into a composition:
// a Backspace that removes a letter from "nih" would also delete from the text. GLFW does not say which keys these are;
// they are recognized by letters that produce no character until the composition is finished.

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

namespace app::gui {

/// For a text field; elsewhere nothing is composed. What is composed begins with Latin letters: right for pinyin; of methods
/// that compose several letters to a sign, or write one while the next begins, a key may still reach the text.
///
/// An input method answers later than the next key may come, where a frame takes long: a letter that arrives as it was typed
/// was not composed, and what was taken behind it is given back.
class Composing {
public:
    /// `Sign`: a character other than a Latin letter; it may be a dead accent.
    enum class Writes : unsigned char { Nothing, Letter, Sign };

    /// A key that went down or repeats, without Ctrl, Alt or Super: is it the input method's? `letter`: the small one on the key.
    bool takes(int place, Writes writes, char32_t letter = 0) {
        if (writes == Writes::Sign) accent_ = left() == 0;
        if (writes == Writes::Letter && !std::exchange(accent_, false)) {
            if (left() == 0) end();  // what was deleted or dropped before it is not to be mixed up with what begins
            waiting_.push_back({place, letter});
        }
        if (left() == 0 || writes != Writes::Nothing || !edits(place)) return false;
        waiting_.push_back({place, place == GLFW_KEY_SPACE ? U' ' : U'\0'});
        if (place == GLFW_KEY_BACKSPACE) gone_ += 1;
        if (place == GLFW_KEY_ESCAPE || is_enter(place)) gone_ = letters();
        return true;
    }
    /// A character has arrived: what was composed, or a key's own. The keys that were taken behind it and are the text's after all.
    std::vector<int> arrives(char32_t sign) {
        const char32_t small = sign >= U'A' && sign <= U'Z' ? sign - U'A' + U'a' : sign;
        std::vector<int> back;
        // Enter hands over the letters as they are.
        if (std::any_of(waiting_.begin(), waiting_.end(), [](const Key& key) { return is_enter(key.place); })) return end(), back;
        if (waiting_.empty() || waiting_.front().writes != small) {
            // Signs that stand between letters are not waited for.
            if (sign >= 0x80 || (small >= U'a' && small <= U'z')) end();
            return back;
        }
        auto next = waiting_.begin() + 1;
        for (; next != waiting_.end() && next->writes == 0; ++next) back.push_back(next->place);
        waiting_.erase(waiting_.begin(), next);
        gone_ = std::max(gone_ - static_cast<int>(std::count(back.begin(), back.end(), GLFW_KEY_BACKSPACE)), 0);
        return back;
    }
    /// The caret was set elsewhere, a chord was pressed, or the window has lost the keyboard: input methods then drop or hand over
    /// what they have.
    void end() { *this = {}; }

private:
    struct Key {
        int place;
        char32_t writes;  ///< if it is not composed; 0: nothing
    };
    static bool is_enter(int place) { return place == GLFW_KEY_ENTER || place == GLFW_KEY_KP_ENTER; }
    static bool edits(int place) {
        return place == GLFW_KEY_SPACE || place == GLFW_KEY_KP_ENTER || (place >= GLFW_KEY_ESCAPE && place <= GLFW_KEY_END);
    }
    int letters() const {
        return static_cast<int>(std::count_if(waiting_.begin(), waiting_.end(), [](const Key& key) { return key.writes != 0 && key.writes != U' '; }));
    }
    /// Latin letters that have written nothing and are not deleted.
    int left() const { return letters() - gone_; }

    std::vector<Key> waiting_;  ///< letters, and what was taken behind them, in their order
    int gone_ = 0;              ///< of the letters: deleted, or dropped
    bool accent_ = false;       ///< a sign has written nothing: a letter behind it that writes nothing, either, is not composed
};

}  // namespace app::gui
