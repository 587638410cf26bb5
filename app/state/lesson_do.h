#pragma once
// What a page of a chapter does to a document and to the view, by the words of its file.

#include "app/lesson/lesson.h"
#include "app/state/view_fields.h"

namespace app {

/// "lab scaling" as the program has it; false: there is no such screen or page of it.
bool use_screen(ViewState& view, std::string_view name);
/// The screen's name as lessons have it.
std::string screen_name(const ViewState& view);

/// What a document looks like to the expressions of a page on it. `document` and `run` must outlive it.
LessonContext page_context(const attn::Document& document, const attn::Run& run, const attn::Document& own,
                           Language language, const attn::PathChoice& dials = {});
/// What expressions ask about, as it is on the screen: the document, the head, the step, the pinned cell. `run` and
/// `own` must outlive it.
LessonContext context_now(const AppState& state, const attn::Run& run, const attn::Document& own);
/// Whether the text is the open page's own, in whichever language it was entered: that one is not the learner's.
bool has_own_text(const AppState& state);
/// The fields of the view that a page, or a task's solution, sets.
ViewPart part_of_page(const LessonDo& how);

/// "score=dot heads=2": what a link sets.
attn::Result<attn::Done> set_by_text(attn::Document& document, std::string_view settings);

/// Does what a lesson says can be done, on a document; false: it cannot be done there.
bool do_edits(attn::Document& document, const LessonDo& how, Language language);

}  // namespace app
