#include "app/export/svg_text.h"

#include <fmt/format.h>

#include <cmath>

namespace app::svg {
namespace {

struct TypeRow {
    std::string_view name, rules;
};
// The fonts' family names, as in the fonts, in Debian's packages and elsewhere, then a generic one. Kerning and
// ligatures are off, as in the frame.
constexpr TypeRow kWords{"w", "font-family:Inter,'Noto Sans CJK SC',sans-serif"};
constexpr TypeRow kStrong{"b", "font-family:Inter,'Noto Sans CJK SC',sans-serif;font-weight:600"};
constexpr TypeRow kNumber{"n", "font-family:'JetBrains Mono','Noto Sans CJK SC',monospace"};
constexpr TypeRow kNumberStrong{"m", "font-family:'JetBrains Mono','Noto Sans CJK SC',monospace;font-weight:700"};
constexpr TypeRow kItalic{"i", "font-family:STIXGeneral,'STIX Two Text',serif;font-style:italic"};
constexpr TypeRow kUpright{"u", "font-family:STIXGeneral,'STIX Two Text',serif"};
constexpr TypeRow kTypes[] = {kWords, kStrong, kNumber, kNumberStrong, kItalic, kUpright};

const TypeRow& row_of(Type type) {
    switch (type) {
        case Type::Small:
        case Type::Body:
        case Type::Title:
        case Type::Lead:
        case Type::Medium:
        case Type::Large:
        case Type::Huge:
            return kWords;
        case Type::SmallStrong:
        case Type::BodyStrong:
        case Type::TitleStrong:
        case Type::MediumStrong:
        case Type::LargeStrong:
        case Type::HugeStrong:
            return kStrong;
        case Type::Number:
        case Type::NumberSmall:
        case Type::NumberLarge:
            return kNumber;
        case Type::NumberStrong:
        case Type::NumberHuge:
            return kNumberStrong;
        case Type::Math:
        case Type::MathSmall:
        case Type::MathLarge:
            return kItalic;
        case Type::MathUpright:
        case Type::MathUprightSmall:
        case Type::MathUprightLarge:
        case Type::MathSign:
            break;
    }
    return kUpright;
}

}  // namespace

std::string number(float value) {
    if (!std::isfinite(value)) return "0";
    std::string text = fmt::format("{:.2f}", value);
    while (text.back() == '0') text.pop_back();
    if (text.back() == '.') text.pop_back();
    return text == "-0" ? "0" : text;
}

std::string base64(std::span<const std::uint8_t> bytes) {
    constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string out;
    out.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        const std::size_t left = bytes.size() - i;
        const std::uint32_t three = static_cast<std::uint32_t>(bytes[i]) << 16 |
                                    (left > 1 ? static_cast<std::uint32_t>(bytes[i + 1]) << 8 : 0) |
                                    (left > 2 ? static_cast<std::uint32_t>(bytes[i + 2]) : 0);
        out += kDigits[three >> 18];
        out += kDigits[three >> 12 & 63];
        out += left > 1 ? kDigits[three >> 6 & 63] : '=';
        out += left > 2 ? kDigits[three & 63] : '=';
    }
    return out;
}

std::string paint(std::string_view what, std::uint32_t color) {
    const unsigned r = color & 255, g = color >> 8 & 255, b = color >> 16 & 255, a = color >> 24;
    const bool stop = what == "stop";
    std::string out = fmt::format(" {}{}=\"#{:02x}{:02x}{:02x}\"", what, stop ? "-color" : "", r, g, b);
    if (a < 255) out += fmt::format(" {}-opacity=\"{:.3g}\"", what, static_cast<double>(a) / 255);
    return out;
}

std::string_view type_class(Type type) { return row_of(type).name; }

std::string type_rules() {
    std::string out = "text{font-kerning:none;font-variant-ligatures:none}";
    for (const TypeRow& row : kTypes) out += fmt::format(".{}{{{}}}", row.name, row.rules);
    return out;
}

}  // namespace app::svg
