#pragma once
// A picture from the bytes of a PNG or a JPEG: red, green and blue of every pixel.

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace attn {

/// The most pixels that a picture that is opened may have.
inline constexpr std::int64_t kMostPicturePixels = 40'000'000;

/// 8-bit sRGB, three bytes a pixel, the top row first.
struct Picture {
    int width = 0, height = 0;
    std::vector<std::uint8_t> rgb;

    std::uint8_t at(int x, int y, int channel) const {
        return rgb[(static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x)) * 3 +
                   static_cast<std::size_t>(channel)];
    }
    bool operator==(const Picture&) const = default;
};

/// Any PNG: grey, palette and 16 bits become 8-bit sRGB, what is transparent lies on white. Any JPEG of 8 bits, upright as
/// its EXIF says: grey and four inks become sRGB as Pillow makes it of them; colour profiles are not read, nor are they there.
/// Refused, with what to do: other formats (GIF, WebP … are named), a damaged or truncated file, no pixels, more than
/// kMostPicturePixels.
Result<Picture> decode_picture(std::string_view bytes);

/// How near pixels count for one of another size.
enum class Resize : std::uint8_t { Bilinear, Bicubic };

/// The picture at another size, as Pillow's BILINEAR or BICUBIC makes it, whole numbers again after each direction: a pixel is
/// the mean of those under a triangle around its centre, as wide as one pixel of the smaller picture (so that shrinking
/// averages; plain bilinear interpolation would skip pixels), or under a cubic, twice as wide, that falls below 0 [Keys 1981].
Picture resized(const Picture& picture, int width, int height, Resize how = Resize::Bilinear);
/// Its middle; the sides are at most the picture's. What is left over is cut off in halves, the larger behind.
Picture middle_of(const Picture& picture, int width, int height);

}  // namespace attn
