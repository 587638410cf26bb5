#pragma once
// The typeface of each slot, and what to ask the system for if its file is not in its usual place.

#include <memory>
#include <string>
#include <string_view>

#include "app/ui/font_file.h"

namespace app {

/// Debian's package and path of the file, and what to ask the system for instead.
struct Typeface {
    enum class Weight : std::uint8_t { Regular, DemiBold, Bold };

    std::string_view package;
    const char* path;
    int face;
    const char *family, *generic;
    Weight weight = Weight::Regular;
    bool italic = false;
    char32_t sign = U'A';  ///< a character that the font must have to be usable
    const char* language = nullptr;
};

/// The fonts of the system, or of one folder; read on first use.
class SystemFonts {
public:
    explicit SystemFonts(const std::string& folder);
    ~SystemFonts();
    SystemFonts(const SystemFonts&) = delete;
    SystemFonts& operator=(const SystemFonts&) = delete;

    /// The nearest match that has the sign and that the rasteriser can read; no path: there is none.
    FontFiles::Entry nearest(const Typeface& wanted);

private:
    struct Known;
    std::unique_ptr<Known> known_;
};

}  // namespace app
