// The glossary: terms of the field in both languages, with their meanings.

#include <algorithm>

#include "app/chapters/prose_view.h"
#include "app/frame/commands.h"
#include "app/frame/sheet.h"

namespace app {
namespace {

constexpr float kGlossaryWidth = 760, kGlossaryHeight = 640, kBetween = 18;

/// Sorted by name in the current language.
std::vector<const ChapterTerm*> sorted_terms(const Frame& f) {
    std::vector<const ChapterTerm*> out;
    for (const ChapterTerm& term : f.state.chapters->terms) out.push_back(&term);
    std::stable_sort(out.begin(), out.end(),
                     [&](const ChapterTerm* a, const ChapterTerm* b) { return a->name[0] < b->name[0]; });
    return out;
}

void follow(const Frame& f, const std::string& target) {
    if (!target.starts_with("term ")) return;
    f.scratch.course.glossary_to = target.substr(5);
}

}  // namespace

void draw_glossary(const Frame& f) {
    if (f.view().sheet != Sheet::Glossary || f.window.empty() || !f.state.chapters) return;
    CourseScratch& s = f.scratch.course;
    const Rect card = sheet_rect(f, f.px(kGlossaryWidth), f.px(kGlossaryHeight));
    const SheetScope sheet(f, "glossary", card);
    const auto clip = f.painter().clip(card);
    const Rect head = sheet_head(f, "glossary", card, Str::glossary, Sheet::Glossary);
    const Rect view{head.x, head.bottom() + f.px(8), head.w, card.bottom() - head.bottom() - f.px(30)};
    // Laid out while it is open, and again when the type or the language changes.
    const float width = view.w - f.px(16);
    const auto key = std::tuple(f.view().language, width, f.theme.scale, f.state.chapters.get());
    if (s.glossary_key != key) {
        s.glossary_key = key;
        s.glossary.clear();
        for (const ChapterTerm* term : sorted_terms(f))
            s.glossary.push_back(
                {term, std::make_shared<ProsePicture>(lay_out_prose(
                           f, term_prose(*f.state.chapters, *term, f.view().language, nullptr), width, Type::Body))});
    }
    const float title = f.theme.line_height(Type::BodyStrong);
    float high = 0;
    for (const auto& entry : s.glossary) {
        if (!s.glossary_to.empty() && entry.term->id == s.glossary_to) {
            s.glossary_scroll = high;
            s.glossary_to.clear();
        }
        high += title + f.px(3) + entry.says->height + f.px(kBetween);
    }
    const int down = (gui::pressed(gui::Key::Down, true) ? 1 : 0) - (gui::pressed(gui::Key::Up, true) ? 1 : 0);
    s.glossary_scroll += title * static_cast<float>(down);
    scroll_area(f.ui, "glossary.scroll", view, high, s.glossary_scroll);
    float y = view.y - s.glossary_scroll;
    for (const auto& entry : s.glossary) {
        const Rect line{view.x, y, width, title};
        if (line.y >= view.y - 1 && line.bottom() <= view.bottom() + 1) draw_term_names(f, line, *entry.term);
        const ProseTouch touch =
            draw_prose(f, *entry.says, {view.x, y + title + f.px(3)}, view, "glossary." + entry.term->id);
        if (touch.clicked >= 0) follow(f, entry.says->links[static_cast<std::size_t>(touch.clicked)]);
        y += title + f.px(3) + entry.says->height + f.px(kBetween);
    }
}

}  // namespace app
