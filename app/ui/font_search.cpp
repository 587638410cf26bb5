// Finds the typefaces: in the folder from the settings, in Debian's packages, in the system's fonts.
#include <unistd.h>

#include <filesystem>

#include "app/ui/typeface.h"

namespace app {
namespace {

using Weight = Typeface::Weight;

constexpr Typeface kTypefaces[kFontSlots] = {
    {"fonts-inter", "/usr/share/fonts/opentype/inter/Inter-Regular.otf", 0, "Inter", "sans-serif"},
    {"fonts-inter", "/usr/share/fonts/opentype/inter/Inter-SemiBold.otf", 0, "Inter", "sans-serif", Weight::DemiBold},
    {"fonts-jetbrains-mono", "/usr/share/fonts/truetype/jetbrains-mono/JetBrainsMono-Regular.ttf", 0, "JetBrains Mono", "monospace"},
    {"fonts-jetbrains-mono", "/usr/share/fonts/truetype/jetbrains-mono/JetBrainsMono-Bold.ttf", 0, "JetBrains Mono", "monospace", Weight::Bold},
    {"fonts-stix", "/usr/share/fonts/opentype/stix/STIXGeneral-Italic.otf", 0, "STIXGeneral", "serif", Weight::Regular, true},
    {"fonts-stix", "/usr/share/fonts/opentype/stix/STIXGeneral-Regular.otf", 0, "STIXGeneral", "serif"},
    {"fonts-noto-cjk", "/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc", 2, "Noto Sans CJK SC", "sans-serif", Weight::Regular,
     false, U'好', "zh-cn"},
    {"fonts-noto-cjk", "/usr/share/fonts/opentype/noto/NotoSansCJK-Bold.ttc", 2, "Noto Sans CJK SC", "sans-serif", Weight::Bold,
     false, U'好', "zh-cn"},
    {"fonts-dejavu-core", "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf", 0, "DejaVu Sans", "sans-serif", Weight::Regular,
     false, U'ᵀ'},
};

const Typeface& typeface(FontSlot slot) { return kTypefaces[static_cast<std::size_t>(slot)]; }

bool can_be_read(const std::string& path) { return ::access(std::filesystem::path(path).c_str(), R_OK) == 0; }

/// The file of that name in the folder, as .otf or .ttf.
std::string named_in(const std::string& folder, std::string path) {
    path = folder + path.substr(path.rfind('/'));
    if (can_be_read(path)) return path;
    if (path.ends_with(".otf")) path.replace(path.size() - 3, 3, "ttf");
    return can_be_read(path) ? path : std::string();
}

}  // namespace

FontFiles find_fonts(const FontSearch& search) {
    FontFiles files;
    SystemFonts system(search.fontconfig_folder);
    for (std::size_t i = 0; i < kFontSlots; ++i) {
        const Typeface& wanted = kTypefaces[i];
        FontFiles::Entry& entry = files.entries[i];
        if (!search.folder.empty()) entry = {named_in(search.folder, wanted.path), wanted.face};
        if (entry.path.empty() && search.known_places && can_be_read(wanted.path)) entry = {wanted.path, wanted.face};
        if (entry.path.empty()) entry = system.nearest(wanted);
    }
    return files;
}

std::string_view font_package(FontSlot slot) { return typeface(slot).package; }

}  // namespace app
