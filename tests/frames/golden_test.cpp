// Frames against their goldens. After an intended visible change, look at the pictures beside the test program and renew the
// goldens: ATTN_RENEW_GOLDENS=1 frame_tests --gtest_filter='*Golden*'

#include "tests/frames/golden.h"

#include <algorithm>

#include "tests/frames/frame_stage.h"
#include "tests/frames/replay.h"

namespace frames {
namespace {

namespace fs = std::filesystem;
using app::gfx::Image;

constexpr std::size_t kMostBytes = 2u << 20;  // of all goldens together
constexpr float kLargestArea = 1070 * 620;      // pixels of one

class GoldenTest : public FrameStage, public ::testing::WithParamInterface<FrameCase> {
protected:
    Image part_of(const Image& whole) const {
        const app::Rect part = part_rect(GetParam());
        return cropped(whole, static_cast<int>(part.x), static_cast<int>(part.y), static_cast<int>(part.w),
                       static_cast<int>(part.h));
    }
};

TEST_P(GoldenTest, IsUnchanged) {
    const FrameCase& frame = GetParam();
    const std::string name(frame.name);
    show(frame);
    if (HasFatalFailure()) return;
    // The same frame for both, before either is compared: drawing a golden's data changes the typed text.
    const Records found{{name, record(frame.size, part_rect(frame))}};
    const Image whole = keeps_picture(frame) ? render(frame.size) : Image{};
    const auto now = [&](std::size_t) { return whole.empty() ? render(frame.size) : whole; };
    const auto of = [&](std::size_t, const Record& golden) { return replay(program(), golden, frame.size); };
    const bool changed = expect_records(name, found, {now, of});
    if (!keeps_picture(frame)) return;
    const Image actual = part_of(whole);
    ASSERT_FALSE(actual.empty());
    expect_picture(name, actual, changed);
}

INSTANTIATE_TEST_SUITE_P(Frames, GoldenTest, ::testing::ValuesIn(golden_cases().begin(), golden_cases().end()),
                         [](const auto& row) { return std::string(row.param.name); });

TEST(Goldens, EachHaveACaseAndAreSmall) {
    std::size_t bytes = 0;
    ASSERT_TRUE(fs::exists(golden_folder()));
    for (const auto& entry : fs::recursive_directory_iterator(golden_folder()))
        if (!entry.is_directory()) bytes += entry.file_size();
    for (const auto& entry : fs::directory_iterator(golden_folder())) {
        if (entry.path().filename() == "typefaces") continue;
        const std::string name = entry.path().stem().string();
        const bool picture = entry.path().extension() == ".png";
        const auto cases = golden_cases();
        EXPECT_TRUE(std::any_of(cases.begin(), cases.end(),
                                [&](const FrameCase& c) { return c.name == name && (!picture || keeps_picture(c)); }))
            << entry.path() << " belongs to no case";
    }
    EXPECT_LT(bytes, kMostBytes);
    for (const FrameCase& frame : golden_cases())
        for (const char* ending : {".txt", ".png"})
            if (ending == std::string_view(".txt") || keeps_picture(frame)) {
                EXPECT_TRUE(fs::exists(golden_folder() / (std::string(frame.name) + ending))) << frame.name;
            }
    for (const FrameCase& frame : golden_cases()) {
        const app::Rect part = part_rect(frame);
        EXPECT_LE(part.w * part.h, kLargestArea) << frame.name;
    }
}

constexpr Tolerance kExactly{};

TEST(Difference, CountsPixelsBeyondTheTolerance) {
    Image golden = app::gfx::make_image(10, 10), actual = golden;
    actual.at(3, 4)[1] = 5;
    actual.at(7, 7)[0] = 200;
    EXPECT_EQ(difference(golden, golden, 0).pixels, 0u);
    EXPECT_EQ(difference(golden, actual, 0).pixels, 2u);
    EXPECT_EQ(difference(golden, actual, 5).pixels, 1u);
    EXPECT_EQ(difference(golden, actual, 5).largest, 200);
    EXPECT_FALSE(within(difference(golden, actual, 0), golden, kExactly));
    EXPECT_TRUE(within(difference(golden, actual, kPixels.channel), golden, kPixels));  // 1 of 100
    EXPECT_FALSE(difference(golden, app::gfx::make_image(10, 9), 0).same_size);
}

TEST(Difference, AnAreaIsNotAnEdge) {
    const Image golden = app::gfx::make_image(200, 200);
    Image edge = golden, area = golden;
    for (int i = 0; i < 100; ++i) edge.at(i, 50)[0] = area.at(64 + i % 10, 64 + i / 10)[0] = 90;
    EXPECT_TRUE(within(difference(golden, edge, kPixels.channel), golden, kPixels));
    EXPECT_FALSE(within(difference(golden, area, kPixels.channel), golden, kPixels));
}

}  // namespace
}  // namespace frames
