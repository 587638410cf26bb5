// Replacements in a web page for other processes, signals and the system's typefaces.

#include <unistd.h>

#include "app/shell/child.h"
#include "app/shell/signals.h"
#include "app/ui/typeface.h"

namespace app {

std::string own_program() { return {}; }

attn::Result<attn::Done> run_child(const ChildJob&) {
    return attn::Error{"in a browser pictures cannot be made as files; numbers, steps and the document can be saved, and the program on "
                       "a desktop makes pictures, too",
                       {}, {}, 0};
}

void begin_process() {}
LastSentence::LastSentence(std::string) {}  // the browser reports a crashed page
LastSentence::~LastSentence() = default;

/// The fonts packed into the page, one file per typeface (app/packaging/web/page).
struct SystemFonts::Known {};
SystemFonts::SystemFonts(const std::string&) {}
SystemFonts::~SystemFonts() = default;

FontFiles::Entry SystemFonts::nearest(const Typeface& wanted) {
    std::string path(wanted.path);
    path = "/fonts" + path.substr(path.rfind('/'));
    if (path.ends_with(".ttc")) path.replace(path.size() - 3, 3, "otf");
    return ::access(path.c_str(), R_OK) == 0 ? FontFiles::Entry{path, 0} : FontFiles::Entry{};
}

}  // namespace app
