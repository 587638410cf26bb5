#pragma once
// A chapter as one page for a browser or a printer.

#include <string>
#include <vector>

#include "app/chapters/format/walk.h"
#include "app/cli/studio.h"

namespace app {

/// Self-contained HTML: every page with its picture, its words with their numbers, its task and question, and what to
/// read; in the languages given, one after the other. `answers`: each language ends with the answers to its questions.
attn::Result<std::string> handout(Studio& studio, const Chapter& chapter, const std::vector<Language>& languages, bool answers = false);

/// The questions of a quiz with their pictures, room for a name, and the key on a sheet of its own.
attn::Result<std::string> quiz_paper(Studio& studio, const CourseWalk& quiz, const std::vector<Language>& languages);

}  // namespace app
