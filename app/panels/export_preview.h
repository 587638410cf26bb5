#pragma once
// The beginning of a text export, for the panel.

#include "app/frame/view.h"
#include "app/panels/export_formats.h"

namespace app {

/// The first lines; empty if it is not text. Updated when the choice or the numbers change.
const std::vector<std::string>& preview_lines(const Frame& frame, const ExportChoice& choice,
                                              const ExportFormat& format);

}  // namespace app
