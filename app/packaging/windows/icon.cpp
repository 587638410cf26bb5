// Writes the program's icon as a file of Windows, in all sizes that Windows asks for, to standard output. It is compiled and
// run on the machine that builds (app/packaging/windows/program); the program itself does not contain it.

#include <array>
#include <cstdint>
#include <cstdio>
#include <string>

#include "app/gfx/icon.h"

namespace {

constexpr std::array<int, 8> kSizes{16, 20, 24, 32, 40, 48, 64, 256};
constexpr std::uint32_t kHeader = 6, kEntry = 16, kBitmapHeader = 40;

void put(std::string& out, std::uint32_t value, int bytes) {
    for (int i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * i) & 0xFF);
}

/// A bitmap of twice the height: 32 bits a pixel from the lowest row up, then a mask of one bit a pixel, which is not used
/// beside an alpha channel; its rows are filled up to 4 bytes.
std::string bitmap(int size) {
    const auto side = static_cast<std::uint32_t>(size);
    std::string out;
    put(out, kBitmapHeader, 4);
    put(out, side, 4);
    put(out, 2 * side, 4);
    put(out, 1, 2);
    put(out, 32, 2);
    for (int i = 0; i < 6; ++i) put(out, 0, 4);
    app::gfx::Image icon = app::gfx::app_icon(size);
    for (int y = size - 1; y >= 0; --y)
        for (int x = 0; x < size; ++x) {
            const std::uint8_t* pixel = icon.at(x, y);
            for (const int channel : {2, 1, 0, 3}) out += static_cast<char>(pixel[channel]);
        }
    out.append(static_cast<std::size_t>((size + 31) / 32 * 4 * size), '\0');
    return out;
}

}  // namespace

int main() {
    std::string head, images;
    put(head, 0, 2);
    put(head, 1, 2);
    put(head, kSizes.size(), 2);
    for (const int size : kSizes) {
        const std::string image = bitmap(size);
        const std::uint32_t side = size == 256 ? 0 : static_cast<std::uint32_t>(size);
        put(head, side, 1);
        put(head, side, 1);
        put(head, 0, 2);
        put(head, 1, 2);
        put(head, 32, 2);
        put(head, static_cast<std::uint32_t>(image.size()), 4);
        put(head, kHeader + kEntry * static_cast<std::uint32_t>(kSizes.size()) + static_cast<std::uint32_t>(images.size()), 4);
        images += image;
    }
    head += images;
    return std::fwrite(head.data(), 1, head.size(), stdout) == head.size() ? 0 : 1;
}
