// The open page and its own document, and the parts of it that the learner cannot change.

#include <algorithm>
#include <iterator>

#include "app/chapters/do.h"
#include "app/state/course.h"
#include "app/state/state.h"
#include "core/document/fields.h"
#include "core/document/take.h"
#include "core/io/json.h"
#include "core/io/json_writer.h"
#include "core/model/model.h"

namespace app {
namespace {

attn::Document own_document_in(const AppState& state, Language language) {
    const Chapter* chapter = open_chapter(state);
    const ChapterPage* page = open_page(state);
    if (!chapter || !page) return state.document;
    attn::Document own = page_document(*chapter, *page, language);
    if (page->any_model && state.view.course.model) {
        std::string text = std::move(own.text);
        own = {};
        attn::take_model(own, state.view.course.model);
        attn::give_sentence(own, std::move(text));
    }
    return page->ask ? fresh_document(own, *page->ask, state.view.course.attempt, language) : own;
}

}  // namespace

const Chapter* open_chapter(const AppState& state) {
    return state.view.course.open() && state.chapters ? state.chapters->find(state.view.course.chapter) : nullptr;
}

const ChapterPage* open_page(const AppState& state) {
    const Chapter* chapter = open_chapter(state);
    const auto page = static_cast<std::size_t>(std::max(state.view.course.page, 0));
    return chapter && page < chapter->pages.size() ? &chapter->pages[page] : nullptr;
}

attn::Document own_document(const AppState& state) { return own_document_in(state, state.view.language); }

bool has_own_text(const AppState& state) {
    constexpr Language kLanguages[] = {Language::English, Language::Chinese};
    return std::any_of(std::begin(kLanguages), std::end(kLanguages),
                       [&](Language language) { return own_document_in(state, language).text == state.document.text; });
}

bool keep_locked(const AppState& state, attn::Document& document) {
    const ChapterPage* page = open_page(state);
    if (!page || page->lock.empty()) return false;
    bool changed = false;
    for (const attn::Field& field : attn::document_fields()) {
        if (!page->locks(field.key)) continue;
        const auto written = [&](const attn::Document& of) {
            attn::JsonWriter out(attn::JsonLayout::Compact);
            field.is_default(of) ? out.null() : field.write(of, out);
            return out.take();
        };
        const std::string before = written(state.document);
        if (written(document) == before) continue;
        changed = true;
        if (field.is_default(state.document))
            field.reset(document);
        else if (const auto value = attn::parse_json(before))
            (void)field.read(document, *value);
    }
    return changed;
}

}  // namespace app
