#pragma once
// How a text that is exported begins, for the panel.

#include "app/frame/view.h"
#include "app/panels/export_formats.h"

namespace app {

/// The first lines; empty: it is no text. Remade when the choice or the numbers change.
const std::vector<std::string>& preview_lines(const Frame& frame, const ExportChoice& choice,
                                              const ExportFormat& format);

}  // namespace app
