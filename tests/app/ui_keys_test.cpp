// Keys between frames: however slow frames are, a chord is a chord, and every tap is seen.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>

#include "app/ui/composing.h"
#include "app/ui/key_queue.h"

namespace app::gui {
namespace {

constexpr int kTestCtrl = 1, kTestShift = 2;

/// A key that is pressed or released at a moment, in milliseconds.
struct KeyMove {
    int at;
    int key;
    bool down;
};

/// What a program that looks only at the beginning of each frame sees: "^k" is a key that has just been pressed with Ctrl.
std::string seen_keys(const std::vector<KeyMove>& moves, int frame_ms) {
    KeyQueue queue;
    std::map<int, bool> held, before;
    std::string out;
    std::size_t next = 0;
    for (int now = frame_ms; next < moves.size() || !queue.empty(); now += frame_ms) {
        for (; next < moves.size() && moves[next].at <= now; ++next)
            queue.push({moves[next].key, moves[next].down, moves[next].key == kTestCtrl || moves[next].key == kTestShift});
        before = held;
        for (const KeyEvent& event : queue.take_frame()) held[event.key] = event.down;
        for (const auto& [key, down] : held)
            if (down && !before[key] && key >= 'a')
                out += std::string(held[kTestCtrl] ? "^" : "") + (held[kTestShift] ? "+" : "") + static_cast<char>(key);
    }
    return out;
}

std::vector<KeyMove> chord(int start, int gap, int modifier, int key) {
    return {{start, modifier, true}, {start + gap, key, true}, {start + 2 * gap, key, false}, {start + 3 * gap, modifier, false}};
}

TEST(Keys, AChordIsAChordHoweverFast) {
    for (const int frame : {1, 16, 100})
        for (const int gap : {0, 1, 5, 17, 40, 120})
            for (int start = 0; start < frame; start += std::max(1, frame / 7)) {
                EXPECT_EQ(seen_keys(chord(start, gap, kTestCtrl, 'k'), frame), "^k") << frame << " " << gap << " " << start;
                EXPECT_EQ(seen_keys(chord(start, gap, kTestShift, 'k'), frame), "+k");
            }
}

/// The modifier was held for long, and is released with the key: this once made Ctrl+K act as K.
TEST(Keys, AModifierReleasedFirstStillCounts) {
    for (const int frame : {1, 100}) {
        EXPECT_EQ(seen_keys({{0, kTestCtrl, true}, {300, 'a', true}, {301, kTestCtrl, false}, {302, 'a', false}}, frame), "^a");
        EXPECT_EQ(seen_keys({{0, kTestCtrl, true}, {300, 'a', true}, {301, 'a', false}, {301, kTestCtrl, false}, {302, 'b', true}, {303, 'b', false}},
                       frame),
                  "^ab");
    }
}

TEST(Keys, EveryTapIsSeenInItsOrder) {
    for (const int frame : {1, 100}) {
        std::vector<KeyMove> moves;
        std::string expected;
        for (int i = 0; i < 20; ++i) {
            const int key = 'a' + i % 3;
            moves.push_back({i, key, true});
            moves.push_back({i, key, false});
            expected += static_cast<char>(key);
        }
        EXPECT_EQ(seen_keys(moves, frame), expected);
    }
}

/// A sentence that is typed into a field does not delay Enter, or a click after it.
TEST(Keys, LettersOfAFieldAreNotSeenOneByOne) {
    KeyQueue queue;
    for (int i = 0; i < 50; ++i)
        for (const bool down : {true, false}) queue.push({'a' + i % 5, down, false, true});
    queue.push({kTestCtrl, true, true});
    queue.push({'k', true});
    queue.push({'k', false});
    EXPECT_EQ(queue.take_frame(true).size(), 102u);
    EXPECT_EQ(queue.take_frame(true).size(), 1u);
    EXPECT_TRUE(queue.empty());
}

/// A key that is held is down in every frame, and no event is left over.
TEST(Keys, HeldKeysStayDown) {
    KeyQueue queue;
    queue.push({'a', true});
    EXPECT_EQ(queue.take_frame().size(), 1u);
    EXPECT_TRUE(queue.empty());
    EXPECT_TRUE(queue.take_frame().empty());
    queue.push({'a', false});
    EXPECT_FALSE(queue.take_frame().front().down);
}

/// Which of a row of keys reach the text: letters are typed as they are, "<" is Backspace, "!" Enter, "~" Escape, "," an
/// arrow, "F" a function key, "^" a dead accent, "|" a chord; "." is a character that arrives, and so is a capital, as the
/// letter itself.
std::string left_to_the_field(std::string_view keys) {
    Composing composing;
    std::string out;
    for (const char key : keys) {
        const std::map<char, int> places = {{'<', GLFW_KEY_BACKSPACE}, {'!', GLFW_KEY_ENTER}, {'~', GLFW_KEY_ESCAPE}, {',', GLFW_KEY_LEFT}, {' ', GLFW_KEY_SPACE}, {'F', GLFW_KEY_F5}};
        const std::vector<int> back = key == '.' ? composing.arrives(U'你') : key >= 'A' && key <= 'Z' && key != 'F' ? composing.arrives(static_cast<char32_t>(key)) : std::vector<int>();
        for (const int one : back)
            for (const auto& [sign, place] : places)
                if (place == one) out += sign;
        if (key == '.' || (key >= 'A' && key <= 'Z' && key != 'F')) continue;
        if (key == '|')
            composing.end();
        else if (key == '^')
            composing.takes(GLFW_KEY_EQUAL, Composing::Writes::Sign);
        else if (const auto place = places.find(key); place == places.end())
            composing.takes(GLFW_KEY_A, Composing::Writes::Letter, static_cast<char32_t>(key));
        else if (!composing.takes(place->second, Composing::Writes::Nothing))
            out += key;
    }
    return out;
}

TEST(Keys, KeysOfAnInputMethodDoNotReachTheText) {
    EXPECT_EQ(left_to_the_field("aAbB<,!~"), "<,!~") << "no input method: every letter has written";
    EXPECT_EQ(left_to_the_field("nih<<ao ."), "") << "taken off what is composed, and made a character by Space";
    EXPECT_EQ(left_to_the_field("ni ..<"), "<") << "the character is in the text, and can be deleted";
    EXPECT_EQ(left_to_the_field("ni<<<"), "<") << "nothing is composed any more";
    EXPECT_EQ(left_to_the_field("ni~~"), "~") << "the first Escape drops what is composed";
    EXPECT_EQ(left_to_the_field("ni,,!!"), "!") << "arrows choose, Enter takes the letters as they are";
    EXPECT_EQ(left_to_the_field("niF|<"), "F<") << "a function key is the program's, and a chord ends it";
    EXPECT_EQ(left_to_the_field("^q<,^,"), "<,,") << "a dead accent, with a letter that it does not go with or alone";
    EXPECT_EQ(left_to_the_field("ni^<<<"), "<") << "a sign chooses among what is composed, and is not of it";
}

/// In a slow frame keys arrive before the input method has answered; letters that arrive as they were typed were not consumed
/// by it.
TEST(Keys, EarlyKeysAreReturned) {
    EXPECT_EQ(left_to_the_field("a<A<"), "<<") << "deleted before it was there";
    EXPECT_EQ(left_to_the_field("ab<,A"), "") << "nothing between them";
    EXPECT_EQ(left_to_the_field("ab<,AB"), "<,");
    EXPECT_EQ(left_to_the_field("a<b,AB!"), "!") << "what begins anew forgets what was deleted";
    EXPECT_EQ(left_to_the_field("a b<A"), "");
    EXPECT_EQ(left_to_the_field("ni<."), "") << "a character was made of them";
    EXPECT_EQ(left_to_the_field("ni!NI<"), "<") << "Enter took the letters as they are, and so it was the input method's";
    EXPECT_EQ(left_to_the_field("ab<|AB"), "") << "a chord forgets";
}

}  // namespace
}  // namespace app::gui
