#include "tests/frames/golden.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "app/export/png.h"
#include "app/gfx/gl_info.h"
#include "app/ui/compat.h"
#include "core/io/files.h"
#include "places.h"

namespace frames {
namespace {

namespace fs = std::filesystem;
using app::gfx::Image;

int furthest(const std::uint8_t* a, const std::uint8_t* b) {
    int most = 0;
    for (int c = 0; c < 4; ++c) most = std::max(most, std::abs(static_cast<int>(a[c]) - static_cast<int>(b[c])));
    return most;
}

void paint(std::uint8_t* pixel, int r, int g, int b) {
    pixel[0] = static_cast<std::uint8_t>(r);
    pixel[1] = static_cast<std::uint8_t>(g);
    pixel[2] = static_cast<std::uint8_t>(b);
    pixel[3] = 255;
}

/// The software renderer makes its code for the processor that it finds, and rounds accordingly.
std::string processor() {
    std::string features = "processor:";
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2")) features += " avx2";
    if (__builtin_cpu_supports("fma")) features += " fma";
    if (__builtin_cpu_supports("avx512f")) features += " avx512f";
#else
    features += " other";
#endif
    return features;
}

constexpr std::size_t kMostBytesOfOne = 4u << 20;

void write_png(const fs::path& path, const Image& image) {
    const auto png = app::encode_png(image);
    ASSERT_TRUE(png) << png.error().text();
    fs::create_directories(path.parent_path());
    const auto written = attn::atomic_write(path, {reinterpret_cast<const char*>(png->data()), png->size()});
    ASSERT_TRUE(written) << written.error().text();
}

Image read_png(const fs::path& path) {
    const auto bytes = attn::read_file(path, kMostBytesOfOne);
    if (!bytes) return {};
    auto png = app::decode_png({reinterpret_cast<const std::uint8_t*>(bytes->data()), bytes->size()});
    return png ? std::move(png->image) : Image{};
}

fs::path with_ending(const fs::path& folder, const fs::path& name, std::string_view ending) {
    return (folder / name).concat(ending);
}

void renew(const fs::path& name, const Image& actual) {
    write_png(with_ending(golden_folder(), name, ".png"), actual);
    const auto written = attn::atomic_write(golden_folder() / "renderer.txt", renderer_now());
    ASSERT_TRUE(written) << written.error().text();
}

}  // namespace

void expect_golden(const fs::path& name, const Image& actual, Tolerance here, Tolerance elsewhere) {
    if (renewing()) return renew(name, actual);
    const Image golden = read_png(with_ending(golden_folder(), name, ".png"));
    const fs::path seen = with_ending(failure_folder(), name, ".actual.png");
    if (golden.empty()) {
        write_png(seen, actual);
        FAIL() << "no golden of this yet: look at " << seen << " and renew with ATTN_RENEW_GOLDENS=1";
    }
    // A processor of the same name can still round otherwise (seen: four pictures, by a level or two).
    const bool at_home = renderer_of_goldens() == renderer_now() && std::getenv("ATTN_EXACT_GOLDENS") != nullptr;
    const Tolerance allowed = at_home ? here : elsewhere;
    const Difference found = difference(golden, actual, allowed.channel);
    if (within(found, golden, allowed)) return;
    write_png(seen, actual);
    write_png(with_ending(failure_folder(), name, ".difference.png"), found.picture);
    ADD_FAILURE() << (found.same_size
                          ? std::to_string(found.pixels) + " pixels differ by more than " +
                                std::to_string(allowed.channel) + ", the furthest by " + std::to_string(found.largest)
                          : std::string("the size differs"))
                  << (at_home ? "" : " (made on another renderer)") << "\nsee "
                  << with_ending(failure_folder(), name, ".*");
}

Difference difference(const Image& golden, const Image& actual, int channel) {
    Difference found;
    if (golden.width != actual.width || golden.height != actual.height) {
        found.same_size = false;
        found.picture = actual;
        return found;
    }
    found.picture = app::gfx::make_image(golden.width, golden.height);
    const int across = golden.width / kBlock + 1;
    std::vector<int> blocks(static_cast<std::size_t>(across) * static_cast<std::size_t>(golden.height / kBlock + 1));
    for (int y = 0; y < golden.height; ++y)
        for (int x = 0; x < golden.width; ++x) {
            const std::uint8_t *a = golden.at(x, y), *b = actual.at(x, y);
            const int off = furthest(a, b);
            found.largest = std::max(found.largest, off);
            if (off > channel) {
                ++found.pixels;
                int& in_block = blocks[static_cast<std::size_t>(y / kBlock * across + x / kBlock)];
                found.densest = std::max(found.densest, ++in_block);
                paint(found.picture.at(x, y), 255, 160 - std::min(off * 2, 160), 0);
            } else {
                const int grey = 200 + (a[0] + a[1] + a[2]) * 55 / (3 * 255);
                paint(found.picture.at(x, y), grey, grey, grey);
            }
        }
    return found;
}

bool within(const Difference& found, const Image& golden, Tolerance tolerance) {
    const double all = static_cast<double>(golden.width) * golden.height;
    return found.same_size && found.densest <= tolerance.block &&
           static_cast<double>(found.pixels) <= tolerance.share * all;
}

Image cropped(const Image& image, int x, int y, int width, int height) {
    x = std::clamp(x, 0, image.width);
    y = std::clamp(y, 0, image.height);
    Image out = app::gfx::make_image(std::min(width, image.width - x), std::min(height, image.height - y));
    for (int row = 0; row < out.height; ++row)
        std::copy_n(image.rgba.data() + (static_cast<std::size_t>(y + row) * static_cast<std::size_t>(image.width) +
                                         static_cast<std::size_t>(x)) *
                                            4,
                    static_cast<std::size_t>(out.width) * 4,
                    out.rgba.data() + static_cast<std::size_t>(row) * static_cast<std::size_t>(out.width) * 4);
    return out;
}

std::filesystem::path golden_folder() { return std::filesystem::path(ATTN_SOURCE_DIR) / "tests/frames/golden"; }

std::filesystem::path failure_folder() {
    return std::filesystem::read_symlink("/proc/self/exe").parent_path() / "frames-that-differ";
}

std::string renderer_now() {
    const app::gfx::GlInfo info = app::gfx::gl_info();
    return "renderer: " + info.renderer + "\nversion: " + info.version + "\n" + processor() +
           "\nimgui: " + std::string(app::gui::Backend::version()) + "\n";
}

std::string renderer_of_goldens() {
    constexpr std::size_t kMost = 4096;
    const auto text = attn::read_file(golden_folder() / "renderer.txt", kMost);
    return text ? *text : std::string();
}

bool renewing() {
    const char* asked = std::getenv("ATTN_RENEW_GOLDENS");
    return asked && std::string_view(asked) == "1";
}

}  // namespace frames
