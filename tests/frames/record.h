#pragma once
// What a frame drew, as text: a line for each item, with its place, colour and contents. The work of the driver and the
// graphics processor is not included, so records are compared exactly on all machines.
//
//   text 120 33 14 #1F2533 number "0.33"       where its baseline begins, size in pixels, colour, role of type
//   fill 10 20 40 40 #6D4AE0 r3                x, y, width, height
//   cells 10 20 17 17 r3 s18.5 #FFFFFF ...     a row of such fills: the first, their distance, the colour of each
//   map 10 20 300 300 #FFFFFF 64x64 ...        a matrix as a picture; then a line "row" for each row of its cells
//
// Places have one decimal, colours have 8 bits per channel, a cell of a map is its position in the ramp, 00 … ff.

#include <string>
#include <string_view>
#include <vector>

#include "app/draw/drawing.h"
#include "app/frame/heatmaps.h"

namespace frames {

using Record = std::vector<std::string>;

/// What is drawn of `drawing` inside `part` of the window, in the order of drawing. `maps` must keep notes, and no later
/// frame may have been drawn.
Record record_of(const app::Drawing& drawing, const app::Heatmaps& maps, app::Rect part);

/// Roles of type by name, as in records.
std::string_view type_name(app::Type type);
app::Type type_named(std::string_view name);

}  // namespace frames
