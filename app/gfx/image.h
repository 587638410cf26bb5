#pragma once
// Pixels on the CPU: read back from a frame, exported, compared.

#include <cstddef>
#include <cstdint>
#include <vector>

namespace app::gfx {

/// 8-bit sRGB with straight alpha, four bytes a pixel, the top row first.
struct Image {
    int width = 0;
    int height = 0;
    std::vector<std::uint8_t> rgba;  // width * height * 4

    bool empty() const { return width <= 0 || height <= 0; }

    /// Whether the size agrees with the number of bytes; every consumer may rely on this.
    bool valid() const {
        return width >= 0 && height >= 0 &&
               rgba.size() == static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * 4;
    }

    /// The four bytes of a pixel; `x`, `y` from the top left, inside the image.
    const std::uint8_t* at(int x, int y) const {
        return rgba.data() +
               (static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x)) * 4;
    }
    std::uint8_t* at(int x, int y) {
        return rgba.data() +
               (static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x)) * 4;
    }

    bool operator==(const Image&) const = default;
};

/// A transparent black image; sizes below 0 count as 0.
inline Image make_image(int width, int height) {
    Image image{width < 0 ? 0 : width, height < 0 ? 0 : height, {}};
    image.rgba.resize(static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.height) * 4);
    return image;
}

}  // namespace app::gfx
