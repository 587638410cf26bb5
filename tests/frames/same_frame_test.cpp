// The same state gives the same picture: twice, in a new program, and however its moment was reached.

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "app/export/png.h"
#include "tests/frames/frame_stage.h"

namespace frames {
namespace {

using app::gfx::Image;

constexpr app::Size kSize{900, 600};

std::vector<std::uint8_t> png(const Image& image) {
    auto bytes = app::encode_png(image);
    EXPECT_TRUE(bytes);
    return bytes ? std::move(*bytes) : std::vector<std::uint8_t>{};
}

const FrameCase& case_named(std::string_view name) {
    for (const FrameCase& frame : frame_cases())
        if (frame.name == name) return frame;
    throw std::out_of_range(std::string(name));
}

class SameFrameTest : public FrameStage {
protected:
    void play_to(double time) {
        program().apply(app::Play{true});
        while (program().derived().time < time) {
            ASSERT_TRUE(program().state().view.playing);
            program().build_frame(kSize, std::min(1.0 / 60, std::max(time - program().derived().time, 1e-9)));
            program().finish();
        }
        program().apply(app::Play{false});
    }
    void seek(double time) { program().apply(app::Seek{time}); }
    Image picture() { return render(kSize); }
};

/// All cases, in as many tests as there are processes to share them.
constexpr std::size_t kShares = 6;
class SameFrameTwiceTest : public FrameStage, public ::testing::WithParamInterface<std::size_t> {};

TEST_P(SameFrameTwiceTest, GivesTheSamePixels) {
    const auto cases = frame_cases();
    for (std::size_t i = GetParam(); i < cases.size(); i += kShares) {
        show(cases[i]);
        const Image first = render(cases[i].size), second = render(cases[i].size);
        EXPECT_FALSE(first.empty());
        EXPECT_TRUE(first.rgba == second.rgba) << cases[i].name;
    }
}
INSTANTIATE_TEST_SUITE_P(Frames, SameFrameTwiceTest, ::testing::Range(std::size_t{0}, kShares));

TEST_F(SameFrameTest, TwiceGivesTheSameFile) {
    show(case_named("softmax_exp"));
    const Image first = picture();
    EXPECT_EQ(png(first), png(picture()));
}

/// The largest difference between two pictures in one channel of one pixel. Letters that were drawn in another order have
/// other places in the texture of letters: one that begins between two pixels is sampled with another last bit, which is
/// allowed. Any other difference would be visible.
int furthest(const Image& a, const Image& b) {
    int most = a.width == b.width && a.height == b.height ? 0 : 255;
    for (std::size_t i = 0; i < std::min(a.rgba.size(), b.rgba.size()); ++i)
        most = std::max(most, std::abs(static_cast<int>(a.rgba[i]) - static_cast<int>(b.rgba[i])));
    return most;
}

TEST_F(SameFrameTest, EarlierFramesLeaveNoTrace) {
    const FrameCase &frame = case_named("softmax_exp"), &other = case_named("tokens_64_softmax");
    show(frame);
    const Image fresh = picture();
    reopen();
    show(other);
    (void)render(other.size);
    show(frame);
    EXPECT_LE(furthest(fresh, picture()), 1);
}

TEST_F(SameFrameTest, PlayingThereEqualsSeekingThere) {
    show(case_named("mask_falling"));
    const app::Timeline timeline = program().derived().timeline;
    for (const double progress : {0.15, 0.5, 0.9}) {
        for (const std::size_t stop : {std::size_t{0}, timeline.stops.size() / 2, timeline.stops.size() - 1}) {
            seek(app::time_of(timeline, static_cast<int>(stop), progress));
            const double time = program().derived().time;
            seek(std::max(0.0, time - 0.4));
            play_to(time);
            const Image played = picture();
            seek(0);
            seek(time);
            EXPECT_EQ(png(played), png(picture())) << "stop " << stop << " at " << progress;
        }
    }
}

TEST_F(SameFrameTest, GoingBackEqualsGoingForward) {
    show(case_named("concat_meeting"));
    const double length = program().derived().timeline.length();
    constexpr int kMoments = 9;
    std::vector<Image> forwards;
    for (int i = 0; i < kMoments; ++i) {
        seek(length * i / kMoments);
        forwards.push_back(picture());
    }
    for (int i = kMoments - 1; i >= 0; --i) {
        seek(length * i / kMoments);
        EXPECT_LE(furthest(forwards[static_cast<std::size_t>(i)], picture()), 1) << "moment " << i;
    }
}

}  // namespace
}  // namespace frames
