// All text on a frame is legible: all cases, both languages, both conventions, three themes, three sizes.

#include "tests/frames/label_stage.h"

namespace frames {
namespace {

using app::LabelRect;
using app::Language;
using app::Rect;

constexpr app::Size kLabelSizes[] = {{1280, 800}, {1920, 1080}};
constexpr app::Size kProjectorSize{1024, 768};
constexpr attn::Convention kConventions[] = {attn::Convention::Rows, attn::Convention::Columns};
constexpr std::string_view kThemes[] = {"light", "dark", "projector"};

class LabelCheck : public LabelStage {
protected:
    void check(const FrameCase& frame, app::Size size) {
        using Act = FrameCase::Act;
        // When zoomed in, a picture is cut at its edge, and during the transition two pictures overlap.
        if (frame.act == Act::Enter || frame.act == Act::Closer || is_opening()) return;
        // In space nearer numbers cover others.
        const bool before = frame.progress < 1 || frame.act == Act::Cube;
        judge(fmt::format("{}, {}, {}, {}", frame.name, convention_id(frame.convention), frame.theme, language_id(frame.language)), size,
              before);
    }

    /// The same step while presenting.
    void check_in_room(FrameCase frame) {
        if (frame.act != FrameCase::Act::Nothing || frame.step.empty() || !frame.compared.empty() || !frame.heads.empty()) return;
        program().apply(app::ChangeView{[](app::ViewState& v) {
            v.present.on = true;
            v.screen = app::Screen::Stage;
        }});
        program().finish();
        check(frame, kProjectorSize);
        program().apply(app::ChangeView{[](app::ViewState& v) { v.present.on = false; }});
    }
};

class LabelTest : public LabelCheck, public ::testing::WithParamInterface<FrameCase> {};
class FlowLabels : public LabelCheck {};

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
                if (theme == kThemes[2] && convention == attn::Convention::Rows) check_in_room(frame);
            }
    }
}

/// "w0 w79 …": words of different lengths, some of them again and again.
attn::Document of_tokens(int count) {
    attn::Document doc;
    doc.text.clear();
    for (int i = 0; i < count; ++i)
        doc.text += std::string(i % 3 == 1 ? "word" : "w") + std::to_string(i * 79 % 97) + " ";
    return doc;
}

/// A whole text in one picture, while presenting and in normal mode: folded if it is long.
TEST_F(FlowLabels, OfShortAndLongTextsAreLegible) {
    using Make = attn::Document (*)();
    constexpr Make kTexts[] = {[] { return of_tokens(5); }, [] { return of_tokens(12); }, [] { return of_tokens(64); },
                               [] { return of_tokens(300); }};
    for (const Make text : kTexts)
        for (const Language language : {Language::English, Language::Chinese})
            for (const double progress : {0.6, 1.0}) {
                const FrameCase frame{"flow_of_a_text", text,     "weights",      progress,        std::nullopt,
                                      "light",          language, kLabelSizes[0], app::Place::Flow};
                show(frame);
                if (HasFatalFailure()) return;
                for (const app::Size size : kLabelSizes) check(frame, size);
                check(frame, kProjectorSize);
                for (const LabelRect& l : labels(kProjectorSize)) EXPECT_NE(l.text, "≤ 0.0") << "the end of a legend";
            }
}

INSTANTIATE_TEST_SUITE_P(Frames, LabelTest, ::testing::ValuesIn(frame_cases().begin(), frame_cases().end()),
                         [](const auto& row) { return std::string(row.param.name); });

// Tests of the check itself.

constexpr app::Size kLabelWindow{1000, 1000};
constexpr Rect kClip{0, 0, 1000, 1000};

TEST(LabelCheck, DetectsOverlapsAndCuts) {
    const LabelRect label{"a", {10, 10, 50, 20}, kClip};
    EXPECT_TRUE(label_faults({label, {"b", {70, 10, 50, 20}, kClip}}, kLabelWindow).empty());
    EXPECT_EQ(label_faults({label, {"b", {50, 20, 50, 20}, kClip}}, kLabelWindow).size(), 1u);
    EXPECT_TRUE(label_faults({label, label}, kLabelWindow).empty());
    EXPECT_EQ(label_faults({{"a", {10, 10, 50, 20}, {0, 0, 40, 1000}}}, kLabelWindow).size(), 1u);
    EXPECT_EQ(label_faults({{"a", {970, 10, 50, 20}, {0, 0, 4000, 1000}}}, kLabelWindow).size(), 1u);
}

TEST(LabelCheck, RotatesSlantedLabels) {
    const Rect wide = kClip.inset(-4096);
    // Horizontally they would overlap; as parallel slanted labels they do not.
    EXPECT_TRUE(
        label_faults({{"a", {200, 300, 100, 14}, wide}, {"b", {230, 300, 100, 14}, wide}}, kLabelWindow).empty());
    EXPECT_EQ(label_faults({{"a", {200, 300, 100, 14}, wide}, {"b", {208, 300, 100, 14}, wide}}, kLabelWindow).size(),
              1u);
    // Rotated, this one leaves the window at the top.
    EXPECT_EQ(label_faults({{"a", {200, 30, 100, 14}, wide}}, kLabelWindow).size(), 1u);
}

}  // namespace
}  // namespace frames
