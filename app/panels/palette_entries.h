#pragma once
// All entries of the palette: the commands, and what follows from other tables.

#include "app/frame/view.h"

namespace app {

/// Made when the palette opens: commands, the walk's steps, examples, the document's choices, pages of the experiments,
/// themes, languages, speeds, formats.
std::vector<PaletteEntry> palette_entries(const Frame& frame);
/// Entries for a head that the text names ("7.11", "L7H11", "layer 7 head 11"), in each part of the model that has it.
std::vector<PaletteEntry> named_entries(const Frame& frame, std::string_view text);
/// The entries of help: the tour, the course, its terms, the keys, then the commands.
std::vector<PaletteEntry> help_entries(const Frame& frame);

/// Indices of the entries that match the text, the best first; all of them, in their order, if it is empty.
std::vector<int> palette_search(const std::vector<PaletteEntry>& entries, std::string_view text);

}  // namespace app
