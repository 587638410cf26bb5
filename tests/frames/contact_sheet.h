#pragma once
// Pictures of what renewing the goldens changed: before and after side by side, one row per golden.

#include <filesystem>
#include <string>

#include "app/gfx/image.h"

namespace frames {

/// In the folder of the test program; emptied when the first row of a run is added.
std::filesystem::path renewed_folder();

/// Adds a row; either picture may be empty. Sheets are written after all tests, and their paths are printed.
void add_to_contact_sheet(const std::string& name, const app::gfx::Image& before, const app::gfx::Image& after);

/// At most `width` wide: each pixel is the mean of those it replaces.
app::gfx::Image fitted_into(const app::gfx::Image& image, int width);

/// Both on one picture, with a gap, their upper edges level.
app::gfx::Image side_by_side(const app::gfx::Image& left, const app::gfx::Image& right);

void write_png(const std::filesystem::path& path, const app::gfx::Image& image);

}  // namespace frames
