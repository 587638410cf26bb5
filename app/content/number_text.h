#pragma once

#include <string>

namespace app {

/// A number as it stands in cells: so many decimals, a true minus sign, "−∞", "?" for what is not a number.
std::string number_text(float value, int decimals = 2);

/// Subtracting a number, in words: "− 0.64", and "+ 0.02" where it is negative.
std::string minus_text(float value);

}  // namespace app
