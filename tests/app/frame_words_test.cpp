// The words of a frame, which a page gives to screen readers.

#include "app/shell/frame_words.h"

#include <gmock/gmock.h>

#include <set>
#include <string>

#include "app/panels/description.h"
#include "app/state/edits.h"
#include "tests/app/app_fixture.h"

namespace app {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr Rect kWindow{0, 0, 400, 300};

LabelRect label(const char* text, float x, float y, float width, bool over = false) { return {text, {x, y, width, 10}, kWindow, over}; }

TEST(FrameWords, PartsOfALineAreJoinedAndNumbersAloneLeftOut) {
    FrameLog log;
    log.labels = {label("weights of", 0, 0, 50), label("“cat”", 53, 0, 20), label("0.73", 0, 20, 20), label("0.27", 100, 20, 20),
                  label("注意力", 0, 40, 30), label("权重", 30, 40, 20), label("sat", 0, 60, 20), label("sat", 0, 80, 20)};
    EXPECT_THAT(words_of(log).lines, ElementsAre("weights of “cat”", "注意力权重", "sat"));
}

TEST(FrameWords, ACardOverTheWindowComesFirstAndWhatIsScrolledAwayIsLeftOut) {
    FrameLog log;
    log.labels = {label("below", 0, 0, 50), label("card", 0, 20, 50, true), label("outside", 0, 400, 50)};
    EXPECT_THAT(words_of(log).lines, ElementsAre("card", "below"));
    EXPECT_THAT(words_of(log).focus, IsEmpty());
}

TEST(FrameWords, TheFocusIsSaidByTheWordsInIt) {
    FrameLog log;
    log.labels = {label("Play", 12, 12, 30)};
    log.focus = {"play", {10, 10, 60, 20}};
    EXPECT_EQ(words_of(log).focus, "Play");
    log.focus = {"icon_close", {200, 10, 20, 20}};
    EXPECT_EQ(words_of(log).focus, "icon close");
}

TEST_F(AppFrame, ItsWordsAreThoseOfTheScreen) {
    attn::Document doc;
    doc.text = "the tired cat";
    app_->apply(becomes(doc));
    app_->apply(ChangeView{[](ViewState& v) { v.screen = Screen::Stage; }});
    app_->finish();
    frame();
    gui::inject_key(gui::Key::Tab, true);
    frame();
    gui::inject_key(gui::Key::Tab, false);
    const FrameLog log = frame();
    const FrameWords words = words_of(log);
    EXPECT_NE(log.focused, 0u);
    EXPECT_THAT(words.lines, Contains(HasSubstr("tired")));
    EXPECT_THAT(description_of(app_->state(), app_->derived()), HasSubstr("tired"));
}

TEST_F(AppFrame, EveryControlThatTabReachesIsAnnounced) {
    attn::Document doc;
    doc.text = "the tired cat";
    app_->apply(becomes(doc));
    app_->apply(ChangeView{[](ViewState& v) { v.screen = Screen::Stage; }});
    app_->finish();
    frame();
    std::set<std::string> announced;
    for (int i = 0; i < 80; ++i) {
        gui::inject_key(gui::Key::Tab, true);
        frame();
        gui::inject_key(gui::Key::Tab, false);
        const FrameLog log = frame();
        EXPECT_NE(log.focused, 0u);
        EXPECT_FALSE(log.focus.id.empty()) << "after " << i;
        const std::string focus = words_of(log).focus;
        EXPECT_FALSE(focus.empty()) << log.focus.id;
        announced.insert(focus);
    }
    EXPECT_THAT(announced, Contains(HasSubstr("the tired cat")));  // the field
    EXPECT_GT(announced.size(), 10u);
}

}  // namespace
}  // namespace app
