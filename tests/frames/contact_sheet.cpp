#include "tests/frames/contact_sheet.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <vector>

#include "app/export/png.h"
#include "core/io/files.h"

namespace frames {
namespace {

namespace fs = std::filesystem;
using app::gfx::Image;

constexpr int kWide = 640, kGap = 16, kMostTall = 6000;  // of a picture; between pictures; of a sheet

void put(Image& on, const Image& image, int left, int top) {
    for (int y = 0; y < image.height; ++y)
        std::copy_n(image.at(0, y), static_cast<std::size_t>(image.width) * 4, on.at(left, top + y));
}

Image blank(int width, int height) {
    Image image = app::gfx::make_image(width, height);
    std::fill(image.rgba.begin(), image.rgba.end(), std::uint8_t{225});
    for (std::size_t i = 3; i < image.rgba.size(); i += 4) image.rgba[i] = 255;
    return image;
}

class Sheets : public testing::Environment {
public:
    void add(const std::string& name, const Image& before, const Image& after) {
        if (names_.empty()) fs::remove_all(renewed_folder());
        const Image row = side_by_side(fitted_into(before, kWide), fitted_into(after, kWide));
        if (tall_ + row.height > kMostTall && !rows_.empty()) write();
        names_.push_back(fmt::format("sheet {}, row {}: {}", sheet_, rows_.size() + 1, name));
        tall_ += row.height + kGap;
        rows_.push_back(row);
    }
    void TearDown() override {
        if (names_.empty()) return;
        write();
        for (const std::string& name : names_) std::printf("%s\n", name.c_str());
        std::printf("%zu renewed; before and after side by side: %s\n", names_.size(),
                    (renewed_folder() / "contact-sheet-*.png").c_str());
    }

private:
    void write() {
        int wide = 0, tall = kGap;
        for (const Image& row : rows_) wide = std::max(wide, row.width), tall += row.height + kGap;
        Image sheet = blank(wide + 2 * kGap, tall);
        int top = kGap;
        for (const Image& row : rows_) {
            put(sheet, row, kGap, top);
            top += row.height + kGap;
        }
        write_png(renewed_folder() / fmt::format("contact-sheet-{}.png", sheet_++), sheet);
        rows_.clear();
        tall_ = 0;
    }

    std::vector<Image> rows_;
    std::vector<std::string> names_;
    int tall_ = 0, sheet_ = 1;
};

}  // namespace

fs::path renewed_folder() { return fs::read_symlink("/proc/self/exe").parent_path() / "frames-renewed"; }

void add_to_contact_sheet(const std::string& name, const Image& before, const Image& after) {
    static Sheets* const kSheets = [] {
        auto* sheets = new Sheets;  // the framework's from here on
        testing::AddGlobalTestEnvironment(sheets);
        return sheets;
    }();
    kSheets->add(name, before, after);
}

Image fitted_into(const Image& image, int width) {
    if (image.width <= width) return image;
    const double scale = static_cast<double>(image.width) / width;
    Image out = app::gfx::make_image(width, static_cast<int>(image.height / scale));
    for (int y = 0; y < out.height; ++y)
        for (int x = 0; x < out.width; ++x) {
            const int left = static_cast<int>(x * scale), right = std::max(left + 1, static_cast<int>((x + 1) * scale));
            const int top = static_cast<int>(y * scale), bottom = std::max(top + 1, static_cast<int>((y + 1) * scale));
            int sum[4] = {}, count = 0;
            for (int j = top; j < std::min(bottom, image.height); ++j)
                for (int i = left; i < std::min(right, image.width); ++i, ++count)
                    for (int c = 0; c < 4; ++c) sum[c] += image.at(i, j)[c];
            for (int c = 0; c < 4; ++c) out.at(x, y)[c] = static_cast<std::uint8_t>(sum[c] / std::max(count, 1));
        }
    return out;
}

Image side_by_side(const Image& left, const Image& right) {
    const int column = std::max({left.width, right.width, 1});
    Image out = blank(2 * column + kGap, std::max({left.height, right.height, 1}));
    put(out, left, 0, 0);
    put(out, right, column + kGap, 0);
    return out;
}

void write_png(const fs::path& path, const Image& image) {
    const auto png = app::encode_png(image);
    ASSERT_TRUE(png) << png.error().text();
    fs::create_directories(path.parent_path());
    const auto written = attn::atomic_write(path, {reinterpret_cast<const char*>(png->data()), png->size()});
    ASSERT_TRUE(written) << written.error().text();
}

}  // namespace frames
