#pragma once

#include <string>

namespace app {

/// A number as it stands in cells: so many decimals, a true minus sign, "−∞", "?" for what is not a number.
std::string number_text(float value, int decimals = 2);

}  // namespace app
