#pragma once
// What a chapter promises, tried out: everything that it names exists, every number has a value, every task can be done
// and every question marked. The test runs it over all chapters, `attenscope lesson check` over one.

#include "app/lesson/library.h"
#include "app/state/state.h"

namespace app {

/// What it says about the program's own chapters as well: eight pages, three closing questions, sources for what is
/// cited.
enum class LessonRules : std::uint8_t { Any, House };

/// Problems of reading and of trying out, by place.
std::vector<LessonProblem> check_lesson(const Lesson& lesson, const LessonLibrary& library, LessonRules rules);

/// "lab scaling" as the program has it; false: there is no such screen or page of it.
bool use_screen(ViewState& view, std::string_view name);
/// The screen's name as lessons have it.
std::string screen_name(const ViewState& view);

/// What a document looks like to the expressions of a page on it. `document` and `run` must outlive it.
LessonContext page_context(const attn::Document& document, const attn::Run& run, const attn::Document& own,
                           Language language, const attn::PathChoice& dials = {});
/// The dials of paths that a page, or a task's solution, sets.
attn::PathChoice dials_of(const LessonDo& how);

/// "score=dot heads=2": what a link sets.
attn::Result<attn::Done> set_by_text(attn::Document& document, std::string_view settings);

/// Does what a lesson says can be done, on a document; false: it cannot be done there.
bool do_edits(attn::Document& document, const LessonDo& how, Language language);

}  // namespace app
