#pragma once
// Finds font files, and validates them before a library that aborts on bad ones sees them.

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace app {

enum class FontSlot : std::uint8_t {
    Latin,
    LatinStrong,
    Mono,
    MonoStrong,
    MathItalic,
    MathUpright,
    Chinese,
    ChineseStrong,
    Symbols,
};
inline constexpr std::size_t kFontSlots = 9;

/// A path for each slot, empty if there is none, and the font's index in a collection.
struct FontFiles {
    struct Entry {
        std::string path;
        int face = 0;
    };
    std::array<Entry, kFontSlots> entries;
    Entry& operator[](FontSlot slot) { return entries[static_cast<std::size_t>(slot)]; }
    const Entry& operator[](FontSlot slot) const { return entries[static_cast<std::size_t>(slot)]; }
};

struct FontSearch {
    std::string folder = {};   ///< a setting; fonts with the known file names in this folder come first; may be empty
    bool known_places = true;  ///< also look where Debian's packages install them
    /// fontconfig searches this folder alone; empty: everything that the system's configuration names. For tests.
    std::string fontconfig_folder = {};
};
/// The first place that has each font: the folder in the settings, Debian's location, or else the nearest match from
/// fontconfig that can be read; no path if there is none.
FontFiles find_fonts(const FontSearch& search = {});
/// The Debian package that contains the font.
std::string_view font_package(FontSlot slot);

struct FontProblem {
    FontSlot slot;
    std::string message;  // for the user: what is wrong and which package to install
};

/// What we need from a font's header. Lengths in ems, descent positive downwards.
struct FontMetrics {
    float ascent = 0.0f;
    float descent = 0.0f;
    float height() const { return ascent + descent; }
};

/// Checks everything that would make the rasteriser give up: FreeType can read the face; it has outlines (a font of
/// colour bitmaps has none) and a character map in a format that the rasteriser knows; and no table that it reads is
/// truncated or damaged (checksums).
attn::Result<FontMetrics> check_font(std::span<const std::byte> bytes, int face);

/// A validated font file in memory. It is read rather than mapped: a mapped file that shrinks ends the program with a
/// signal, and validation reads all of it anyway.
class FontFile {
public:
    static attn::Result<std::unique_ptr<FontFile>> open(const std::string& path, int face);
    FontFile(const FontFile&) = delete;
    FontFile& operator=(const FontFile&) = delete;

    std::span<const std::byte> bytes() const { return std::as_bytes(std::span(bytes_)); }
    int face() const { return face_; }
    const FontMetrics& metrics() const { return metrics_; }
    /// Whether the font has a glyph for the character.
    bool draws(char32_t code) const;
    ~FontFile();

private:
    struct Map;
    FontFile();
    std::string bytes_;
    std::unique_ptr<Map> map_;  ///< after the bytes, which it refers to
    int face_ = 0;
    FontMetrics metrics_;
};

}  // namespace app
