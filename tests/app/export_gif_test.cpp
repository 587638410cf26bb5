#include "app/export/gif.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <optional>

#include "app/export/gif_palette.h"
#include "tests/app/gif_reader.h"

namespace {

using app::gfx::Image;
using app::gfx::make_image;

Image flat(int width, int height, std::uint32_t color) {
    Image image = make_image(width, height);
    for (std::size_t i = 0; i < image.rgba.size(); i += 4) {
        image.rgba[i] = static_cast<std::uint8_t>(color >> 16);
        image.rgba[i + 1] = static_cast<std::uint8_t>((color >> 8) & 255);
        image.rgba[i + 2] = static_cast<std::uint8_t>(color & 255);
        image.rgba[i + 3] = 255;
    }
    return image;
}

void fill(Image& image, int x0, int y0, int w, int h, std::uint32_t color) {
    const Image one = flat(1, 1, color);
    for (int y = y0; y < y0 + h; ++y)
        for (int x = x0; x < x0 + w; ++x) std::copy_n(one.rgba.begin(), 4, image.at(x, y));
}

/// Flat interface colours beside a gradient with far more than 256 colours.
Image busy(int width, int height, int shift) {
    Image image = flat(width, height, 0xF6F7FA);
    for (int y = 0; y < height / 2; ++y)
        for (int x = 0; x < width; ++x) {
            image.at(x, y)[0] = static_cast<std::uint8_t>((x * 255 / width + shift) & 255);
            image.at(x, y)[1] = static_cast<std::uint8_t>(y * 255 / height);
            image.at(x, y)[2] = static_cast<std::uint8_t>(200 - y * 100 / height);
        }
    fill(image, 4, height * 3 / 4, width / 8, height / 8, 0x6D4AE0);
    fill(image, 4 + width / 4, height * 3 / 4, width / 8, height / 8, 0x3B82F6);
    return image;
}

std::vector<std::uint8_t> gif_of(const std::vector<Image>& frames, int delay = 10) {
    auto writer = app::make_gif_writer({.width = frames[0].width, .height = frames[0].height});
    EXPECT_TRUE(writer);
    for (const Image& frame : frames) EXPECT_TRUE(writer->add_colors(frame));
    for (const Image& frame : frames) EXPECT_TRUE(writer->add_frame(frame, delay));
    auto bytes = writer->finish();
    EXPECT_TRUE(bytes) << bytes.error().message;
    return *bytes;
}

TEST(Gif, FramesComeBackExactly) {
    std::vector<Image> frames;
    for (int i = 0; i < 5; ++i) {
        frames.push_back(flat(40, 30, 0xFFFFFF));
        fill(frames.back(), i * 6, 4, 8, 8, 0x6D4AE0);
        fill(frames.back(), 2, 20, 4, 4, 0xF0625D + static_cast<std::uint32_t>(i));
    }
    const auto gif = read_gif(gif_of(frames, 7));
    ASSERT_TRUE(gif);
    EXPECT_EQ(gif->loops, 0);
    ASSERT_EQ(gif->frames.size(), frames.size());
    for (std::size_t i = 0; i < frames.size(); ++i) {
        EXPECT_EQ(gif->frames[i].image, frames[i]) << i;
        EXPECT_EQ(gif->frames[i].delay, 7);
    }
}

TEST(Gif, AnyNumberOfColorsUpTo255IsExact) {
    for (const int colors : {1, 2, 3, 4, 5, 16, 17, 127, 128, 129, 254, 255}) {
        std::vector<Image> frames(2, flat(64, 4, 0));
        for (int i = 0; i < 256; ++i)
            for (std::size_t f = 0; f < 2; ++f)
                fill(frames[f], i % 64, i / 64, 1, 1,
                     static_cast<std::uint32_t>((i + static_cast<int>(f)) % colors * 65793));
        const auto gif = read_gif(gif_of(frames));
        ASSERT_TRUE(gif) << colors;
        EXPECT_EQ(gif->frames.front().image, frames.front()) << colors;
        EXPECT_EQ(gif->frames.back().image, frames.back()) << colors;
    }
}

TEST(Gif, FlatColorsStayExactAmongGradients) {
    const std::vector<Image> frames = {busy(160, 100, 0), busy(160, 100, 40)};
    const auto gif = read_gif(gif_of(frames));
    ASSERT_TRUE(gif);
    double worst = 0, sum = 0;
    for (std::size_t f = 0; f < frames.size(); ++f)
        for (int y = 0; y < 100; ++y)
            for (int x = 0; x < 160; ++x) {
                const std::uint8_t *a = frames[f].at(x, y), *b = gif->frames[f].image.at(x, y);
                const double d = std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
                if (y >= 50) {
                    EXPECT_EQ(d, 0) << x << ", " << y;
                }
                worst = std::max(worst, d);
                sum += d;
            }
    EXPECT_LT(worst, 70);
    EXPECT_LT(sum / (2 * 160 * 100), 10);
}

TEST(Gif, SameFrameTwiceOnlyLastsLonger) {
    const Image a = flat(10, 10, 0xFF0000), b = flat(10, 10, 0x00FF00);
    const auto gif = read_gif(gif_of({a, a, a, b}, 10));
    ASSERT_TRUE(gif);
    ASSERT_EQ(gif->frames.size(), 2u);
    EXPECT_EQ(gif->frames[0].delay, 30);
    EXPECT_EQ(gif->frames[1].delay, 10);
}

TEST(Gif, SameBytesTwice) {
    const std::vector<Image> frames = {busy(80, 60, 0), busy(80, 60, 9)};
    EXPECT_EQ(gif_of(frames), gif_of(frames));
}

TEST(Gif, HostileSizesAndOrders) {
    EXPECT_FALSE(app::make_gif_writer({.width = 0, .height = 5}));
    EXPECT_FALSE(app::make_gif_writer({.width = 70000, .height = 5}));
    EXPECT_TRUE(read_gif(gif_of({flat(1, 1, 0x123456)})));
    EXPECT_TRUE(read_gif(gif_of({flat(20000, 2, 0x123456), busy(20000, 2, 3)})));

    auto writer = app::make_gif_writer({.width = 8, .height = 8});
    ASSERT_TRUE(writer);
    EXPECT_FALSE(writer->add_colors(flat(9, 8, 0)));
    EXPECT_FALSE(writer->add_frame(flat(8, 9, 0), 5));
    EXPECT_FALSE(writer->add_frame({.width = 8, .height = 8, .rgba = {}}, 5));
    EXPECT_FALSE(writer->finish());
    EXPECT_TRUE(writer->add_frame(flat(8, 8, 0xABCDEF), -7));  // no first pass: its own colours
    EXPECT_FALSE(writer->add_colors(flat(8, 8, 0)));
    const auto bytes = writer->finish();
    ASSERT_TRUE(bytes);
    EXPECT_EQ(read_gif(*bytes)->frames.at(0).delay, 2);
    EXPECT_EQ(read_gif(*bytes)->frames.at(0).image, flat(8, 8, 0xABCDEF));
    EXPECT_FALSE(writer->finish());
    EXPECT_FALSE(writer->add_frame(flat(8, 8, 0xABCDEF), 2));
}

TEST(Gif, StopsAtItsLimitAndCanBeAbandoned) {
    auto writer = app::make_gif_writer({.width = 200, .height = 200, .max_bytes = 4000});
    ASSERT_TRUE(writer);
    bool failed = false;
    for (int i = 0; i < 20 && !failed; ++i) failed = !writer->add_frame(busy(200, 200, i * 11), 5);
    EXPECT_TRUE(failed);
    EXPECT_FALSE(writer->finish());
    auto dropped = app::make_gif_writer({.width = 8, .height = 8});
    EXPECT_TRUE(dropped->add_frame(flat(8, 8, 1), 5));
}

TEST(GifPalette, FrequentColorsComeFirst) {
    app::ColorCounts counts;
    EXPECT_TRUE(counts.empty());
    counts.add(busy(320, 200, 0));
    const auto palette = app::choose_palette(counts);
    EXPECT_LE(palette.size(), app::kGifColors);
    EXPECT_EQ(palette[0], (app::Rgb8{0xF6, 0xF7, 0xFA}));
    app::NearestColor nearest(palette);
    for (std::size_t i = 0; i < palette.size(); ++i) EXPECT_EQ(palette[nearest(palette[i].data())], palette[i]);
}

}  // namespace
