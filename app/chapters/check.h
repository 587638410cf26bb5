#pragma once
// What a chapter promises, tried out: everything that it names exists, every number has a value, every task can be done
// and every question marked. The test runs it over all chapters, `attenscope chapter check` over one.

#include "app/chapters/format/library.h"

namespace app {

/// What it says about the program's own chapters as well: three pages at least, three closing questions after more than
/// three, the course's sentence on the first, minutes as they are measured, sources for what is cited.
enum class ChapterRules : std::uint8_t { Any, House };

/// How long a learner takes alone: what there is to read, in the slower language, and what there is to do.
double measured_minutes(const Chapter& chapter);
double measured_minutes(const ChapterPage& page);
double measured_minutes(const CourseRoute& route, const ChapterLibrary& library);

/// Every page of a route is there, and the lesson ends in time.
std::vector<ChapterProblem> check_routes(const ChapterLibrary& library);

/// Problems of reading and of trying out, by place.
std::vector<ChapterProblem> check_chapter(const Chapter& chapter, const ChapterLibrary& library, ChapterRules rules);

}  // namespace app
