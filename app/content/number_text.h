#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace app {

/// A number as in a matrix cell: fixed decimals, a true minus sign, "−∞", "?" for NaN.
std::string number_text(float value, int decimals = 2);
/// Whether a written number has no digit other than 0.
bool has_only_zeros(std::string_view number);
/// A change: like number_text, with a plus sign if it is positive ("+0.19").
std::string change_text(float change, int decimals = 2);
/// A slope, which may be small: with enough decimals for two significant digits ("0.00057").
std::string slope_text(float slope);
/// Two decimals; if these would be zeros, more, for two significant digits, and a power of ten if that would take too
/// many.
std::string telling_text(float value);

/// A number of the highlighted row: if two decimals would be zeros, it gets the decimals that distinguish it from 0
/// (0.004, .0001), or an upper bound (<.0001). `fits` says whether a text fits into the cell.
std::string row_text(float value, const std::function<bool(std::string_view)>& fits);
/// The same, and if that does not fit, without the leading zero or with fewer decimals (one from 1 on, none from 100
/// on); empty if these do not fit either: with fewer digits it would be a different number.
std::string short_row_text(float value, const std::function<bool(std::string_view)>& fits);

/// The number of decimals, `least` … `most`, with which the parts as written add up to the sum as written; 0 if there
/// is none.
int decimals_that_add_up(std::span<const float> parts, float sum, int least = 2, int most = 4);

/// Subtraction of a number: "− 0.64", or "+ 0.02" for a negative one.
std::string minus_text(float value);

/// A share in a sentence, on pages and in captions: "94%", "0.4%", "<0.01%". A share clearly below 1 is never "100%".
std::string weight_text(double share);
/// A probability: "22.0 %", "0.03 %", "< 0.01 %".
std::string chance_text(double share);
/// The same in a narrow space: "22%", "<1%".
std::string short_chance_text(double share);

}  // namespace app
