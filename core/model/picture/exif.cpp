#include "core/model/picture/picture_formats.h"

namespace attn {
namespace {

/// Numbers of a TIFF structure, in its own byte order; 0 past the end.
struct TiffNumbers {
    std::string_view bytes;
    bool big = false;

    std::uint32_t at(std::size_t place, std::size_t size) const {
        if (place > bytes.size() || bytes.size() - place < size) return 0;
        std::uint32_t out = 0;
        for (std::size_t i = 0; i < size; ++i) out = out << 8 | static_cast<std::uint8_t>(bytes[place + (big ? i : size - 1 - i)]);
        return out;
    }
};

constexpr std::uint32_t kOrientation = 0x0112, kShort = 3;
constexpr std::size_t kEntry = 12;

}  // namespace

int exif_orientation(std::string_view segment) {
    constexpr std::string_view kExif("Exif\0\0", 6);
    if (!segment.starts_with(kExif)) return 1;
    const std::string_view tiff = segment.substr(kExif.size());
    const TiffNumbers numbers{tiff, tiff.starts_with("MM")};
    if (!numbers.big && !tiff.starts_with("II")) return 1;
    const std::size_t first = numbers.at(4, 4);
    const std::uint32_t count = numbers.at(first, 2);  // at most 65,535; entries past the end read as 0
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::size_t entry = first + 2 + i * kEntry;
        if (numbers.at(entry, 2) != kOrientation) continue;
        const std::uint32_t said = numbers.at(entry + 8, 2);
        return numbers.at(entry + 2, 2) == kShort && said >= 1 && said <= 8 ? static_cast<int>(said) : 1;
    }
    return 1;
}

}  // namespace attn
