#pragma once
// Papers for a class: a plan of the lesson, and a worksheet.

#include <string>
#include <vector>

#include "app/chapters/format/library.h"

namespace app {

/// A route with its minutes; for each page what to say (its notes), what to ask (with the computed answer) and what to
/// do.
std::string lesson_plan(const CourseRoute& route, const ChapterLibrary& library, const std::vector<Language>& languages);

/// The chapter's worksheet, with the answers on a separate sheet. Error: nothing in it is computed by hand.
attn::Result<std::string> worksheet_paper(const Chapter& chapter, const std::vector<Language>& languages);

}  // namespace app
