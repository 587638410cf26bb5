// Above the timeline of many blocks each block without room for its name has its number.

#include <gmock/gmock.h>

#include <algorithm>

#include "tests/frames/frame_documents.h"
#include "tests/frames/frame_stage.h"

namespace frames {
namespace {

class TimelineLabels : public FrameStage {
protected:
    /// The labels above the timeline, from left to right.
    std::vector<std::string> of_blocks(int layers, app::Language language, app::Size size = {1440, 900}, std::string_view form = "encoder") {
        FrameCase frame = frame_cases().front();
        frame.language = language;
        show(frame);
        attn::Document document = causal();
        attn::choose_form(document, form);
        document.config.layers = layers;
        program().apply(app::becomes(document));
        program().finish();
        std::vector<app::LabelRect> there = labels(size);
        std::erase_if(there, [&](const app::LabelRect& label) { return label.rect.y < size.h - 60 || label.rect.x < 150 || label.rect.x > size.w - 220; });
        std::sort(there.begin(), there.end(), [](const auto& a, const auto& b) { return a.rect.x < b.rect.x; });
        std::vector<std::string> out;
        for (const app::LabelRect& label : there) out.push_back(label.text);
        return out;
    }
};

TEST_F(TimelineLabels, UseNumbersIfNamesDoNotFit) {
    EXPECT_THAT(of_blocks(4, app::Language::English), testing::ElementsAre("layer 1", "layer 2", "layer 3", "layer 4"));
    std::vector<std::string> numbers;
    for (int block = 1; block <= 24; ++block) numbers.push_back(std::to_string(block));
    numbers[0] = "layer 1";
    EXPECT_EQ(of_blocks(24, app::Language::English), numbers);
    numbers[0] = "第 1 层";
    EXPECT_EQ(of_blocks(24, app::Language::Chinese), numbers);
}

/// In the projector theme two digits are wider than a block; of twice as many blocks every second one has room.
TEST_F(TimelineLabels, UseFewerNumbersIfNotAllFit) {
    constexpr app::Size kProjector{1024, 768};
    std::vector<std::string> each = {"layer 1"}, second = {"第 1 层"};
    for (int block = 2; block <= 20; ++block) each.push_back(std::to_string(block));
    EXPECT_EQ(of_blocks(20, app::Language::English, kProjector), each);
    for (int block = 2; block <= 48; block += 2) second.push_back(std::to_string(block));
    EXPECT_EQ(of_blocks(48, app::Language::Chinese, kProjector), second);
}

/// A decoder's block is divided by its cross-attention, but has only one number.
TEST_F(TimelineLabels, CountTheBlocksOfEachStack) {
    EXPECT_THAT(of_blocks(6, app::Language::Chinese, {1280, 800}, "decoder"),
                testing::ElementsAre("编码器 · 第 1 层", "2", "3", "4", "5", "6", "解码器 · 第 1 层", "2", "3", "4", "5", "6", "解码器"));
}

class FirstStartCard : public FrameStage {};

/// At the first start with a text that has a note: the offer of a tour and the note do not overlap.
TEST_F(FirstStartCard, IsAboveTheNotes) {
    show(frame_cases().front());
    app::ViewState view = program().state().view;
    view.screen = app::Screen::Stage;
    view.offers_tour = true;
    view.notice = "Something is told.";
    view.done = "So is something else.";
    program().apply(app::becomes(view));
    program().finish();
    const auto find = [there = labels({1440, 900})](std::string_view text) {
        const auto at = std::find_if(there.begin(), there.end(), [&](const app::LabelRect& label) { return label.text == text; });
        return at == there.end() ? std::nullopt : std::optional(at->rect);
    };
    const auto card = find(app::tr(app::Str::tour_offer, view.language)), message = find(view.done);  // the upper one
    ASSERT_TRUE(card && message);
    EXPECT_LT(card->bottom() + 12, message->y);
}

}  // namespace
}  // namespace frames
