#include "app/ui/font_file.h"

#include <fmt/format.h>
#include <ft2build.h>

#include <algorithm>
#include <utility>

#include "core/io/files.h"

#include FT_FREETYPE_H
#include FT_FONT_FORMATS_H
#include FT_TRUETYPE_TABLES_H
#include FT_TRUETYPE_TAGS_H

namespace app {

/// FreeType's library and one face of a file in memory.
class FreeTypeFace {
public:
    FreeTypeFace(std::span<const std::byte> bytes, int number) {
        if (FT_Init_FreeType(&library_) != 0) return;
        const auto* data = reinterpret_cast<const FT_Byte*>(bytes.data());
        if (FT_New_Memory_Face(library_, data, static_cast<FT_Long>(bytes.size()), number, &face_) != 0) face_ = nullptr;
    }
    ~FreeTypeFace() {
        if (face_) FT_Done_Face(face_);
        if (library_) FT_Done_FreeType(library_);
    }
    FreeTypeFace(const FreeTypeFace&) = delete;
    FreeTypeFace& operator=(const FreeTypeFace&) = delete;

    explicit operator bool() const { return face_ != nullptr; }
    FT_Face get() const { return face_; }
    FT_Face operator->() const { return face_; }
    /// Bytes of a table; 0: there is none, or it is outside the file.
    std::size_t length(FT_ULong table) const {
        FT_ULong length = 0;
        return FT_Load_Sfnt_Table(face_, table, 0, nullptr, &length) == 0 ? length : 0;
    }

private:
    FT_Library library_ = nullptr;
    FT_Face face_ = nullptr;
};

namespace {

using Bytes = std::span<const std::byte>;

attn::Error bad(std::string message) { return {std::move(message), {}, {}, 0}; }

std::uint32_t big_endian(Bytes b, std::size_t at, std::size_t bytes) {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < bytes; ++i) value = value << 8 | std::to_integer<std::uint32_t>(b[at + i]);
    return value;
}

/// Checks that the tables read by the rasteriser are intact: the sum of each table's words, the last one padded with
/// zeros, is in the directory (OpenType, "Calculating checksums"). FreeType has read the directory before; it omits
/// tables that are not wholly inside the file, so the number of tables reveals those.
bool is_unbroken(Bytes bytes, const FreeTypeFace& face) {
    const auto number = static_cast<std::size_t>(face->face_index);
    const std::size_t start =
        big_endian(bytes, 0, 4) == TTAG_ttcf ? big_endian(bytes, 12 + 4 * number, 4) : std::size_t{0};
    const std::size_t count = big_endian(bytes, start + 4, 2);
    FT_ULong inside = 0;
    if (FT_Sfnt_Table_Info(face.get(), 0, nullptr, &inside) != 0 || inside != count) return false;
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t record = start + 12 + i * 16;
        const std::uint32_t tag = big_endian(bytes, record, 4), begin = big_endian(bytes, record + 8, 4),
                            length = big_endian(bytes, record + 12, 4);
        // 'head' holds a checksum of the whole file, which its own checksum leaves out.
        const bool read = tag == TTAG_cmap || tag == TTAG_hhea || tag == TTAG_hmtx || tag == TTAG_maxp ||
                          tag == TTAG_glyf || tag == TTAG_loca || tag == TTAG_CFF;
        if (begin > bytes.size() || length > bytes.size() - begin) return false;
        std::uint32_t sum = 0;
        for (std::size_t at = 0; read && at < length; at += 4) {
            const std::size_t left = std::min<std::size_t>(4, length - at);
            sum += big_endian(bytes, begin + at, left) << (8 * (4 - left));
        }
        if (read && sum != big_endian(bytes, record + 4, 4)) return false;
    }
    return true;
}

/// The rasteriser reads Unicode maps in formats 0, 4, 6, 12 and 13 and gives up on others, except that it skips format
/// 14 (variation sequences).
bool has_readable_map(const FreeTypeFace& face) {
    bool found = false;
    for (int i = 0; i < face->num_charmaps; ++i) {
        const FT_CharMap map = face->charmaps[i];
        const bool unicode =
            map->platform_id == 0 || (map->platform_id == 3 && (map->encoding_id == 1 || map->encoding_id == 10));
        const FT_Long format = FT_Get_CMap_Format(map);
        if (!unicode || format == 14) continue;
        if (format != 0 && format != 4 && format != 6 && format != 12 && format != 13) return false;
        found = true;
    }
    return found;
}

attn::Result<FontMetrics> read_metrics(const FreeTypeFace& face) {
    const auto* head = static_cast<const TT_Header*>(FT_Get_Sfnt_Table(face.get(), FT_SFNT_HEAD));
    const auto* hhea = static_cast<const TT_HoriHeader*>(FT_Get_Sfnt_Table(face.get(), FT_SFNT_HHEA));
    if (!head || !hhea) return bad("a table of the font's measures is missing");
    const std::size_t glyphs = static_cast<std::size_t>(face->num_glyphs), widths = hhea->number_Of_HMetrics;
    if (head->Units_Per_EM < 16 || glyphs == 0 || hhea->Ascender <= hhea->Descender)
        return bad("the font's measures make no sense");
    if (widths == 0 || widths > glyphs || face.length(TTAG_hmtx) < widths * 4 + (glyphs - widths) * 2)
        return bad("the font's table of widths is cut off");
    const std::size_t entry = head->Index_To_Loc_Format == 0 ? 2 : 4;
    if (face.length(TTAG_CFF) == 0 && face.length(TTAG_loca) < (glyphs + 1) * entry)
        return bad("the font's outlines are cut off");
    const float unit = 1.0f / static_cast<float>(head->Units_Per_EM);
    return FontMetrics{static_cast<float>(hhea->Ascender) * unit, static_cast<float>(-hhea->Descender) * unit};
}

}  // namespace

attn::Result<FontMetrics> check_font(std::span<const std::byte> bytes, int number) {
    if (bytes.size() < 12) return bad("too short to be a font");
    if (number < 0) return bad("the font's number is negative");
    const FreeTypeFace face(bytes, number);
    if (!face) return bad(fmt::format("font number {} has no outlines that FreeType can read", number));
    if (!FT_IS_SFNT(face.get())) return bad("not a TrueType or OpenType font");
    if (!FT_IS_SCALABLE(face.get()) || (face.length(TTAG_glyf) == 0 && face.length(TTAG_CFF) == 0))
        return bad("the font has no outlines (colour bitmaps?)");
    if (!is_unbroken(bytes, face)) return bad("a table is cut off or damaged (checksum)");
    if (!has_readable_map(face)) return bad("the font's character map cannot be read");
    return read_metrics(face);
}

struct FontFile::Map {
    FreeTypeFace face;
};

FontFile::FontFile() = default;
FontFile::~FontFile() = default;

bool FontFile::draws(char32_t code) const { return FT_Get_Char_Index(map_->face.get(), code) != 0; }

attn::Result<std::unique_ptr<FontFile>> FontFile::open(const std::string& path, int face) {
    constexpr std::size_t kMost = std::size_t{256} << 20;
    auto bytes = attn::read_file(path, kMost);
    if (!bytes) return bytes.error();
    std::unique_ptr<FontFile> font(new FontFile);
    font->bytes_ = std::move(*bytes);
    font->face_ = face;
    attn::Result<FontMetrics> metrics = check_font(font->bytes(), face);
    if (!metrics) return attn::Error{metrics.error().message, path, {}, 0};
    font->metrics_ = *metrics;
    font->map_.reset(new Map{FreeTypeFace(font->bytes(), face)});
    return font;
}

}  // namespace app
