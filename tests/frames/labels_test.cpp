// Everything written on a frame can be read: all cases, both languages, both conventions, three themes, three sizes.

#include <fmt/format.h>

#include "tests/frames/frame_stage.h"
#include "tests/frames/label_check.h"

namespace frames {
namespace {

using app::LabelRect;
using app::Language;
using app::Rect;

constexpr app::Size kLabelSizes[] = {{1280, 800}, {1920, 1080}};
constexpr app::Size kProjectorSize{1024, 768};
constexpr attn::Convention kConventions[] = {attn::Convention::Rows, attn::Convention::Columns};
constexpr std::string_view kThemes[] = {"light", "dark", "projector"};

/// Faults that are told of one frame; more say nothing new.
constexpr std::size_t kToldLabels = 8;

class LabelTest : public FrameStage, public ::testing::WithParamInterface<FrameCase> {
protected:
    void check(const FrameCase& frame, app::Size size) {
        using Act = FrameCase::Act;
        // From closer a picture is cut at its edge, and on the way in two pictures lie on each other.
        if (frame.act == Act::Enter || frame.act == Act::Closer) return;
        // In space nearer numbers stand before others.
        const bool before = frame.progress < 1 || frame.act == Act::Cube;
        const auto faults = label_faults(labels(size), size, {.numbers_move = before});
        if (faults.empty()) return;
        std::string told;
        for (std::size_t i = 0; i < std::min(faults.size(), kToldLabels); ++i) told += "\n  " + faults[i].text();
        if (faults.size() > kToldLabels) told += fmt::format("\n  and {} more", faults.size() - kToldLabels);
        ADD_FAILURE() << fmt::format("{}, {}, {}, {}, {:.0f}x{:.0f}:", frame.name, convention_id(frame.convention),
                                     frame.theme, language_id(frame.language), size.w, size.h)
                      << told;
    }
};

TEST_P(LabelTest, NoneOverlapsAndNoneIsCut) {
    for (const attn::Convention convention : kConventions) {
        if (GetParam().convention == attn::Convention::Columns && convention == attn::Convention::Rows) continue;
        for (const std::string_view theme : kThemes)
            for (const Language language : {Language::English, Language::Chinese}) {
                FrameCase frame = GetParam();
                frame.convention = convention;
                frame.theme = theme;
                frame.language = language;
                show(frame);
                if (HasFatalFailure()) return;
                for (const app::Size size : kLabelSizes) check(frame, size);
                if (theme == kThemes[2]) check(frame, kProjectorSize);
            }
    }
}

INSTANTIATE_TEST_SUITE_P(Frames, LabelTest, ::testing::ValuesIn(frame_cases().begin(), frame_cases().end()),
                         [](const auto& row) { return std::string(row.param.name); });

// The check itself.

constexpr app::Size kLabelWindow{1000, 1000};
constexpr Rect kClip{0, 0, 1000, 1000};

TEST(LabelCheck, SeesOverlapsAndCuts) {
    const LabelRect label{"a", {10, 10, 50, 20}, kClip};
    EXPECT_TRUE(label_faults({label, {"b", {70, 10, 50, 20}, kClip}}, kLabelWindow).empty());
    EXPECT_EQ(label_faults({label, {"b", {50, 20, 50, 20}, kClip}}, kLabelWindow).size(), 1u);
    EXPECT_TRUE(label_faults({label, label}, kLabelWindow).empty());
    EXPECT_EQ(label_faults({{"a", {10, 10, 50, 20}, {0, 0, 40, 1000}}}, kLabelWindow).size(), 1u);
    EXPECT_EQ(label_faults({{"a", {970, 10, 50, 20}, {0, 0, 4000, 1000}}}, kLabelWindow).size(), 1u);
}

TEST(LabelCheck, TurnsSlantedLabels) {
    const Rect wide = kClip.inset(-4096);
    // Level they would lie on each other; rising side by side they do not.
    EXPECT_TRUE(label_faults({{"a", {200, 300, 100, 14}, wide}, {"b", {230, 300, 100, 14}, wide}}, kLabelWindow).empty());
    EXPECT_EQ(label_faults({{"a", {200, 300, 100, 14}, wide}, {"b", {208, 300, 100, 14}, wide}}, kLabelWindow).size(), 1u);
    // Turned, this one leaves the window at the top.
    EXPECT_EQ(label_faults({{"a", {200, 30, 100, 14}, wide}}, kLabelWindow).size(), 1u);
}

}  // namespace
}  // namespace frames
