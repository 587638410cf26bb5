#pragma once
// Tests what a chapter promises: everything that it names exists, every number has a value, every task can be done and
// every question marked. A test runs it over all chapters, `attenscope chapter check` over one.

#include "app/chapters/format/library.h"

namespace app {

/// House: additional rules for the program's own chapters: at least three pages, three closing questions after more
/// than three, the course's sentence on the first, the measured minutes, sources for citations.
enum class ChapterRules : std::uint8_t { Any, House };

/// How long a learner takes alone: for reading, in the slower language, and for the tasks and questions.
double measured_minutes(const Chapter& chapter);
double measured_minutes(const ChapterPage& page);
double measured_minutes(const CourseRoute& route, const ChapterLibrary& library);

/// Checks that every page of a route exists and that the lesson ends in time.
std::vector<ChapterProblem> check_routes(const ChapterLibrary& library);

/// The problems found by reading and by testing, in order of place.
std::vector<ChapterProblem> check_chapter(const Chapter& chapter, const ChapterLibrary& library, ChapterRules rules);

}  // namespace app
