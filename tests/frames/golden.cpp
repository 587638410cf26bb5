#include "tests/frames/golden.h"

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "core/io/files.h"
#include "places.h"
#include "tests/frames/contact_sheet.h"
#include "tests/frames/record_compare.h"
#include "tests/frames/record_loose.h"
#include "tests/frames/replay.h"
#include "tests/frames/typefaces.h"
#include "tests/support/png_file.h"

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

fs::path with_ending(const fs::path& folder, const fs::path& name, std::string_view ending) {
    return (folder / name).concat(ending);
}

std::string_view renewal() {
    const char* renew = std::getenv("ATTN_RENEW_GOLDENS");
    return renew ? renew : "";
}
/// The environment variable names these fonts.
bool names_typefaces() { return !renewing() && renewal() != "" && renewal() != "0"; }

/// Says once that the fonts are not those of the goldens.
void say_what_is_compared() {
    static const bool said = [] {
        const GoldenTypefaces& typefaces = golden_typefaces();
        std::cout << "Letters are of another width here than where the goldens were made ("
                  << furthest_apart(typefaces.golden, typefaces_here()) << "; these typefaces are "
                  << (typefaces.name == "?" ? "not known" : "those of " + typefaces.name)
                  << "): what is drawn is compared, with some room for places; pictures are not compared pixel by pixel."
                  << std::endl;
        return true;
    }();
    static_cast<void>(said);
}

/// Fonts of another release: how a golden's frames differ with them.
fs::path known_file(std::string_view typefaces, const fs::path& file) {
    return with_ending(typefaces_folder() / typefaces, file, ".txt");
}

constexpr std::size_t kMostBytesOfOne = 4u << 20;

Image read_png(const fs::path& path) {
    const auto bytes = attn::read_file(path, kMostBytesOfOne);
    if (!bytes) return {};
    auto png = app::decode_png({reinterpret_cast<const std::uint8_t*>(bytes->data()), bytes->size()});
    return png ? std::move(png->image) : Image{};
}

}  // namespace

void expect_picture(const fs::path& name, const Image& actual, bool changed) {
    if (!golden_typefaces().same() && renewal() != "all") return say_what_is_compared();
    const fs::path file = with_ending(golden_folder(), name, ".png");
    const Image golden = read_png(file);
    const Difference found = difference(golden, actual, kPixels.channel);
    const bool fits = !golden.empty() && within(found, golden, kPixels);
    if (renewing()) {
        if (fits && !changed) return;
        add_to_contact_sheet(name.string() + ".png", golden, actual);
        return write_png(file, actual);
    }
    if (fits) return;
    write_png(with_ending(failure_folder(), name, ".pixels.png"), actual);
    if (golden.empty()) {
        ADD_FAILURE() << "no picture of this yet: renew with ATTN_RENEW_GOLDENS=1";
        return;
    }
    write_png(with_ending(failure_folder(), name, ".pixels-difference.png"), found.picture);
    ADD_FAILURE() << (found.same_size
                          ? std::to_string(found.pixels) + " pixels differ by more than " +
                                std::to_string(kPixels.channel) + ", the furthest by " + std::to_string(found.largest)
                          : std::string("the size differs"))
                  << "\nsee " << with_ending(failure_folder(), name, ".pixels*.png");
}

namespace {

constexpr std::size_t kPicturesOfFailures = 4;  // of one file

void frame_with(Image& image, app::Rect rect, int r, int g, int b) {
    const auto part = app::intersection(rect.inset(-2), {0, 0, static_cast<float>(image.width), static_cast<float>(image.height)});
    if (part.empty()) return;
    const int left = static_cast<int>(part.x), top = static_cast<int>(part.y);
    const int right = std::min(static_cast<int>(part.right()), image.width - 1),
              bottom = std::min(static_cast<int>(part.bottom()), image.height - 1);
    for (int x = left; x <= right; ++x) paint(image.at(x, top), r, g, b), paint(image.at(x, bottom), r, g, b);
    for (int y = top; y <= bottom; ++y) paint(image.at(left, y), r, g, b), paint(image.at(right, y), r, g, b);
}

Image with_changes(Image image, const std::vector<Change>& found) {
    for (std::uint8_t& byte : image.rgba) byte = static_cast<std::uint8_t>(128 + byte / 2);
    for (const Change& change : found) {
        if (!change.expected.empty()) frame_with(image, place_of(change.expected), 0, 60, 255);
        if (!change.found.empty()) frame_with(image, place_of(change.found), 255, 0, 0);
    }
    return image;
}

/// Refuses to renew here, and says why.
bool refused() {
    if (golden_typefaces().same() || renewal() == "all") return false;
    ADD_FAILURE() << "The goldens were made with other typefaces: "
                  << furthest_apart(golden_typefaces().golden, typefaces_here())
                  << ". What is renewed with these would differ from the other goldens, and everywhere else. Renew on Debian 12, "
                     "or make all of them anew with these: ATTN_RENEW_GOLDENS=all";
    return true;
}

bool renew_records(const fs::path& file, const Records& found, const Pictures& pictures) {
    if (refused()) return false;
    if (!golden_typefaces().same()) write_typefaces(typefaces_folder() / "goldens.txt", typefaces_here());
    const Records before = read_records(with_ending(golden_folder(), file, ".txt"));
    bool changed = before.size() != found.size();
    for (std::size_t i = 0; i < found.size(); ++i) {
        const Record* old = find(before, found[i].first);
        if (old && changes(*old, found[i].second).empty()) continue;
        changed = true;
        if (before.empty() && i > 0) continue;  // a new file: its first frame represents all
        add_to_contact_sheet(file.string() + " " + found[i].first, old ? pictures.of(i, *old) : Image{}, pictures.now(i));
    }
    if (changed) write_records(with_ending(golden_folder(), file, ".txt"), found);
    return changed;
}

/// Writes the differences of the frames with these fonts, if there are more than slightly moved places.
void note_typefaces(const fs::path& file, const Records& expected, const Records& found) {
    const Typefaces& here = typefaces_here();
    write_typefaces(typefaces_folder() / std::string(renewal()).append(".txt"), here);
    Records known;
    for (const auto& [name, record] : found)
        if (const Record* golden = find(expected, name)) {
            Record moved = moved_by_widths(*golden, record, looseness_of(golden_typefaces().ratio));
            if (!moved.empty()) known.emplace_back(name, std::move(moved));
        }
    if (known.empty())
        fs::remove(known_file(renewal(), file));
    else
        write_records(known_file(renewal(), file), known);
}

/// As changes(), or compared as loosely as the fonts of this machine require.
std::vector<Change> changes_here(const Record& golden, const Record& found, const Record* known) {
    const GoldenTypefaces& typefaces = golden_typefaces();
    if (typefaces.same()) return changes(golden, found);
    say_what_is_compared();
    return loose_changes(golden, found, looseness_of(typefaces.ratio), known ? *known : Record{});
}

}  // namespace

bool expect_records(const fs::path& file, const Records& found, const Pictures& pictures) {
    if (renewing()) return renew_records(file, found, pictures);
    const Records expected = read_records(with_ending(golden_folder(), file, ".txt"));
    if (names_typefaces()) return note_typefaces(file, expected, found), false;
    const Records known = read_records(known_file(golden_typefaces().name, file));
    for (const auto& [name, record] : expected)
        EXPECT_TRUE(find(found, name)) << name << " of " << file << ".txt is no frame any more: renew it";
    std::size_t failed = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
        const Record* golden = find(expected, found[i].first);
        const std::vector<Change> differs =
            changes_here(golden ? *golden : Record{}, found[i].second, find(known, found[i].first));
        if (golden && differs.empty()) continue;
        const fs::path seen = found.size() == 1 ? file : file / found[i].first;
        write_records(with_ending(failure_folder(), seen, ".actual.txt"), {found[i]});
        ADD_FAILURE() << file.string() << ".txt, " << found[i].first << ": "
                      << (golden ? text_of_changes(differs) : "no golden of this yet: renew with ATTN_RENEW_GOLDENS=1") << "\nsee "
                      << with_ending(failure_folder(), seen, ".*");
        if (++failed > kPicturesOfFailures) continue;
        const Image actual = pictures.now(i);
        write_png(with_ending(failure_folder(), seen, ".actual.png"), actual);
        if (golden) write_png(with_ending(failure_folder(), seen, ".difference.png"), with_changes(actual, differs));
    }
    return false;
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

bool renewing() { return renewal() == "1" || renewal() == "all"; }

}  // namespace frames
