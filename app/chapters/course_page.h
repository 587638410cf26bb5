#pragma once
// The content of the open page at the moment: its text with computed numbers, its task, its question and the result.

#include "app/state/course.h"
#include "app/explain/inspection.h"

namespace app {

/// The chain of computations of one number, below an answer.
struct AnswerChain {
    std::string title;  ///< "weights · cat → sat"
    std::vector<ChainRow> rows;
};

struct CoursePage {
    const Chapter* chapter = nullptr;
    const ChapterPage* page = nullptr;  ///< null with a chapter: the further reading
    Prose say, task, question_text, because, notes;
    bool changed = false;  ///< the document differs from the page's own
    bool task_done = false;
    PageQuestion question;
    Marked marked;
    std::vector<AnswerChain> chains;
    std::vector<std::optional<LitCells>> lit;  ///< for each link of `say`; none: it lights no cells now
    const ChapterTerm* term = nullptr;
    Prose term_says;
    unsigned revision = 0;  ///< changes whenever another member does
};

/// Computes it for a state; `revision` changes only if something else does.
void make_course_page(const AppState& state, const Derived& derived, CoursePage& out);

}  // namespace app
