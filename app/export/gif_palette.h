#pragma once
// At most 255 colours for many pictures, chosen once for all of them. No dithering: flat areas stay flat, and the
// colours that an interface is made of stay exactly as they are.

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "app/gfx/image.h"

namespace app {

using Rgb8 = std::array<std::uint8_t, 3>;

/// How often each colour occurs. 64 MB while it lives, however many pictures are added. Alpha is not looked at.
class ColorCounts {
public:
    ColorCounts() : counts_(std::size_t{1} << 24) {}
    void add(const gfx::Image& image);
    bool empty() const { return empty_; }

    struct Entry {
        Rgb8 color{};
        std::uint32_t count = 0;
    };
    /// Every colour seen, ordered by its bytes.
    std::vector<Entry> entries() const;

private:
    std::vector<std::uint32_t> counts_;  // by 0xRRGGBB
    bool empty_ = true;
};

inline constexpr std::size_t kGifColors = 255;  // the 256th entry stands for "as in the frame before"

/// All colours when there are at most 255; else the most frequent ones as they are, and for the rest the means of a
/// median cut in Oklab. The same counts give the same palette.
std::vector<Rgb8> choose_palette(const ColorCounts& counts);

/// The palette's nearest entry for any colour (distance in Oklab, to within one step of a channel; an entry's own
/// colour always finds itself), remembered: 32 MB.
class NearestColor {
public:
    explicit NearestColor(const std::vector<Rgb8>& palette);
    std::uint8_t operator()(const std::uint8_t* rgb);

private:
    std::uint8_t search(Rgb8 color) const;
    void learn(const std::uint8_t* rgb);

    // Oklab of the palette, an array a coordinate: the search is most of the work and compiles to vector code.
    // Places that are not used lie far away.
    std::array<float, 256> l_{}, a_{}, b_{};
    std::vector<std::uint16_t> known_;  // by 0xRRGGBB: index + 1, 0: not asked yet
};

}  // namespace app
