#pragma once
// A page of a chapter without a window: its own document, computed, and what its words, task and question say of it.

#include <memory>
#include <string>

#include "app/chapters/format/question.h"

namespace app {

/// What the page's expressions see is in `context`, which refers to the rest: it stays where it was made.
struct PageRun {
    attn::Document document;
    attn::Run run;
    std::unique_ptr<ChapterContext> context;

    PageRun() = default;
    PageRun(const PageRun&) = delete;
    PageRun& operator=(const PageRun&) = delete;
};

/// Trains where the page does. Null: its document cannot be computed.
std::unique_ptr<PageRun> run_page(const Chapter& chapter, const ChapterPage& page, Language language);

/// The question of a page in words, its numbers filled in: the author's sentence, or the kind's own.
Prose question_prose(const ChapterAsk& ask, const Asked& asked, const ChapterContext& context);

}  // namespace app
