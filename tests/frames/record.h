#pragma once
// What a frame drew, in words: a line for each thing, with its place, colour and what it says or shows. What the driver
// and the processor do with it is not in it, so it is compared exactly, everywhere.
//
//   text 120 33 14 #1F2533 number "0.33"       where its baseline begins, size in pixels, colour, role of type
//   fill 10 20 40 40 #6D4AE0 r3                x, y, width, height
//   cells 10 20 17 17 r3 s18.5 #FFFFFF ...     a row of such fills: the first, how far apart, the colour of each
//   map 10 20 300 300 #FFFFFF 64x64 ...        a matrix as a picture; then a line "row" for each row of its cells
//
// Places have one decimal, colours are of 8 bits a channel, a cell of a map is its place in the ramp, 00 … ff.

#include <string>
#include <string_view>
#include <vector>

#include "app/draw/drawing.h"
#include "app/frame/heatmaps.h"

namespace frames {

using Record = std::vector<std::string>;

/// What is drawn of `drawing` inside `part` of the window, in the order of drawing. `maps` must keep notes, and no frame
/// may have followed.
Record record_of(const app::Drawing& drawing, const app::Heatmaps& maps, app::Rect part);

/// Roles of type by name, as in records.
std::string_view type_name(app::Type type);
app::Type type_named(std::string_view name);

}  // namespace frames
