#include "app/chapters/format/chapter.h"

namespace app {
namespace {

void add(std::string& out, const Prose& prose) {
    for (const ProseBlock& block : prose.blocks)
        for (const ProseSpan& span : block.spans) out += span.text;
}

}  // namespace

std::string words_of(const Chapter& chapter, Language language) {
    const auto l = static_cast<std::size_t>(language);
    std::string out = chapter.title[l] + chapter.summary[l];
    for (const ChapterPage& page : chapter.pages) {
        out += page.title[l];
        add(out, page.say[l]);
        add(out, page.notes[l]);
        if (page.task) add(out, page.task->say[l]);
        if (!page.ask) continue;
        add(out, page.ask->say[l]);
        add(out, page.ask->because[l]);
        for (const AskOption& option : page.ask->options) add(out, option.say[l]);
    }
    for (const ChapterTerm& term : chapter.terms) {
        out += term.name[l];
        add(out, term.says[l]);
    }
    for (const ChapterSource& source : chapter.sources) add(out, source.read[l]);
    return out;
}

}  // namespace app
