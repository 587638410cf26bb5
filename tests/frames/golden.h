#pragma once
// Golden pictures: tests/frames/golden/NAME.png, and renderer.txt, which says on what they were made. There a frame
// must be the same to the last bit; elsewhere rasterisers round differently, and a few small differences are allowed.

#include <filesystem>
#include <string>

#include "app/gfx/image.h"

namespace frames {

/// A pixel differs where a channel is further off than `channel`. Of those there may be this share of all pixels, and
/// so many in one block: letters and curves differ along their edges, what is wrong covers an area.
struct Tolerance {
    int channel = 0;   ///< 0…255
    double share = 0;  ///< 0…1
    int block = 0;     ///< pixels of kBlock × kBlock
};
inline constexpr int kBlock = 8;
/// One level of one channel: where a glyph lies in the atlas, which new words move, rounds slanted text that much.
inline constexpr Tolerance kExact{1, 0, 0};
/// Another rasteriser.
inline constexpr Tolerance kElsewhere{24, 0.02, 32};

struct Difference {
    bool same_size = true;
    std::size_t pixels = 0;   ///< beyond the tolerance's channel
    int densest = 0;          ///< of those, in one block
    int largest = 0;          ///< of a channel
    app::gfx::Image picture;  ///< the golden in pale grey, what differs in red; the actual picture where sizes differ
};
Difference difference(const app::gfx::Image& golden, const app::gfx::Image& actual, int channel);
bool within(const Difference& found, const app::gfx::Image& golden, Tolerance tolerance);

app::gfx::Image cropped(const app::gfx::Image& image, int x, int y, int width, int height);

std::filesystem::path golden_folder();
/// Where a failing test leaves NAME.actual.png and NAME.difference.png: beside the test program.
std::filesystem::path failure_folder();

/// The driver, its version, what the processor can do and the version of the interface library, a line each. A context
/// and the program's interface must be open.
std::string renderer_now();
/// As it was when the goldens were made; empty where there are none.
std::string renderer_of_goldens();

/// Asked for by the environment: ATTN_RENEW_GOLDENS=1.
bool renewing();

/// Fails where a picture is not its golden, NAME.png below the folder of goldens (`name` without its ending), and
/// leaves what was seen in the folder of failures; writes the golden instead where that was asked for. `here`: what is
/// allowed where the goldens were made.
void expect_golden(const std::filesystem::path& name, const app::gfx::Image& actual, Tolerance here,
                   Tolerance elsewhere);

}  // namespace frames
