#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace app {

/// A number as it stands in cells: so many decimals, a true minus sign, "−∞", "?" for what is not a number.
std::string number_text(float value, int decimals = 2);
/// Whether a number, as it is written, has no digit but 0.
bool has_only_zeros(std::string_view number);
/// Slopes are often small: with as many digits as say something ("0.00057").
std::string slope_text(float slope);
/// Two digits that tell something: with two decimals, more where these would be zeros, and a power of ten where there is no
/// room for those.
std::string telling_text(float value);

/// A number of the highlighted row: where two decimals would be zeros it has the digit that
/// tells it from 0 (0.004, .0001), or is said to be less than that (<.0001). `fits` says whether a text has room.
std::string row_text(float value, const std::function<bool(std::string_view)>& fits);
/// The same, and where it has no room three significant digits; empty where those have none either: a figure of fewer
/// digits would be another number.
std::string short_row_text(float value, const std::function<bool(std::string_view)>& fits);

/// Decimals, `least` … `most`, with which the parts, as they are written, add up to the sum as it is written; 0: with none
/// of these they do.
int decimals_that_add_up(std::span<const float> parts, float sum, int least = 2, int most = 4);

/// Subtracting a number, in words: "− 0.64", and "+ 0.02" where it is negative.
std::string minus_text(float value);

/// A share as sentences say it, on pages as in captions: "94%", "0.4%", "<0.01%"; a share below 1 is never "100%".
std::string weight_text(double share);
/// A probability: "22.0 %", "0.03 %", "< 0.01 %".
std::string chance_text(double share);
/// The same where there is little room: "22%", "<1%".
std::string short_chance_text(double share);

}  // namespace app
