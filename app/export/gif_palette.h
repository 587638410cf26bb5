#pragma once
// At most 255 colours for many pictures, chosen once for all of them. No dithering: flat areas stay flat, and the
// colours of the interface are kept exactly.

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "app/gfx/image.h"

namespace app {

using Rgb8 = std::array<std::uint8_t, 3>;

/// How often each colour occurs. Takes 64 MB, however many pictures are added. Alpha is ignored.
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

inline constexpr std::size_t kGifColors = 255;  // the 256th entry means "as in the previous frame"

/// All colours if there are at most 255; else the most frequent ones unchanged, and for the rest the means of a median
/// cut in Oklab. The same counts give the same palette.
std::vector<Rgb8> choose_palette(const ColorCounts& counts);

/// The palette entry nearest to any colour (by distance in Oklab, to within one step of a channel; an entry's own
/// colour always maps to that entry). Results are cached: 32 MB.
class NearestColor {
public:
    explicit NearestColor(const std::vector<Rgb8>& palette);
    std::uint8_t operator()(const std::uint8_t* rgb);

private:
    std::uint8_t search(Rgb8 color) const;
    void learn(const std::uint8_t* rgb);

    // Oklab values of the palette, one array per coordinate: the search takes most of the time and compiles to vector
    // code. Unused entries lie far away.
    std::array<float, 256> l_{}, a_{}, b_{};
    std::vector<std::uint16_t> known_;  // by 0xRRGGBB: index + 1, 0: not looked up yet
};

}  // namespace app
