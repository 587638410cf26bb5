#pragma once
// What a chapter's page does to a document and to the view, as written in its file.

#include "app/chapters/format/chapter.h"
#include "app/state/view_fields.h"

namespace app {

struct Derived;

/// Shows a screen by the program's name, such as "experiments scaling", or "words" and "arcs": the opening before and
/// after its answer. False: there is no such screen or page.
bool use_screen(ViewState& view, std::string_view name);
/// The screen's name in chapters.
std::string screen_name(const ViewState& view);

/// The context of a page's expressions on a document. `document` and `run` must outlive it.
ChapterContext page_context(const attn::Document& document, const attn::Run& run, const attn::Document& own,
                           Language language, const attn::PathChoice& dials = {});
/// The context of expressions as of now: the document, the head, the step, the pinned cell, the training. `derived` and
/// `own` must outlive it.
ChapterContext context_now(const AppState& state, const Derived& derived, const attn::Document& own);
/// Whether the text is the open page's own, in either language, rather than the learner's.
bool has_own_text(const AppState& state);
/// The fields of the view that a page or a task's solution sets.
ViewPart part_of_page(const ChapterDo& how, Language language);

/// Sets the fields that a link names: "score=dot heads=2".
attn::Result<attn::Done> set_by_text(attn::Document& document, std::string_view settings);

/// Applies a chapter's edits to a document; false: they cannot be applied.
bool do_edits(attn::Document& document, const ChapterDo& how, Language language);

}  // namespace app
