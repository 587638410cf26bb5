#pragma once
// What a teacher takes to a class: a plan of the lesson, and a sheet to compute on.

#include <string>
#include <vector>

#include "app/chapters/walk.h"
#include "app/cli/command.h"

namespace app {

/// A route with its minutes, what to say (each page's notes), to ask (with the answer, computed) and to do.
std::string lesson_plan(const CourseRoute& route, const ChapterLibrary& library, const std::vector<Language>& languages);

/// The chapter's worksheet, answers on a sheet of their own. Error: nothing of it is computed by hand.
attn::Result<std::string> worksheet_paper(const Chapter& chapter, const std::vector<Language>& languages);

/// Asks the questions of a quiz on the terminal, one after the other, and says the result. The end of the input ends it.
Exit ask_quiz(Streams& streams, CourseWalk quiz, const ChapterLibrary& library, Language language);

}  // namespace app
