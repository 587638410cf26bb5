// Frames against their goldens. After a change that is meant to be seen, look at the pictures beside the test program
// and renew them: ATTN_RENEW_GOLDENS=1 frame_tests --gtest_filter='*Golden*'

#include "tests/frames/golden.h"

#include <algorithm>
#include <fstream>

#include "app/export/png.h"
#include "core/io/files.h"
#include "tests/frames/frame_stage.h"

namespace frames {
namespace {

namespace fs = std::filesystem;
using app::gfx::Image;

constexpr std::size_t kMostBytes = 12u << 20;  // of all goldens together
constexpr float kLargestArea = 900 * 600;      // pixels of one

void write_png(const fs::path& path, const Image& image) {
    const auto png = app::encode_png(image);
    ASSERT_TRUE(png) << png.error().text();
    fs::create_directories(path.parent_path());
    const auto written = attn::atomic_write(path, {reinterpret_cast<const char*>(png->data()), png->size()});
    ASSERT_TRUE(written) << written.error().text();
}

Image read_png(const fs::path& path) {
    const auto bytes = attn::read_file(path, kMostBytes);
    if (!bytes) return {};
    auto png = app::decode_png({reinterpret_cast<const std::uint8_t*>(bytes->data()), bytes->size()});
    return png ? std::move(png->image) : Image{};
}

class GoldenTest : public FrameStage, public ::testing::WithParamInterface<FrameCase> {
protected:
    Image picture() {
        const FrameCase& frame = GetParam();
        show(frame);
        const app::Rect part = kept_rect(frame);
        return cropped(render(frame.size), static_cast<int>(part.x), static_cast<int>(part.y), static_cast<int>(part.w),
                       static_cast<int>(part.h));
    }
    fs::path file(std::string_view ending) const { return std::string(GetParam().name).append(ending); }

    void renew(const Image& actual) const {
        write_png(golden_folder() / file(".png"), actual);
        const auto written = attn::atomic_write(golden_folder() / "renderer.txt", renderer_now());
        ASSERT_TRUE(written) << written.error().text();
    }

    void compare(const Image& golden, const Image& actual) const {
        const bool here = renderer_of_goldens() == renderer_now();
        const Tolerance allowed = here ? kExact : kElsewhere;
        const Difference found = difference(golden, actual, allowed.channel);
        if (within(found, golden, allowed)) return;
        write_png(failure_folder() / file(".actual.png"), actual);
        write_png(failure_folder() / file(".difference.png"), found.picture);
        ADD_FAILURE() << (found.same_size ? std::to_string(found.pixels) + " pixels differ by more than " +
                                                std::to_string(allowed.channel) + ", the furthest by " +
                                                std::to_string(found.largest)
                                          : std::string("the size differs"))
                      << (here ? "" : " (made on another renderer)") << "\nsee " << failure_folder() / file(".*");
    }
};

TEST_P(GoldenTest, IsUnchanged) {
    const Image actual = picture();
    ASSERT_FALSE(actual.empty());
    if (renewing()) return renew(actual);
    const Image golden = read_png(golden_folder() / file(".png"));
    if (golden.empty()) {
        write_png(failure_folder() / file(".actual.png"), actual);
        FAIL() << "no golden for this case yet: look at " << failure_folder() / file(".actual.png")
               << " and renew with ATTN_RENEW_GOLDENS=1";
    }
    compare(golden, actual);
}

INSTANTIATE_TEST_SUITE_P(Frames, GoldenTest, ::testing::ValuesIn(frame_cases().begin(), frame_cases().end()),
                         [](const auto& row) { return std::string(row.param.name); });

TEST(Goldens, HaveACaseEachAndAreSmall) {
    std::size_t bytes = 0;
    if (!fs::exists(golden_folder())) GTEST_SKIP() << "no goldens yet";
    for (const auto& entry : fs::directory_iterator(golden_folder())) {
        bytes += entry.file_size();
        if (entry.path().filename() == "renderer.txt") continue;
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
