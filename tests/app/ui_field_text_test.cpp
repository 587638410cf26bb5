// Every character, through the text field and back.
#include "tests/app/ui_stage.h"

#include <imgui.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "app/ui/field_text.h"
#include "core/document/document.h"
#include "core/document/fields.h"
#include "core/document/link.h"
#include "core/text/unicode.h"
#include "tests/support/all_signs.h"

namespace app {
namespace {

using gui::FieldText;
using gui::Key;

constexpr char32_t kLast = 0x10FFFF, kSixteenBits = 0xFFFF;

/// In the field's form: one line of characters that it can hold.
void expect_fits(std::string_view shown, char32_t highest) {
    for (const char32_t sign : attn::to_code_points(shown)) ASSERT_TRUE((sign >= 0x20 || sign == U'\t') && sign <= highest);
}

TEST(FieldTexts, EveryCodePointRoundTrips) {
    for (const char32_t highest : {kSixteenBits, kLast})
        for (const std::string& text : test_support::all_signs()) {
            FieldText signs(highest);
            const auto shown = signs.shown(text);
            ASSERT_TRUE(shown);
            expect_fits(*shown, highest);
            ASSERT_TRUE(signs.text_of(*shown) == text) << "from " << static_cast<std::uint32_t>(attn::decode_utf8(text, 0).value);
            ASSERT_EQ(attn::code_points(*shown), attn::code_points(text));
        }
}

TEST(FieldTexts, EveryByteRoundTrips) {
    std::string text;
    for (int byte = 0; byte < 256; ++byte) text += static_cast<char>(byte);
    for (const std::string& one : {text, "a\n" + text + "\xE2\x86\xB5", std::string("\0x\0", 3)}) {
        FieldText signs(kSixteenBits);
        const auto shown = signs.shown(one);
        ASSERT_TRUE(shown);
        expect_fits(*shown, kSixteenBits);
        EXPECT_EQ(signs.text_of(*shown), one);
    }
}

TEST(FieldTexts, DisplayableCharactersAreUnchanged) {
    FieldText signs(kSixteenBits);
    EXPECT_EQ(signs.shown("the tired cat, 早上好 é \t�"), "the tired cat, 早上好 é \t�");
    EXPECT_TRUE(signs.plain());
    EXPECT_EQ(signs.shown("a\nb"), "a↵b");
    FieldText wide(kLast);
    EXPECT_EQ(wide.shown("👍 𠮷野家"), "👍 𠮷野家");
    FieldText own(kSixteenBits);
    EXPECT_EQ(own.shown("\uE000 \uF8FF"), "\uE000 \uF8FF");
}

TEST(FieldTexts, StandInsAreNotConfusedWithTheText) {
    FieldText signs(kSixteenBits);
    const std::string text = "👍\uF8FF\uF8FE𠮷\n↵";
    const auto shown = signs.shown(text);
    ASSERT_TRUE(shown);
    EXPECT_EQ(signs.text_of(*shown), text);
    EXPECT_NE(shown->find("\uF8FF\uF8FE"), std::string::npos) << "those of the text stand for themselves";
    EXPECT_NE(shown->find("↵"), std::string::npos);
    // A later stand-in finds its place taken.
    FieldText later(kSixteenBits);
    const auto first = later.shown("👍 a\nb");
    ASSERT_TRUE(first);
    const std::string taken = first->substr(0, 3), more = "👍 a\nb " + taken + " ↵";
    const auto again = later.shown(more);
    ASSERT_TRUE(again);
    EXPECT_EQ(later.text_of(*again), more);
    EXPECT_EQ(again->substr(0, 3), taken);
}

TEST(FieldTexts, WithoutFreeStandInsNothingChanges) {
    std::string text;
    for (char32_t sign = 0x20000; sign < 0x20000 + 7000; ++sign) text += attn::encode_utf8(sign);
    FieldText signs(kSixteenBits);
    EXPECT_FALSE(signs.shown(text));
    EXPECT_FALSE(signs.stand_in(0x30000));
    EXPECT_EQ(signs.meant(*signs.stand_in(0x20001)), 0x20001u);
}

TEST(FieldTexts, LinesBecomeOne) {
    EXPECT_EQ(gui::on_one_line("The quick\nbrown fox\tjumps\r\nover"), "The quick brown fox jumps over");
    EXPECT_EQ(gui::on_one_line("a\r\rb\n\nc"), "a  b  c");
    EXPECT_EQ(gui::on_one_line(std::string_view("a\0b\x1b[1m", 7)), "ab[1m");
    EXPECT_EQ(gui::on_one_line("早👍"), "早👍");
}

TEST(FieldTexts, EveryCodePointIsSavedAndLinked) {
    for (const std::string& text : test_support::all_signs()) {
        attn::Document document;
        document.text = text;
        const auto saved = attn::document_from_json(attn::document_to_json(document), "");
        ASSERT_TRUE(saved) << saved.error().text();
        ASSERT_TRUE(saved->text == text);
        const auto linked = attn::document_from_link(attn::document_link(document));
        ASSERT_TRUE(linked) << linked.error().text();
        ASSERT_TRUE(linked->text == text);
    }
}

class FieldStage : public UiStage {
protected:
    /// A single field; glyphs are not tested here.
    void draw_field(Ui& ui) {
        const ImDrawList* list = gui::current_list();
        const int before = list->VtxBuffer.Size;
        const gui::FieldResult result =
            gui::input_text("##text", {20, 20, 300, 36}, text_, ui.painter().fonts().at(Type::Body), 0xff000000, 0xff000000, 0xff888888, false);
        cut_ |= result.cut;
        changes_ += result.changed;
        float top = 1e9f;
        low_ = -1e9f;
        for (int i = before; i < list->VtxBuffer.Size; ++i) {
            top = std::min(top, list->VtxBuffer[i].pos.y);
            low_ = std::max(low_, list->VtxBuffer[i].pos.y);
        }
        low_ -= top;
    }
    Draw draw() {
        return [this](Ui& ui) { draw_field(ui); };
    }
    void enter() { click(Point{40, 36}, draw()); }
    void leave() { click(Point{40, 300}, draw()); }
    void run(int count = 2) { frames(count, draw()); }
    void tap(Key key) { press(key, draw()); }
    void with_ctrl(Key key) {
        gui::inject_key(Key::Ctrl, true);
        run();
        tap(key);
        gui::inject_key(Key::Ctrl, false);
        run();
    }
    void type(std::string_view words) {
        gui::inject_text(words);
        run(3);
    }

    std::string text_;
    bool cut_ = false;
    int changes_ = 0;
    float low_ = 0;  ///< pixels from the highest letter's top to the lowest one's foot
};

TEST_F(FieldStage, SpecialCharactersSurviveEditsAroundThem) {
    for (const std::string kept : {"👍 𠮷野家 good", "The cat sat\non the mat.\nIt slept.", "a\nb ↵ \uE000 \uF8FF 👍 end"}) {
        text_ = kept;
        run();
        enter();
        tap(Key::End);
        type(" x");
        EXPECT_EQ(text_, kept + " x");
        tap(Key::Home);
        type("🐱↵\uE000\x7F!");
        EXPECT_EQ(text_, "🐱↵\uE000\x7F!" + kept + " x");
        tap(Key::Backspace);
        tap(Key::Delete);
        EXPECT_EQ(text_, "🐱↵\uE000\x7F" + kept.substr(attn::decode_utf8(kept, 0).length) + " x");
        for (int i = 0; i < 12; ++i) with_ctrl(Key::Z);
        EXPECT_EQ(text_, kept) << "undone";
        leave();
        EXPECT_EQ(text_, kept);
    }
}

TEST_F(FieldStage, IsAlwaysOneLine) {
    text_ = "abg";
    run();
    const float one = low_;
    ASSERT_GT(one, 4);
    for (const char* text : {"ab\ng", "ab\r\ng\n", "\n\n\nabg"}) {
        text_ = text;
        run();
        EXPECT_LT(low_, 1.6f * one) << "outside";
        enter();
        EXPECT_LT(low_, 2.0f * one) << "with the caret";
        leave();
    }
}

TEST_F(FieldStage, UndoAfterLeavingRestoresTheSameText) {
    text_ = "a";
    run();
    enter();
    tap(Key::End);
    type("👍𠮷");
    leave();
    text_ = "𠮷𠮷b";  // another document's
    run(6);
    enter();
    tap(Key::End);
    type("c");
    for (int i = 0; i < 6; ++i) with_ctrl(Key::Z);
    EXPECT_EQ(text_, "𠮷𠮷b");
}

TEST_F(FieldStage, PastedLinesBecomeOne) {
    run();
    enter();
    gui::set_clipboard("The quick\nbrown fox\tjumps\r\nover 👍");
    with_ctrl(Key::V);
    EXPECT_EQ(text_, "The quick brown fox jumps over 👍");
    with_ctrl(Key::A);
    with_ctrl(Key::X);
    EXPECT_EQ(text_, "");
    EXPECT_EQ(gui::clipboard(), "The quick brown fox jumps over 👍");
}

TEST_F(FieldStage, ShortenedTextEndsAtACharacter) {
    run();
    enter();
    std::string many;
    for (int i = 0; i < 5000; ++i) many += "👍";
    gui::set_clipboard(many);
    with_ctrl(Key::V);
    EXPECT_TRUE(cut_);
    EXPECT_EQ(text_, many.substr(0, gui::kMostFieldBytes));
    run();
    EXPECT_EQ(text_.size(), gui::kMostFieldBytes);
}

TEST_F(FieldStage, InputBeyondTheLimitIsDroppedNotChanged) {
    run();
    enter();
    std::string many;
    for (char32_t sign = 0x20000; sign < 0x20000 + 2500; ++sign) many += attn::encode_utf8(sign);
    type(many);
    EXPECT_TRUE(text_ == many.substr(0, 4 * 2048));
    type("👍");
    EXPECT_TRUE(text_ == many.substr(0, 4 * 2048) + "👍");
}

TEST_F(FieldStage, EveryCodePointIsTypedPastedAndEditedAround) {
    run();
    const auto strike = [&](std::initializer_list<Key> keys) {
        gui::inject_key(Key::Ctrl, true);
        for (const Key key : keys)
            for (const bool down : {true, false}) {
                gui::inject_key(key, down);
                run(1);
            }
        gui::inject_key(Key::Ctrl, false);
    };
    int batch = 0;
    for (const std::string& signs : test_support::all_signs()) {
        // Stand-ins last for one visit of the field: three times as many would be too many.
        if (batch++ % 3 == 0) {
            leave();
            text_.clear();
            run(1);
            enter();
        }
        strike({Key::A});
        gui::inject_text(signs);
        run(1);
        const std::string first = "from " + std::to_string(static_cast<std::uint32_t>(attn::decode_utf8(signs, 0).value));
        ASSERT_TRUE(text_ == signs) << "typed " << first;
        gui::set_clipboard("");
        strike({Key::A, Key::X});
        ASSERT_TRUE(gui::clipboard() == signs && text_.empty()) << "cut out " << first;
        strike({Key::V});
        ASSERT_TRUE(text_ == signs) << "pasted " << first;
        gui::inject_text("!");
        run(1);
        ASSERT_TRUE(text_ == signs + "!") << "edited " << first;
    }
    EXPECT_FALSE(cut_);
}

}  // namespace
}  // namespace app
