#pragma once
// Papers for a class: a plan of the lesson, and a worksheet.

#include <string>
#include <vector>

#include "app/chapters/format/walk.h"
#include "app/cli/command.h"

namespace app {

/// A route with its minutes; for each page what to say (its notes), what to ask (with the computed answer) and what to
/// do.
std::string lesson_plan(const CourseRoute& route, const ChapterLibrary& library, const std::vector<Language>& languages);

/// The chapter's worksheet, with the answers on a separate sheet. Error: nothing in it is computed by hand.
attn::Result<std::string> worksheet_paper(const Chapter& chapter, const std::vector<Language>& languages);

/// Asks the questions of a quiz on the terminal, one after the other, and says the result. The end of the input ends it.
Exit ask_quiz(Streams& streams, CourseWalk quiz, const ChapterLibrary& library, Language language);

}  // namespace app
