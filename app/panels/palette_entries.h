#pragma once
// Everything that the palette can do: the commands, and what follows from the other tables.

#include "app/frame/view.h"

namespace app {

/// Made when the palette opens: commands, the steps of the walk, examples, the document's choices, pages of the experiments,
/// themes, languages, speeds, formats.
std::vector<PaletteEntry> palette_entries(const Frame& frame);
/// What the text itself names: a head ("7.11", "L7H11", "layer 7 head 11"), of each part of the model that has it.
std::vector<PaletteEntry> named_entries(const Frame& frame, std::string_view text);
/// What is asked for help: the tour, the course, its terms, the keys, then what can be done.
std::vector<PaletteEntry> help_entries(const Frame& frame);

/// Indices of the entries that a text finds, the best first; all of them, in their order, where it is empty.
std::vector<int> palette_search(const std::vector<PaletteEntry>& entries, std::string_view text);

}  // namespace app
