#pragma once
// A picture decoded from a PNG or a JPEG: red, green and blue of every pixel.

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace attn {

/// The most pixels of a picture that is opened.
inline constexpr std::int64_t kMostPicturePixels = 40'000'000;

/// 8-bit sRGB, three bytes per pixel, top row first.
struct Picture {
    int width = 0, height = 0;
    std::vector<std::uint8_t> rgb;

    std::uint8_t at(int x, int y, int channel) const {
        return rgb[(static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x)) * 3 +
                   static_cast<std::size_t>(channel)];
    }
    bool operator==(const Picture&) const = default;
};

/// Any PNG: grey, palette and 16 bits become 8-bit sRGB, and transparent pixels are blended with white. Any 8-bit JPEG,
/// rotated upright by its EXIF orientation; grey and CMYK become sRGB as in Pillow; colour profiles are ignored, as in
/// Pillow. Errors, each with advice: other formats (GIF, WebP … are named), a damaged or truncated file, no pixels,
/// more than kMostPicturePixels.
Result<Picture> decode_picture(std::string_view bytes);

/// How neighbouring pixels are weighted when a picture is resized.
enum class Resize : std::uint8_t { Bilinear, Bicubic };

/// The picture at another size, as with Pillow's BILINEAR or BICUBIC, rounded to integers after each direction. A pixel
/// is the weighted mean under a triangle around its centre, which scales with the size ratio when shrinking (so that
/// shrinking averages; plain bilinear interpolation would skip pixels), or under a cubic twice as wide, which has
/// negative parts [Keys 1981].
Picture resized(const Picture& picture, int width, int height, Resize how = Resize::Bilinear);
/// Cuts out the middle; the sides are at most the picture's. If the margin is odd, the larger half is cut at the right
/// and bottom.
Picture middle_of(const Picture& picture, int width, int height);

}  // namespace attn
