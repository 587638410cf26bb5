#pragma once
// Text inside XML and HTML: drawings, formulas for a browser, handouts.

#include <string>
#include <string_view>

namespace app {

/// For character data and attributes: escapes & < > ", and replaces what XML 1.0 refuses and invalid UTF-8 by U+FFFD.
std::string xml_escaped(std::string_view text);

}  // namespace app
