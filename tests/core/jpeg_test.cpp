// Pictures as JPEG: every kind of colour encoding against pixels computed from the definitions
// (tests/data/make_jpegs.py), orientation, and what is refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

// After <cstdio>, whose names it uses.
#include <jpeglib.h>

#include "core/io/sniff.h"
#include "core/model/picture/picture.h"
#include "places.h"

namespace attn::test {
namespace {

using testing::HasSubstr;

std::string picture_bytes(const std::string& name) {
    std::ifstream in(std::filesystem::path(ATTN_SOURCE_DIR "/tests/data/pictures") / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

std::string jpeg_refused(std::string_view bytes) {
    const auto picture = decode_picture(bytes);
    return picture ? "it was read" : picture.error().message;
}

/// Written by libjpeg: a progressive file, which make_jpegs.py does not write.
std::string progressive_of(const Picture& picture) {
    jpeg_compress_struct file = {};
    jpeg_error_mgr errors = {};
    file.err = jpeg_std_error(&errors);
    jpeg_create_compress(&file);
    unsigned char* bytes = nullptr;
    unsigned long size = 0;
    jpeg_mem_dest(&file, &bytes, &size);
    file.image_width = static_cast<JDIMENSION>(picture.width);
    file.image_height = static_cast<JDIMENSION>(picture.height);
    file.input_components = 3;
    file.in_color_space = JCS_RGB;
    jpeg_set_defaults(&file);
    jpeg_set_quality(&file, 95, TRUE);
    jpeg_simple_progression(&file);
    jpeg_start_compress(&file, TRUE);
    std::vector<std::uint8_t> rgb = picture.rgb;
    while (file.next_scanline < file.image_height) {
        JSAMPROW row = rgb.data() + std::size_t{file.next_scanline} * file.image_width * 3;
        jpeg_write_scanlines(&file, &row, 1);
    }
    jpeg_finish_compress(&file);
    std::string out(reinterpret_cast<const char*>(bytes), size);
    jpeg_destroy_compress(&file);
    std::free(bytes);
    return out;
}

struct Difference {
    int most = 0;
    double mean = 0;
};
Difference difference(const Picture& a, const Picture& b) {
    EXPECT_EQ(a.width, b.width);
    EXPECT_EQ(a.height, b.height);
    Difference out;
    for (std::size_t i = 0; i < std::min(a.rgb.size(), b.rgb.size()); ++i) {
        const int one = std::abs(int{a.rgb[i]} - int{b.rgb[i]});
        out.most = std::max(out.most, one);
        out.mean += one / static_cast<double>(a.rgb.size());
    }
    return out;
}

class Jpeg : public testing::TestWithParam<const char*> {};

TEST_P(Jpeg, ShowsWhatTheDefinitionsGive) {
    const std::string name = GetParam();
    const auto here = decode_picture(picture_bytes(name + ".jpg")), there = decode_picture(picture_bytes(name + ".png"));
    ASSERT_TRUE(here) << here.error().text();
    ASSERT_TRUE(there) << there.error().text();
    const Difference apart = difference(*here, *there);
    EXPECT_LE(apart.most, 2);  // integers are rounded twice
    EXPECT_LE(apart.mean, 0.5);
}

TEST_P(Jpeg, RefusesEveryCutAndSurvivesEveryChange) {
    const std::string whole = picture_bytes(std::string(GetParam()) + ".jpg");
    testing::internal::CaptureStderr();
    for (std::size_t length = 3; length < whole.size(); ++length)
        EXPECT_THAT(jpeg_refused(std::string_view(whole).substr(0, length)), HasSubstr("the JPEG is damaged or was cut short (")) << length;
    for (const char change : {'\x55', '\xFF', '\x01'})
        for (std::size_t at = 3; at < whole.size(); ++at) {
            std::string other = whole;
            other[at] = static_cast<char>(other[at] ^ change);
            const auto picture = decode_picture(other);
            if (!picture) continue;
            EXPECT_EQ(picture->rgb.size(), static_cast<std::size_t>(picture->width) * static_cast<std::size_t>(picture->height) * 3);
        }
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "") << "nothing is printed";
}

INSTANTIATE_TEST_SUITE_P(Kinds, Jpeg, testing::Values("grey", "color", "color-halved", "rgb", "cmyk", "ycck"), [](const auto& one) {
    std::string name = one.param;
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
});

TEST(JpegPasses, AreReadAndCutsAreRefused) {
    const Picture drawn = *decode_picture(picture_bytes("color.png"));
    const std::string whole = progressive_of(drawn);
    const auto picture = decode_picture(whole);
    ASSERT_TRUE(picture) << picture.error().text();
    EXPECT_LE(difference(*picture, drawn).mean, 4);
    for (std::size_t length = 64; length < whole.size(); length += 64)
        EXPECT_THAT(jpeg_refused(std::string_view(whole).substr(0, length)), HasSubstr("damaged or was cut short")) << length;
    // Bytes after the end marker are not part of the picture.
    EXPECT_EQ(jpeg_refused(whole + "more"), "it was read");
}

TEST(JpegPasses, AreCounted) {
    const std::string whole = progressive_of(*decode_picture(picture_bytes("color.png")));
    const std::size_t first = whole.find("\xFF\xDA"), next = whole.find("\xFF\xC4", first);
    const std::string pass = whole.substr(first, next - first);
    const auto with_more = [&](int passes) {
        std::string many = whole.substr(0, next);
        for (int i = 0; i < passes; ++i) many += pass;
        return jpeg_refused(many + whole.substr(next));
    };
    EXPECT_EQ(with_more(60), "it was read");
    EXPECT_THAT(with_more(120), HasSubstr("this JPEG comes in more than 100 passes"));
}

/// The file with other bytes at a distance after the marker.
std::string patched(std::string bytes, std::string_view marker, std::size_t behind, std::string_view other) {
    return bytes.replace(bytes.find(marker) + marker.size() + behind, other.size(), other);
}

TEST(JpegSizes, AreRefusedBeforeAnyMemoryIsTaken) {
    using namespace std::string_view_literals;
    const std::string whole = picture_bytes("color.jpg");
    const auto of_sides = [&](std::string_view sides) { return jpeg_refused(patched(whole, "\xFF\xC0", 3, sides)); };
    EXPECT_THAT(of_sides("\x9C\x40\x9C\x40"sv), HasSubstr("the picture has 40000 × 40000 pixels; up to 40 million are read"));
    EXPECT_THAT(of_sides("\xFF\xFF\xFF\xFF"sv), HasSubstr("this kind of JPEG is not read (Maximum supported image dimension"));
    EXPECT_THAT(of_sides("\0\0\0\5"sv), HasSubstr("damaged"));
    EXPECT_THAT(of_sides("\0\x40\0\x40"sv), HasSubstr("damaged or was cut short"));  // larger than the data
}

TEST(JpegKinds, UnsupportedOnesAreNamed) {
    using namespace std::string_view_literals;
    const std::string whole = picture_bytes("grey.jpg");
    EXPECT_THAT(jpeg_refused(patched(whole, "\xFF\xC0", 2, "\x0C"sv)),
                HasSubstr("this kind of JPEG is not read (Unsupported JPEG data precision 12); save it as an ordinary one, or as PNG"));
    std::string lossless = whole;
    lossless[whole.find("\xFF\xC0") + 1] = '\xC3';
    EXPECT_THAT(jpeg_refused(lossless), HasSubstr("this kind of JPEG is not read (Unsupported JPEG process: SOF type 0xc3)"));
    const std::size_t frame = whole.find("\xFF\xC0"), scan = whole.find("\xFF\xDA");
    std::string two = whole.substr(0, frame) + std::string("\xFF\xC0\0\x0E\x08\0\x13\0\x1A\2\1\x11\0\2\x11\0", 16);
    two += whole.substr(frame + 13, scan - frame - 13);
    two += std::string("\xFF\xDA\0\x0A\2\1\0\2\0\0\x3F\0", 12) + whole.substr(scan + 10);
    EXPECT_EQ(jpeg_refused(two), "this JPEG has 2 colours, which are not read; 1 (grey), 3 and 4 (inks) are");
    EXPECT_THAT(*recognise_other(whole, "a document in JSON"), HasSubstr("This is a JPEG picture."));
}

/// An APP1 segment with an Exif table of one entry.
std::string exif_segment(int orientation, bool big, int type = 3, std::uint32_t first = 8) {
    const auto number = [&](std::uint32_t value, int size) {
        std::string out;
        for (int i = 0; i < size; ++i) out += static_cast<char>(value >> 8 * (big ? size - 1 - i : i) & 0xFF);
        return out;
    };
    const auto entry = [&](std::uint32_t tag, std::uint32_t kind, std::uint32_t value) {
        return number(tag, 2) + number(kind, 2) + number(1, 4) + number(value, 2) + number(0, 2);
    };
    std::string data = std::string("Exif\0\0", 6) + (big ? "MM" : "II") + number(42, 2) + number(first, 4) + number(2, 2);
    data += entry(0x010F, 2, 0) + entry(0x0112, static_cast<std::uint32_t>(type), static_cast<std::uint32_t>(orientation)) + number(0, 4);
    return std::string("\xFF\xE1\0", 3) + static_cast<char>(data.size() + 2) + data;
}

std::string with_segment(const std::string& jpeg, const std::string& segment) { return jpeg.substr(0, 2) + segment + jpeg.substr(2); }

/// EXIF gives the sides of the upright picture that the stored first row and first column belong to.
TEST(JpegOrientation, TurnsAPictureUpright) {
    const std::string jpeg = picture_bytes("color.jpg");
    const Picture lying = *decode_picture(jpeg);
    struct Way {
        bool rows_are_columns, from_right, from_bottom;  ///< of the upright picture
    };
    constexpr Way kWays[] = {{false, false, false}, {false, true, false}, {false, true, true}, {false, false, true},
                             {true, false, false},  {true, true, false},  {true, true, true},  {true, false, true}};
    for (const bool big : {false, true})
        for (int said = 1; said <= 8; ++said) {
            const auto turned = decode_picture(with_segment(jpeg, exif_segment(said, big)));
            ASSERT_TRUE(turned) << turned.error().text();
            const Way& way = kWays[said - 1];
            ASSERT_EQ(turned->width, way.rows_are_columns ? lying.height : lying.width) << said;
            ASSERT_EQ(turned->height, way.rows_are_columns ? lying.width : lying.height) << said;
            for (int row = 0; row < lying.height; ++row)
                for (int column = 0; column < lying.width; ++column) {
                    const int x = way.rows_are_columns ? row : column, y = way.rows_are_columns ? column : row;
                    for (int channel = 0; channel < 3; ++channel)
                        ASSERT_EQ(turned->at(way.from_right ? turned->width - 1 - x : x, way.from_bottom ? turned->height - 1 - y : y, channel),
                                  lying.at(column, row, channel)) << said << ": " << row << ", " << column;
                }
        }
}

TEST(JpegOrientation, IsAsStoredIfExifIsInvalid) {
    const std::string jpeg = picture_bytes("color.jpg");
    const Picture lying = *decode_picture(jpeg);
    for (const std::string& segment : {exif_segment(0, true), exif_segment(9, false), exif_segment(6, true, 4),
                                       exif_segment(6, true, 3, 0xFFFFFFFF), exif_segment(6, false, 3, 30)}) {
        const auto picture = decode_picture(with_segment(jpeg, segment));
        ASSERT_TRUE(picture) << picture.error().text();
        EXPECT_EQ(*picture, lying);
    }
    // Cut short, or with each byte changed in turn: nothing is read beyond the segment.
    const std::string whole = exif_segment(6, true);
    for (std::size_t at = 4; at < whole.size(); ++at) {
        std::string shorter = whole.substr(0, at), other = whole;
        shorter[3] = static_cast<char>(at - 2);
        other[at] = static_cast<char>(other[at] ^ 0xFF);
        EXPECT_EQ(jpeg_refused(with_segment(jpeg, shorter)), "it was read") << at;
        EXPECT_EQ(jpeg_refused(with_segment(jpeg, other)), "it was read") << at;
    }
}

}  // namespace
}  // namespace attn::test
