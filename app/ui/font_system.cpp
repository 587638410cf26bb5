// The system's fonts, found with fontconfig.
#include <fontconfig/fontconfig.h>

#include "app/ui/typeface.h"

namespace app {
namespace {

const FcChar8* text(const char* plain) { return reinterpret_cast<const FcChar8*>(plain); }

int number_of(Typeface::Weight weight) {
    switch (weight) {
        case Typeface::Weight::DemiBold:
            return FC_WEIGHT_DEMIBOLD;
        case Typeface::Weight::Bold:
            return FC_WEIGHT_BOLD;
        case Typeface::Weight::Regular:
            break;
    }
    return FC_WEIGHT_REGULAR;
}

FontFiles::Entry usable(FcPattern* font, const Typeface& wanted) {
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

}  // namespace

struct SystemFonts::Known {
    static constexpr int kTried = 24;  // fonts further down the list are too different

    std::string folder;
    FcConfig* config = nullptr;

    explicit Known(const std::string& in) : folder(in) {}
    ~Known() {
        if (config) FcConfigDestroy(config);
    }
    Known(const Known&) = delete;
    Known& operator=(const Known&) = delete;

    bool load() {
        config = folder.empty() ? FcInitLoadConfigAndFonts() : FcConfigCreate();
        return config && (folder.empty() || FcConfigAppFontAddDir(config, text(folder.c_str())));
    }
};

SystemFonts::SystemFonts(const std::string& folder) : known_(std::make_unique<Known>(folder)) {}
SystemFonts::~SystemFonts() = default;

FontFiles::Entry SystemFonts::nearest(const Typeface& wanted) {
    if (!known_->config && !known_->load()) return {};
    FcPattern* pattern = FcPatternBuild(nullptr, FC_FAMILY, FcTypeString, wanted.family, FC_FAMILY, FcTypeString, wanted.generic,
                                        FC_WEIGHT, FcTypeInteger, number_of(wanted.weight), FC_SLANT, FcTypeInteger,
                                        wanted.italic ? FC_SLANT_ITALIC : FC_SLANT_ROMAN, FC_SCALABLE, FcTypeBool, FcTrue, nullptr);
    if (wanted.language) FcPatternAddString(pattern, FC_LANG, text(wanted.language));
    FcConfigSubstitute(known_->config, pattern, FcMatchPattern);
    FcDefaultSubstitute(pattern);
    FcResult result = FcResultMatch;
    FcFontSet* found = FcFontSort(known_->config, pattern, FcFalse, nullptr, &result);
    FontFiles::Entry entry;
    for (int i = 0; found && i < found->nfont && i < Known::kTried && entry.path.empty(); ++i) entry = usable(found->fonts[i], wanted);
    if (found) FcFontSetDestroy(found);
    FcPatternDestroy(pattern);
    return entry;
}

}  // namespace app
