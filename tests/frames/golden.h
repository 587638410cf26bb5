#pragma once
// Goldens, in tests/frames/golden. NAME.txt: what is drawn, as data (record.h), for every case; it is the same on every
// processor and driver, and one wrong digit, cell or label fails. NAME.png: pixels of some cases, within a tolerance because
// rasterisers round differently, to check that letters, edges and shades are rendered.

#include <filesystem>
#include <functional>
#include <string>

#include "app/gfx/image.h"
#include "tests/frames/record_store.h"

namespace frames {

/// A pixel differs if a channel deviates by more than `channel`. At most this fraction of all pixels may differ, and at most
/// so many in one block: letters and curves differ along their edges, while an error covers an area.
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
    app::gfx::Image picture;  ///< the golden in pale grey, differences in red; the actual picture if sizes differ
};
Difference difference(const app::gfx::Image& golden, const app::gfx::Image& actual, int channel);
bool within(const Difference& found, const app::gfx::Image& golden, Tolerance tolerance);

app::gfx::Image cropped(const app::gfx::Image& image, int x, int y, int width, int height);

std::filesystem::path golden_folder();
/// Where a failing test leaves NAME.actual.png and NAME.difference.png: in the folder of the test program.
std::filesystem::path failure_folder();

/// Whether the environment requests renewal: ATTN_RENEW_GOLDENS=1. With fonts other than those of the goldens (typefaces.h)
/// this is refused: one renewed golden would differ from its neighbours everywhere. ATTN_RENEW_GOLDENS=all renews them
/// nevertheless and records the fonts; =NAME writes golden/typefaces/NAME, the differences of the current goldens with these
/// fonts.
bool renewing();

/// Fails if a picture differs from its golden, NAME.png in the folder of goldens (`name` has no extension), by more than the
/// tolerance, and leaves the picture in the folder of failures. If renewal is requested, the golden is written instead, if it
/// differs that much or if `changed`: the drawn data changed, and the picture belongs to it. With other fonts than those of
/// the goldens it is not compared.
void expect_picture(const std::filesystem::path& name, const app::gfx::Image& actual, bool changed);

/// The pictures of a file's frames: the frame of this index as it is now, and as drawn from its record.
struct Pictures {
    std::function<app::gfx::Image(std::size_t)> now;
    std::function<app::gfx::Image(std::size_t, const Record&)> of;
};

/// Fails if frames differ from golden/FILE.txt, in words (with other fonts as record_loose.h describes), and leaves
/// NAME.actual.txt, NAME.actual.png and NAME.difference.png (the expected items framed in blue, the actual ones in red) in
/// the folder of failures. If renewal is requested, writes the file instead and adds the change to the contact sheet. True if
/// the file was written.
bool expect_records(const std::filesystem::path& file, const Records& found, const Pictures& pictures);

}  // namespace frames
