#pragma once
// Goldens, in tests/frames/golden. NAME.txt: what is drawn, as data (record.h), of every case; it is the same on every
// processor and driver, and one digit, one cell or one label that is wrong fails. NAME.png: pixels, of some of them,
// within a tolerance, for rasterisers round differently: that letters, edges and shades come out as such.

#include <filesystem>
#include <functional>
#include <string>

#include "app/gfx/image.h"
#include "tests/frames/record_store.h"

namespace frames {

/// A pixel differs where a channel is further off than `channel`. Of those there may be this share of all pixels, and
/// so many in one block: letters and curves differ along their edges, what is wrong covers an area.
struct Tolerance {
    int channel = 0;   ///< 0…255
    double share = 0;  ///< 0…1
    int block = 0;     ///< pixels of kBlock × kBlock
};
inline constexpr int kBlock = 8;
inline constexpr Tolerance kPixels{24, 0.02, 32};

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

/// Asked for by the environment: ATTN_RENEW_GOLDENS=1. With typefaces that the goldens were not made with (typefaces.h)
/// that is refused: one golden that is renewed would differ from its neighbours everywhere. ATTN_RENEW_GOLDENS=all makes
/// them with these all the same, and notes that; =NAME writes golden/typefaces/NAME, what these make of the goldens as they are.
bool renewing();

/// Fails where a picture is further from its golden, NAME.png below the folder of goldens (`name` without its ending),
/// than the tolerance, and leaves what was seen in the folder of failures. Where renewing was asked for the golden is
/// written instead, when it is that far off or `changed`: what is drawn is another, and its picture goes with it. With
/// typefaces that the goldens were not made with it is not compared.
void expect_picture(const std::filesystem::path& name, const app::gfx::Image& actual, bool changed);

/// How the frames of a file look: the one of that number as it is now, and as a record of it has it.
struct Pictures {
    std::function<app::gfx::Image(std::size_t)> now;
    std::function<app::gfx::Image(std::size_t, const Record&)> of;
};

/// Fails where frames are not drawn as golden/FILE.txt has them, in words (with other typefaces as record_loose.h says),
/// and leaves NAME.actual.txt, NAME.actual.png
/// and NAME.difference.png (what is expected framed in blue, what is there instead in red) in the folder of failures;
/// writes the file instead where that was asked for, and keeps what changed for the contact sheet. True: it was written.
bool expect_records(const std::filesystem::path& file, const Records& found, const Pictures& pictures);

}  // namespace frames
