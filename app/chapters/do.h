#pragma once
// What a page of a chapter does to a document and to the view, by the words of its file.

#include "app/chapters/format/chapter.h"
#include "app/state/view_fields.h"

namespace app {

struct Derived;

/// "experiments scaling" as the program has it, and "words" and "arcs": the opening's words before their answer and with it.
/// False: there is no such screen or page of it.
bool use_screen(ViewState& view, std::string_view name);
/// The screen's name as chapters have it.
std::string screen_name(const ViewState& view);

/// What a document looks like to the expressions of a page on it. `document` and `run` must outlive it.
ChapterContext page_context(const attn::Document& document, const attn::Run& run, const attn::Document& own,
                           Language language, const attn::PathChoice& dials = {});
/// What expressions ask about, as it is on the screen: the document, the head, the step, the pinned cell, the training.
/// `derived` and `own` must outlive it.
ChapterContext context_now(const AppState& state, const Derived& derived, const attn::Document& own);
/// Whether the text is the open page's own, in whichever language it was entered: that one is not the learner's.
bool has_own_text(const AppState& state);
/// The fields of the view that a page, or a task's solution, sets.
ViewPart part_of_page(const ChapterDo& how, Language language);

/// "score=dot heads=2": what a link sets.
attn::Result<attn::Done> set_by_text(attn::Document& document, std::string_view settings);

/// Does what a chapter says can be done, on a document; false: it cannot be done there.
bool do_edits(attn::Document& document, const ChapterDo& how, Language language);

}  // namespace app
