#pragma once
// What a chapter promises, tried out: everything that it names exists, every number has a value, every task can be done
// and every question marked. The test runs it over all chapters, `attenscope lesson check` over one.

#include "app/lesson/library.h"

namespace app {

/// What it says about the program's own chapters as well: eight pages, three closing questions, sources for what is
/// cited.
enum class LessonRules : std::uint8_t { Any, House };

/// Problems of reading and of trying out, by place.
std::vector<LessonProblem> check_lesson(const Lesson& lesson, const LessonLibrary& library, LessonRules rules);

}  // namespace app
