#pragma once
// A formula as MathML (Core), for pages that a browser shows.

#include <string>
#include <string_view>

namespace app {

/// `block`: on a line of its own. What cannot be parsed comes back as its words.
std::string formula_to_mathml(std::string_view source, bool block);

}  // namespace app
