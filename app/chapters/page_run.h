#pragma once
// A page of a chapter without a window: its own document, computed, for its text, task and question.

#include <memory>
#include <string>

#include "app/chapters/format/question.h"

namespace app {

/// `context` is what the page's expressions read; it refers to the other members, so a PageRun cannot be moved.
struct PageRun {
    attn::Document document;
    attn::Run run;
    std::unique_ptr<ChapterContext> context;

    PageRun() = default;
    PageRun(const PageRun&) = delete;
    PageRun& operator=(const PageRun&) = delete;
};

/// Trains if the page does. Null: its document cannot be computed.
std::unique_ptr<PageRun> run_page(const Chapter& chapter, const ChapterPage& page, Language language);

/// The text of a page's question, with its numbers filled in: the author's sentence, or that of the kind.
Prose question_prose(const ChapterAsk& ask, const PageQuestion& question, const ChapterContext& context);

}  // namespace app
