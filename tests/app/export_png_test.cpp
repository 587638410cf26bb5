#include "app/export/png.h"

#include <gtest/gtest.h>

#include "tests/support/png_file.h"

namespace {

using app::gfx::Image;
using app::gfx::make_image;

Image pattern(int width, int height, bool opaque) {
    Image image = make_image(width, height);
    for (std::size_t i = 0; i < image.rgba.size(); ++i)
        image.rgba[i] = i % 4 == 3 && opaque ? 255 : static_cast<std::uint8_t>(i * 31 + i / 7);
    return image;
}

TEST(Png, RoundTrips) {
    for (const bool opaque : {true, false})
        for (const auto& [w, h] : {std::pair{1, 1}, std::pair{7, 3}, std::pair{16384, 1}, std::pair{300, 200}}) {
            const Image image = pattern(w, h, opaque);
            const auto bytes = app::encode_png(image);
            ASSERT_TRUE(bytes) << bytes.error().message;
            const auto back = app::decode_png(*bytes);
            ASSERT_TRUE(back);
            EXPECT_EQ(back->image, image);
        }
}

TEST(Png, SameBytesTwice) {
    EXPECT_EQ(*app::encode_png(pattern(64, 48, true)), *app::encode_png(pattern(64, 48, true)));
}

TEST(Png, CarriesTexts) {
    const std::vector<app::PngText> text = {{"Software", "attenscope"}, {"Text", "早上好"}, {"Empty", ""}};
    const auto bytes = app::encode_png(pattern(4, 4, true), text);
    ASSERT_TRUE(bytes);
    EXPECT_EQ(app::decode_png(*bytes)->text, text);
    const std::vector<app::PngText> bad[] = {{{"", "x"}}, {{std::string(80, 'a'), "x"}}, {{"键", "x"}}, {{" a", "x"}}};
    for (const auto& entries : bad) EXPECT_FALSE(app::encode_png(pattern(4, 4, true), entries));
}

TEST(Png, AnEmptyImageIsAnError) {
    EXPECT_FALSE(app::encode_png({}));
    EXPECT_FALSE(app::encode_png({.width = 10, .height = 10, .rgba = {}}));
    EXPECT_FALSE(app::encode_png({.width = 0, .height = 10, .rgba = {}}));
}

}  // namespace
