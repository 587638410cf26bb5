#pragma once
// What a slot is filled with, and who is asked where its file is not in its usual place.

#include <memory>
#include <string>
#include <string_view>

#include "app/ui/font_file.h"

namespace app {

/// Debian's package and where it puts the file, and what the system is asked for in its place.
struct Typeface {
    enum class Weight : std::uint8_t { Regular, DemiBold, Bold };

    std::string_view package;
    const char* path;
    int face;
    const char *family, *generic;
    Weight weight = Weight::Regular;
    bool italic = false;
    char32_t sign = U'A';  ///< what it must have to be of use
    const char* language = nullptr;
};

/// The fonts of the system, or of one folder; read when they are first asked for.
class SystemFonts {
public:
    explicit SystemFonts(const std::string& folder);
    ~SystemFonts();
    SystemFonts(const SystemFonts&) = delete;
    SystemFonts& operator=(const SystemFonts&) = delete;

    /// The nearest that has the sign and that the rasteriser can read; no path: there is none.
    FontFiles::Entry nearest(const Typeface& wanted);

private:
    struct Known;
    std::unique_ptr<Known> known_;
};

}  // namespace app
