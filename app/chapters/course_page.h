#pragma once
// What the open page says now: its words with their numbers, its task, its question and what came of it.

#include "app/state/course.h"
#include "app/explain/inspection.h"

namespace app {

/// The chain of one number, below an answer.
struct AnswerChain {
    std::string title;  ///< "weights · cat → sat"
    std::vector<ChainRow> rows;
};

struct CoursePage {
    const Chapter* chapter = nullptr;
    const ChapterPage* page = nullptr;  ///< null with a chapter: what to read
    Prose say, task, question, because, notes;
    bool changed = false;  ///< the document is not the page's own
    bool task_done = false;
    Asked asked;
    Marked marked;
    std::vector<AnswerChain> chains;
    std::vector<std::optional<LitCells>> lit;  ///< of each link of `say`; none: it lights no cells now
    const ChapterTerm* term = nullptr;
    Prose term_says;
    unsigned revision = 0;  ///< changes whenever anything of it does
};

/// Makes it anew for a state; `revision` is kept where nothing changed.
void make_course_page(const AppState& state, const Derived& derived, CoursePage& out);

}  // namespace app
