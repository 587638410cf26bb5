#include "app/content/number_text.h"

#include <fmt/format.h>

#include <cmath>

namespace app {

bool has_only_noughts(std::string_view number) { return number.find_first_of("123456789") == std::string_view::npos; }

std::string number_text(float value, int decimals) {
    if (std::isnan(value)) return "?";
    if (std::isinf(value)) return value < 0 ? "−∞" : "∞";
    if (std::abs(value) >= 99999.5f) return fmt::format("{:.1e}", value);
    std::string text = fmt::format("{:.{}f}", value, decimals);
    if (text[0] == '-') text = has_only_noughts(text) ? text.substr(1) : "−" + text.substr(1);
    return text;
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
    return has_only_noughts(text) ? slope_text(value) : text;
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

}  // namespace app
