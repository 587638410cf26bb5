#include "app/content/number_text.h"

#include <fmt/format.h>

#include <cmath>

namespace app {

bool has_only_zeros(std::string_view number) { return number.find_first_of("123456789") == std::string_view::npos; }

std::string number_text(float value, int decimals) {
    if (std::isnan(value)) return "?";
    if (std::isinf(value)) return value < 0 ? "−∞" : "∞";
    if (std::abs(value) >= 99999.5f) return fmt::format("{:.1e}", value);
    std::string text = fmt::format("{:.{}f}", value, decimals);
    if (text[0] == '-') text = has_only_zeros(text) ? text.substr(1) : "−" + text.substr(1);
    return text;
}

std::string change_text(float change, int decimals) {
    std::string out = number_text(change, decimals);
    return change > 0 && !has_only_zeros(out) ? "+" + out : out;
}

std::string slope_text(float slope) {
    constexpr int kUsual = 2, kMost = 6;
    if (slope == 0 || !std::isfinite(slope)) return number_text(slope);
    const int decimals = 1 - static_cast<int>(std::floor(std::log10(std::abs(slope))));
    if (decimals <= kMost) return number_text(slope, std::max(decimals, kUsual));
    return fmt::format("{}{:.1e}", slope < 0 ? "−" : "", std::abs(slope));
}

std::string telling_text(float value) {
    std::string text = number_text(value);
    return has_only_zeros(text) ? slope_text(value) : text;
}

std::string row_text(float value, const std::function<bool(std::string_view)>& fits) {
    constexpr int kMost = 4;
    std::string usual = number_text(value);
    if (!std::isfinite(value) || !has_only_zeros(usual)) return usual;
    if (value == 0) return "0";
    const std::string sign = value < 0 ? "−" : "", less = value < 0 ? ">−" : "<";
    std::string least = less + ".01";
    for (int decimals = 3; decimals <= kMost; ++decimals) {
        const std::string digits = fmt::format("{:.{}f}", std::abs(value), decimals);
        if (has_only_zeros(digits)) {
            least = fmt::format("{}.{:0>{}}", less, 1, decimals);
            continue;
        }
        if (fits(sign + digits)) return sign + digits;
        if (fits(sign + digits.substr(1))) return sign + digits.substr(1);
        break;
    }
    if (fits(least)) return least;
    return fits(less + ".01") ? less + ".01" : usual;
}

std::string short_row_text(float value, const std::function<bool(std::string_view)>& fits) {
    std::string text = row_text(value, fits);
    if (fits(text)) return text;
    // First drop a leading zero; but never write 0 for a number that is not 0.
    const std::size_t digits = text.find_first_of("0123456789.");
    if (digits != std::string::npos && text.substr(digits).starts_with("0.") && !has_only_zeros(text))
        if (std::string bare = text.substr(0, digits) + text.substr(digits + 1); fits(bare)) return bare;
    const float size = std::abs(value);
    for (int decimals = 1; decimals >= 0 && size >= (decimals == 1 ? 0.995f : 99.95f); --decimals)
        if (std::string shorter = number_text(value, decimals); fits(shorter)) return shorter;
    return {};
}

int decimals_that_add_up(std::span<const float> parts, float sum, int least, int most) {
    for (int decimals = least; decimals <= most; ++decimals) {
        const double unit = std::pow(10.0, decimals);
        const auto written = [&](float value) { return std::nearbyint(static_cast<double>(value) * unit); };
        double added = 0;
        for (const float part : parts) added += written(part);
        if (added == written(sum)) return decimals;
    }
    return 0;
}

std::string minus_text(float value) { return (value < 0 ? "+ " : "− ") + number_text(std::abs(value)); }

std::string weight_text(double share) {
    constexpr double kAll = 99.9999;  // rounding of float32 weights may leave a sum this far from 1
    const double percent = 100 * share;
    if (percent >= 99.5 && percent < kAll) return percent < 99.95 ? fmt::format("{:.1f}%", percent) : ">99.9%";
    if (share == 0 || percent >= 0.995) return fmt::format("{:.0f}%", percent);
    return percent >= 0.01 ? fmt::format("{:.1g}%", percent) : percent > 0 ? "<0.01%" : number_text(static_cast<float>(share));
}

std::string chance_text(double share) {
    const double percent = 100 * share;
    if (percent >= 99.95 && percent < 100) return ">99.9%";
    if (percent >= 1 || share == 0) return fmt::format("{:.1f}%", percent);
    return percent >= 0.005 ? fmt::format("{:.2f}%", percent) : "<0.01%";
}

std::string short_chance_text(double share) {
    const double percent = 100 * share;
    if (percent >= 99.5 && percent < 100) return ">99%";
    return percent >= 0.5 || share == 0 ? fmt::format("{:.0f}%", percent) : "<1%";
}

}  // namespace app
