// macOS' replacements for /proc and the system's typefaces. Not compiled in our tests, because only macOS has its header.

#include <mach-o/dyld.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <system_error>

#include "app/shell/child.h"
#include "app/ui/typeface.h"

namespace app {

std::string own_program() {
    std::uint32_t size = 0;
    _NSGetExecutablePath(nullptr, &size);
    std::string path(size, '\0');
    if (_NSGetExecutablePath(path.data(), &size) != 0) return {};
    path.resize(path.find('\0'));
    return path;
}

/// The fonts of the application, one file per typeface (app/packaging/macos/bundle).
struct SystemFonts::Known {};
SystemFonts::SystemFonts(const std::string&) {}
SystemFonts::~SystemFonts() = default;

FontFiles::Entry SystemFonts::nearest(const Typeface& wanted) {
    namespace fs = std::filesystem;
    std::error_code ignored;
    const fs::path program = fs::weakly_canonical(own_program(), ignored);
    fs::path file = program.parent_path().parent_path() / "Resources" / "fonts" / fs::path(wanted.path).filename();
    if (file.extension() == ".ttc") file.replace_extension(".otf");
    return fs::is_regular_file(file, ignored) ? FontFiles::Entry{file.string(), 0} : FontFiles::Entry{};
}

}  // namespace app
