#pragma once
// Text inside XML and HTML: drawings, formulas for a browser, handouts.

#include <string>
#include <string_view>

namespace app {

/// As character data or inside an attribute: & < > " escaped, and what XML 1.0 refuses or is no UTF-8 made U+FFFD.
std::string xml_escaped(std::string_view text);

}  // namespace app
