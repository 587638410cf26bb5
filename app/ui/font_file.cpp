#include "app/ui/font_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <optional>

namespace app {
namespace {

using Bytes = std::span<const std::byte>;

// Big-endian reads; the caller has checked the length.
std::uint32_t u16(Bytes b, std::size_t at) {
    return std::to_integer<std::uint32_t>(b[at]) << 8 | std::to_integer<std::uint32_t>(b[at + 1]);
}
std::uint32_t u32(Bytes b, std::size_t at) { return u16(b, at) << 16 | u16(b, at + 2); }

constexpr std::uint32_t tag(const char (&name)[5]) {
    return static_cast<std::uint32_t>(static_cast<unsigned char>(name[0])) << 24 |
           static_cast<std::uint32_t>(static_cast<unsigned char>(name[1])) << 16 |
           static_cast<std::uint32_t>(static_cast<unsigned char>(name[2])) << 8 |
           static_cast<std::uint32_t>(static_cast<unsigned char>(name[3]));
}

attn::Error bad(std::string message) { return {std::move(message), {}, {}, 0}; }

/// Where the face's table directory begins.
attn::Result<std::size_t> directory(Bytes bytes, int face) {
    if (bytes.size() < 12) return bad("too short to be a font");
    if (face < 0) return bad("the font's number is negative");
    if (u32(bytes, 0) != tag("ttcf")) {
        if (face != 0) return bad(fmt::format("font number {} asked of a file that holds one font", face));
        return std::size_t{0};
    }
    const std::uint32_t count = u32(bytes, 8);
    if (static_cast<std::uint32_t>(face) >= count) {
        return bad(fmt::format("font number {} asked of a collection of {}", face, count));
    }
    const std::size_t entry = 12 + static_cast<std::size_t>(face) * 4;
    if (entry + 4 > bytes.size()) return bad("the collection is cut off");
    return std::size_t{u32(bytes, entry)};
}

/// The sum of the table's big-endian words, the last one filled with zeros (OpenType, "Calculating checksums").
std::uint32_t checksum(Bytes table) {
    std::uint32_t sum = 0;
    const std::size_t whole = table.size() / 4 * 4;
    for (std::size_t i = 0; i < whole; i += 4) sum += u32(table, i);
    for (std::size_t i = whole; i < table.size(); ++i) {
        sum += std::to_integer<std::uint32_t>(table[i]) << (24 - 8 * (i - whole));
    }
    return sum;
}

/// The tables of one face, each known to lie inside the file.
struct Tables {
    std::optional<Bytes> cmap, head, hhea, hmtx, maxp, glyf, loca, cff;

    std::optional<Bytes>* slot(std::uint32_t name) {
        switch (name) {
            case tag("cmap"):
                return &cmap;
            case tag("head"):
                return &head;
            case tag("hhea"):
                return &hhea;
            case tag("hmtx"):
                return &hmtx;
            case tag("maxp"):
                return &maxp;
            case tag("glyf"):
                return &glyf;
            case tag("loca"):
                return &loca;
            case tag("CFF "):
                return &cff;
            default:
                return nullptr;
        }
    }
};

attn::Result<Tables> read_tables(Bytes bytes, std::size_t start) {
    if (start + 12 > bytes.size()) return bad("the font is cut off");
    const std::uint32_t magic = u32(bytes, start);
    if (magic != 0x00010000 && magic != tag("true") && magic != tag("OTTO"))
        return bad("not a TrueType or OpenType font");
    const std::size_t count = u16(bytes, start + 4);
    if (start + 12 + count * 16 > bytes.size()) return bad("the table directory is cut off");
    Tables tables;
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t record = start + 12 + i * 16;
        const std::size_t offset = u32(bytes, record + 8), length = u32(bytes, record + 12);
        if (offset > bytes.size() || length > bytes.size() - offset)
            return bad("a table lies outside the file: cut off?");
        std::optional<Bytes>* slot = tables.slot(u32(bytes, record));
        if (!slot) continue;
        *slot = bytes.subspan(offset, length);
        // 'head' holds a sum of the whole file, which its own checksum leaves out.
        const bool is_head = u32(bytes, record) == tag("head");
        if (!is_head && checksum(**slot) != u32(bytes, record + 4)) return bad("a table is damaged (checksum)");
    }
    return tables;
}

/// The rasteriser reads Unicode maps of formats 0, 4, 6, 12 and 13 and gives up on others.
bool readable_map(Bytes cmap) {
    if (cmap.size() < 4) return false;
    const std::size_t count = u16(cmap, 2);
    if (4 + count * 8 > cmap.size()) return false;
    bool found = false;
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint32_t platform = u16(cmap, 4 + i * 8), encoding = u16(cmap, 6 + i * 8);
        const bool unicode = platform == 0 || (platform == 3 && (encoding == 1 || encoding == 10));
        if (!unicode) continue;
        const std::size_t offset = u32(cmap, 8 + i * 8);
        if (offset > cmap.size() || cmap.size() - offset < 16) return false;
        const std::uint32_t format = u16(cmap, offset);
        const bool wide = format == 12 || format == 13;
        if (format == 14) continue;  // variation sequences: not looked at
        if (!wide && format != 0 && format != 4 && format != 6) return false;
        const std::size_t length = wide ? u32(cmap, offset + 4) : u16(cmap, offset + 2);
        if (length > cmap.size() - offset) return false;
        found = true;
    }
    return found;
}

attn::Result<FontMetrics> read_metrics(const Tables& t) {
    if (!t.head || t.head->size() < 54 || !t.hhea || t.hhea->size() < 36 || !t.maxp || t.maxp->size() < 6) {
        return bad("a table of the font's measures is missing");
    }
    const std::uint32_t em = u16(*t.head, 18), glyphs = u16(*t.maxp, 4), widths = u16(*t.hhea, 34);
    const int ascent = static_cast<std::int16_t>(u16(*t.hhea, 4)), descent = static_cast<std::int16_t>(u16(*t.hhea, 6));
    if (em < 16 || em > 16384 || glyphs == 0 || ascent - descent <= 0) return bad("the font's measures make no sense");
    const bool widths_fit =
        widths > 0 && widths <= glyphs && t.hmtx && t.hmtx->size() >= widths * 4 + (glyphs - widths) * 2;
    if (!widths_fit) return bad("the font's table of widths is cut off");
    if (t.glyf) {
        const std::size_t entry = u16(*t.head, 50) == 0 ? 2 : 4;
        if (!t.loca || t.loca->size() < (std::size_t{glyphs} + 1) * entry)
            return bad("the font's outlines are cut off");
    }
    const float unit = 1.0f / static_cast<float>(em);
    return FontMetrics{static_cast<float>(ascent) * unit, static_cast<float>(-descent) * unit};
}

struct Place {
    FontSlot slot;
    const char* path;
    int face;
};

constexpr Place kPlaces[] = {
    {FontSlot::Latin, "/usr/share/fonts/opentype/inter/Inter-Regular.otf", 0},
    {FontSlot::Latin, "/usr/share/fonts/truetype/inter/Inter-Regular.ttf", 0},
    {FontSlot::LatinStrong, "/usr/share/fonts/opentype/inter/Inter-SemiBold.otf", 0},
    {FontSlot::LatinStrong, "/usr/share/fonts/truetype/inter/Inter-SemiBold.ttf", 0},
    {FontSlot::Mono, "/usr/share/fonts/truetype/jetbrains-mono/JetBrainsMono-Regular.ttf", 0},
    {FontSlot::MonoStrong, "/usr/share/fonts/truetype/jetbrains-mono/JetBrainsMono-Bold.ttf", 0},
    {FontSlot::MathItalic, "/usr/share/fonts/opentype/stix/STIXGeneral-Italic.otf", 0},
    {FontSlot::MathUpright, "/usr/share/fonts/opentype/stix/STIXGeneral-Regular.otf", 0},
    {FontSlot::Chinese, "/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc", 2},
    {FontSlot::ChineseStrong, "/usr/share/fonts/opentype/noto/NotoSansCJK-Bold.ttc", 2},
    {FontSlot::Symbols, "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf", 0},
};

}  // namespace

FontFiles find_fonts(const std::string& folder) {
    FontFiles files;
    for (const Place& place : kPlaces) {
        FontFiles::Entry& entry = files[place.slot];
        const std::string path = place.path;
        if (!folder.empty()) {
            const std::string own = folder + path.substr(path.rfind('/'));
            if (::access(own.c_str(), R_OK) == 0) {
                entry = {own, place.face};
                continue;
            }
        }
        if (entry.path.empty() && ::access(path.c_str(), R_OK) == 0) entry = {path, place.face};
    }
    return files;
}

std::string_view font_package(FontSlot slot) {
    switch (slot) {
        case FontSlot::Latin:
        case FontSlot::LatinStrong:
            return "fonts-inter";
        case FontSlot::Mono:
        case FontSlot::MonoStrong:
            return "fonts-jetbrains-mono";
        case FontSlot::MathItalic:
        case FontSlot::MathUpright:
            return "fonts-stix";
        case FontSlot::Chinese:
        case FontSlot::ChineseStrong:
            return "fonts-noto-cjk";
        case FontSlot::Symbols:
            return "fonts-dejavu-core";
    }
    return {};
}

attn::Result<FontMetrics> check_font(std::span<const std::byte> bytes, int face) {
    const attn::Result<std::size_t> start = directory(bytes, face);
    if (!start) return start.error();
    const attn::Result<Tables> tables = read_tables(bytes, *start);
    if (!tables) return tables.error();
    if (!tables->glyf && !tables->cff) return bad("the font has no outlines (a colour-bitmap font?)");
    if (!tables->cmap || !readable_map(*tables->cmap)) return bad("the font's character map cannot be read");
    return read_metrics(*tables);
}

attn::Result<std::unique_ptr<FontFile>> FontFile::open(const std::string& path, int face) {
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) return attn::Error{"cannot be opened", path, {}, 0};
    struct stat info {};
    const bool regular = ::fstat(file, &info) == 0 && S_ISREG(info.st_mode) && info.st_size > 0;
    const std::size_t size = regular ? static_cast<std::size_t>(info.st_size) : 0;
    void* mapped = regular ? ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0) : MAP_FAILED;
    ::close(file);
    if (mapped == MAP_FAILED) return attn::Error{"is empty or not a file", path, {}, 0};

    std::unique_ptr<FontFile> font(new FontFile);
    font->bytes_ = {static_cast<const std::byte*>(mapped), size};
    font->face_ = face;
    attn::Result<FontMetrics> metrics = check_font(font->bytes_, face);
    if (!metrics) return attn::Error{metrics.error().message, path, {}, 0};
    font->metrics_ = *metrics;
    return font;
}

FontFile::~FontFile() {
    // munmap takes what mmap gave, a pointer to non-const.
    if (!bytes_.empty()) ::munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
}

}  // namespace app
