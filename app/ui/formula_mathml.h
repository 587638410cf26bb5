#pragma once
// A formula as MathML Core, for browser pages.

#include <string>
#include <string_view>

namespace app {

/// `block`: on a separate line. A source that cannot be parsed is returned as plain words.
std::string formula_to_mathml(std::string_view source, bool block);

}  // namespace app
