#pragma once
// A chapter as a single page for a browser or a printer.

#include <string>
#include <vector>

#include "app/chapters/format/walk.h"
#include "app/cli/studio.h"

namespace app {

/// Self-contained HTML: every page with its picture, its text with computed numbers, its task and question, and further
/// reading; in the given languages, one after the other. `answers`: adds the answers at the end of each language.
attn::Result<std::string> handout(Studio& studio, const Chapter& chapter, const std::vector<Language>& languages, bool answers = false);

/// The questions of a quiz with their pictures and a line for a name, and the key on a separate sheet.
attn::Result<std::string> quiz_paper(Studio& studio, const CourseWalk& quiz, const std::vector<Language>& languages);

}  // namespace app
