// Frames against their goldens. After a change that is meant to be seen, look at the pictures beside the test program
// and renew them: ATTN_RENEW_GOLDENS=1 frame_tests --gtest_filter='*Golden*'

#include "tests/frames/golden.h"

#include <algorithm>

#include "tests/frames/frame_stage.h"

namespace frames {
namespace {

namespace fs = std::filesystem;
using app::gfx::Image;

constexpr std::size_t kMostBytes = 22u << 20;  // of all goldens together
constexpr float kLargestArea = 900 * 600;      // pixels of one

class GoldenTest : public FrameStage, public ::testing::WithParamInterface<FrameCase> {
protected:
    Image picture() {
        const FrameCase& frame = GetParam();
        show(frame);
        const app::Rect part = kept_rect(frame);
        return cropped(render(frame.size), static_cast<int>(part.x), static_cast<int>(part.y), static_cast<int>(part.w),
                       static_cast<int>(part.h));
    }
};

TEST_P(GoldenTest, IsUnchanged) {
    const Image actual = picture();
    ASSERT_FALSE(actual.empty());
    expect_golden(GetParam().name, actual, kExact, kElsewhere);
}

INSTANTIATE_TEST_SUITE_P(Frames, GoldenTest, ::testing::ValuesIn(frame_cases().begin(), frame_cases().end()),
                         [](const auto& row) { return std::string(row.param.name); });

TEST(Goldens, HaveACaseEachAndAreSmall) {
    std::size_t bytes = 0;
    if (!fs::exists(golden_folder())) GTEST_SKIP() << "no goldens yet";
    for (const auto& entry : fs::recursive_directory_iterator(golden_folder()))
        if (!entry.is_directory()) bytes += entry.file_size();
    for (const auto& entry : fs::directory_iterator(golden_folder())) {
        // Pages of chapters have a folder and a test of their own.
        if (entry.path().filename() == "renderer.txt" || entry.path().filename() == "lessons") continue;
        const std::string name = entry.path().stem().string();
        const auto cases = frame_cases();
        EXPECT_TRUE(entry.path().extension() == ".png" &&
                    std::any_of(cases.begin(), cases.end(), [&](const FrameCase& c) { return c.name == name; }))
            << entry.path() << " belongs to no case";
    }
    EXPECT_LT(bytes, kMostBytes);
    for (const FrameCase& frame : frame_cases()) {
        const app::Rect part = kept_rect(frame);
        EXPECT_LE(part.w * part.h, kLargestArea) << frame.name;
    }
}

TEST(Difference, CountsWhatIsBeyondTheChannel) {
    Image golden = app::gfx::make_image(10, 10), actual = golden;
    actual.at(3, 4)[1] = 5;
    actual.at(7, 7)[0] = 200;
    EXPECT_EQ(difference(golden, golden, 0).pixels, 0u);
    EXPECT_EQ(difference(golden, actual, 0).pixels, 2u);
    EXPECT_EQ(difference(golden, actual, 5).pixels, 1u);
    EXPECT_EQ(difference(golden, actual, 5).largest, 200);
    EXPECT_FALSE(within(difference(golden, actual, 0), golden, kExact));
    EXPECT_TRUE(within(difference(golden, actual, kElsewhere.channel), golden, kElsewhere));  // 1 of 100
    EXPECT_FALSE(difference(golden, app::gfx::make_image(10, 9), 0).same_size);
}

TEST(Difference, AnAreaIsNotAnEdge) {
    const Image golden = app::gfx::make_image(200, 200);
    Image edge = golden, area = golden;
    for (int i = 0; i < 100; ++i) edge.at(i, 50)[0] = area.at(64 + i % 10, 64 + i / 10)[0] = 90;
    EXPECT_TRUE(within(difference(golden, edge, kElsewhere.channel), golden, kElsewhere));
    EXPECT_FALSE(within(difference(golden, area, kElsewhere.channel), golden, kElsewhere));
}

}  // namespace
}  // namespace frames
