#pragma once
// The smallest elements of an SVG. Internal to svg.cpp and svg_text.cpp.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "app/draw/drawing.h"

namespace app::svg {

/// With at most two decimals, '.' and no trailing zeros: "12", "0.5", "-3.25".
std::string number(float value);
std::string base64(std::span<const std::uint8_t> bytes);
/// ` fill="#rrggbb"`, with ` fill-opacity="0.5"` if it is not opaque; `what` is fill, stroke or stop.
std::string paint(std::string_view what, std::uint32_t color);
/// The CSS class of a role of type, and the rules for all of them.
std::string_view type_class(Type type);
std::string type_rules();

}  // namespace app::svg
