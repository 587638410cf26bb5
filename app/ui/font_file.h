#pragma once
// Font files: finding them, and making sure that they are what they say before a library that aborts sees them.

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

/// A path for each slot, empty where there is none, and the font's number inside a collection.
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
    std::string folder = {};   ///< a setting: files of the known names in it come first; may be empty
    bool known_places = true;  ///< where Debian's packages put them
    /// Of the fonts in this folder alone; empty: of all that the system's configuration names. For tests.
    std::string fontconfig_folder = {};
};
/// The first place where each font is: the setting's folder, where Debian's packages put it, and where both lack it what
/// fontconfig has that comes nearest and can be read; else no path.
FontFiles find_fonts(const FontSearch& search = {});
/// The Debian package that holds it.
std::string_view font_package(FontSlot slot);

struct FontProblem {
    FontSlot slot;
    std::string message;  // for a person: what is wrong and which package to install
};

/// What is needed of a font's header. Lengths in shares of the em, descent positive downwards.
struct FontMetrics {
    float ascent = 0.0f;
    float descent = 0.0f;
    float height() const { return ascent + descent; }
};

/// Checks everything that would make the rasteriser give up: FreeType reads the face, it has outlines (a font of colour
/// bitmaps has none) and a character map of a format that the rasteriser knows, and no table that it reads is cut off
/// or damaged (checksums).
attn::Result<FontMetrics> check_font(std::span<const std::byte> bytes, int face);

/// A font file in memory, checked. It is read and not mapped: a file that shrinks under a map ends the program by a signal, and
/// checking reads all of it anyway.
class FontFile {
public:
    static attn::Result<std::unique_ptr<FontFile>> open(const std::string& path, int face);
    FontFile(const FontFile&) = delete;
    FontFile& operator=(const FontFile&) = delete;

    std::span<const std::byte> bytes() const { return std::as_bytes(std::span(bytes_)); }
    int face() const { return face_; }
    const FontMetrics& metrics() const { return metrics_; }
    /// Whether it has a glyph of its own for the character.
    bool draws(char32_t code) const;
    ~FontFile();

private:
    struct Map;
    FontFile();
    std::string bytes_;
    std::unique_ptr<Map> map_;  ///< after the bytes, which it reads
    int face_ = 0;
    FontMetrics metrics_;
};

}  // namespace app
