// Where the typefaces are: a setting's folder, Debian's packages, fontconfig.
#include <fontconfig/fontconfig.h>
#include <unistd.h>

#include "app/ui/font_file.h"

namespace app {
namespace {

/// What fills a slot: Debian's package and where it puts the file, and what fontconfig is asked for in its place.
struct Typeface {
    std::string_view package;
    const char* path;
    int face;
    const char *family, *generic;
    int weight = FC_WEIGHT_REGULAR;
    int slant = FC_SLANT_ROMAN;
    char32_t sign = U'A';  ///< what it must have to be of use
    const char* language = nullptr;
};

constexpr Typeface kTypefaces[kFontSlots] = {
    {"fonts-inter", "/usr/share/fonts/opentype/inter/Inter-Regular.otf", 0, "Inter", "sans-serif"},
    {"fonts-inter", "/usr/share/fonts/opentype/inter/Inter-SemiBold.otf", 0, "Inter", "sans-serif", FC_WEIGHT_DEMIBOLD},
    {"fonts-jetbrains-mono", "/usr/share/fonts/truetype/jetbrains-mono/JetBrainsMono-Regular.ttf", 0, "JetBrains Mono", "monospace"},
    {"fonts-jetbrains-mono", "/usr/share/fonts/truetype/jetbrains-mono/JetBrainsMono-Bold.ttf", 0, "JetBrains Mono", "monospace", FC_WEIGHT_BOLD},
    {"fonts-stix", "/usr/share/fonts/opentype/stix/STIXGeneral-Italic.otf", 0, "STIXGeneral", "serif", FC_WEIGHT_REGULAR, FC_SLANT_ITALIC},
    {"fonts-stix", "/usr/share/fonts/opentype/stix/STIXGeneral-Regular.otf", 0, "STIXGeneral", "serif"},
    {"fonts-noto-cjk", "/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc", 2, "Noto Sans CJK SC", "sans-serif", FC_WEIGHT_REGULAR,
     FC_SLANT_ROMAN, U'好', "zh-cn"},
    {"fonts-noto-cjk", "/usr/share/fonts/opentype/noto/NotoSansCJK-Bold.ttc", 2, "Noto Sans CJK SC", "sans-serif", FC_WEIGHT_BOLD,
     FC_SLANT_ROMAN, U'好', "zh-cn"},
    {"fonts-dejavu-core", "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf", 0, "DejaVu Sans", "sans-serif", FC_WEIGHT_REGULAR,
     FC_SLANT_ROMAN, U'ᵀ'},
};

const Typeface& typeface(FontSlot slot) { return kTypefaces[static_cast<std::size_t>(slot)]; }

bool can_be_read(const std::string& path) { return ::access(path.c_str(), R_OK) == 0; }

/// The file of that name in the folder, as .otf or .ttf.
std::string named_in(const std::string& folder, std::string path) {
    path = folder + path.substr(path.rfind('/'));
    if (can_be_read(path)) return path;
    if (path.ends_with(".otf")) path.replace(path.size() - 3, 3, "ttf");
    return can_be_read(path) ? path : std::string();
}

/// The fonts of the system, or of one folder, as fontconfig knows them; read when they are first asked for.
class SystemFonts {
public:
    explicit SystemFonts(const std::string& folder) : folder_(folder) {}
    ~SystemFonts() {
        if (config_) FcConfigDestroy(config_);
    }
    SystemFonts(const SystemFonts&) = delete;
    SystemFonts& operator=(const SystemFonts&) = delete;

    /// The nearest that has the sign and that the rasteriser can read.
    FontFiles::Entry nearest(const Typeface& wanted) {
        if (!config_ && !load()) return {};
        FcPattern* pattern = FcPatternBuild(nullptr, FC_FAMILY, FcTypeString, wanted.family, FC_FAMILY, FcTypeString,
                                            wanted.generic, FC_WEIGHT, FcTypeInteger,
                                            wanted.weight, FC_SLANT, FcTypeInteger, wanted.slant, FC_SCALABLE, FcTypeBool,
                                            FcTrue, nullptr);
        if (wanted.language) FcPatternAddString(pattern, FC_LANG, text(wanted.language));
        FcConfigSubstitute(config_, pattern, FcMatchPattern);
        FcDefaultSubstitute(pattern);
        FcResult result = FcResultMatch;
        FcFontSet* found = FcFontSort(config_, pattern, FcFalse, nullptr, &result);
        FontFiles::Entry entry;
        for (int i = 0; found && i < found->nfont && i < kTried && entry.path.empty(); ++i)
            entry = usable(found->fonts[i], wanted);
        if (found) FcFontSetDestroy(found);
        FcPatternDestroy(pattern);
        return entry;
    }

private:
    static constexpr int kTried = 24;  // fonts further from what is wanted are of no use

    static const FcChar8* text(const char* plain) { return reinterpret_cast<const FcChar8*>(plain); }

    bool load() {
        config_ = folder_.empty() ? FcInitLoadConfigAndFonts() : FcConfigCreate();
        return config_ && (folder_.empty() || FcConfigAppFontAddDir(config_, text(folder_.c_str())));
    }

    static FontFiles::Entry usable(FcPattern* font, const Typeface& wanted) {
        FcChar8* file = nullptr;
        int index = 0;
        FcCharSet* signs = nullptr;
        if (FcPatternGetString(font, FC_FILE, 0, &file) != FcResultMatch ||
            FcPatternGetInteger(font, FC_INDEX, 0, &index) != FcResultMatch ||
            FcPatternGetCharSet(font, FC_CHARSET, 0, &signs) != FcResultMatch || !FcCharSetHasChar(signs, wanted.sign))
            return {};
        const FontFiles::Entry entry{reinterpret_cast<const char*>(file), index & 0xffff};  // above: a named instance
        return FontFile::open(entry.path, entry.face) ? entry : FontFiles::Entry{};
    }

    std::string folder_;
    FcConfig* config_ = nullptr;
};

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
