// The list of all chapters and pages with the learner's progress, searchable by a few letters of either language.

#include <algorithm>

#include "app/state/course.h"
#include "app/content/fuzzy.h"
#include "app/frame/commands.h"
#include "app/frame/sheet.h"

namespace app {
namespace {

constexpr float kWidth = 760, kHeight = 640, kChapter = 62, kPage = 32, kLesson = 44;

/// The lessons can be unfolded like a chapter; no chapter has this id.
constexpr std::string_view kLessons = "#lessons";

/// A line of the list: a chapter, or one of its pages; without a chapter, the heading of the lessons, a lesson, or
/// the quiz after them.
struct Line {
    const Chapter* chapter = nullptr;
    int page = -1;
};

bool found(const Frame& f, const Chapter& chapter, const ChapterPage& page, std::string_view text) {
    return fuzzy_score(text, page.title[0]) > 0 || fuzzy_score(text, page.title[1]) > 0 ||
           words_of(in(page.say, f.view().language)).find(text) != std::string::npos ||
           fuzzy_score(text, chapter.title[0]) > 0 || fuzzy_score(text, chapter.title[1]) > 0;
}

/// Without a search: all chapters, and the pages of the unfolded one. With one: the matches.
std::vector<Line> lines_of(const Frame& f) {
    std::vector<Line> out;
    const std::string& text = f.scratch.course.search;
    if (text.empty()) out.push_back({});
    if (text.empty() && f.scratch.course.unfolded == kLessons)
        for (std::size_t i = 0; i <= f.state.chapters->routes.size(); ++i) out.push_back({nullptr, static_cast<int>(i)});
    for (const Chapter& chapter : f.state.chapters->chapters) {
        std::vector<Line> pages;
        const bool open = text.empty() && chapter.id == f.scratch.course.unfolded;
        for (std::size_t i = 0; i < chapter.pages.size(); ++i)
            if (open || (!text.empty() && found(f, chapter, chapter.pages[i], text)))
                pages.push_back({&chapter, static_cast<int>(i)});
        if (!text.empty() && pages.empty()) continue;
        out.push_back({&chapter, -1});
        out.insert(out.end(), pages.begin(), pages.end());
    }
    return out;
}

bool is_finished(const Frame& f, const Chapter& chapter, const ChapterPage& page) {
    const PageDone* done = f.state.progress.find(chapter.id, page.id);
    return done && done->seen && (!page.task || done->task) && (!page.ask || done->right);
}

void chapter_row(const Frame& f, Rect row, const Chapter& chapter, int number) {
    const std::string id = "chapter." + chapter.id;
    const Touch touch = touch_area(f.ui, id, row);
    f.ui.record(id, row);
    Painter& p = f.painter();
    const bool open = f.scratch.course.unfolded == chapter.id;
    if (touch.hovered || open)
        p.fill(row.inset(0, f.px(2)), open ? Ink(Hue::AccentSoft) : Ink(Hue::Back), f.theme.button_radius);
    if (touch.focused) focus_ring(f.ui, row, f.theme.button_radius);
    const float pad = f.px(14), left = row.x + pad + f.px(34), right_w = f.px(130);
    p.text_in({row.x + pad, row.y, f.px(28), row.h}, chapter_number(chapter, number), {Type::TitleStrong}, Hue::Accent);
    const Rect words{left, row.y + f.px(8), row.right() - left - right_w - pad, row.h - f.px(16)};
    p.text_fit({words.x, words.y, words.w, words.h * 0.54f}, in(chapter.title, f.view().language), {Type::BodyStrong},
               Hue::Ink);
    const std::string& said = chapter.problems.empty() ? in(chapter.summary, f.view().language) : chapter.file;
    p.text_fit({words.x, words.y + words.h * 0.52f, words.w, words.h * 0.48f}, said, {Type::Small}, Hue::Soft);
    const auto done = std::count_if(chapter.pages.begin(), chapter.pages.end(),
                                    [&](const ChapterPage& page) { return is_finished(f, chapter, page); });
    const Rect side{row.right() - right_w - pad, row.y, right_w, row.h};
    p.text_fit({side.x, side.y + f.px(8), side.w, f.px(22)},
               f.say(Str::chapters_done, {std::to_string(done), std::to_string(chapter.pages.size())}),
               {Type::NumberSmall, Align::Right}, Hue::Soft);
    const float share = chapter.pages.empty() ? 0 : static_cast<float>(done) / static_cast<float>(chapter.pages.size());
    progress_bar(f.ui, {side.x + side.w * 0.3f, side.bottom() - f.px(20), side.w * 0.7f, f.px(5)}, share);
    if (!touch.clicked) return;
    // The first click unfolds, the second one opens the chapter.
    if (open && chapter.readable()) {
        const bool here = f.state.progress.chapter == chapter.id;
        f.push(CourseAction{OpenPage{chapter.id, here ? std::max(chapter.page_index(f.state.progress.page), 0) : 0}});
    } else {
        f.scratch.course.unfolded = chapter.id;
    }
}

/// The folded heading of all lessons.
void lessons_row(const Frame& f, Rect row) {
    const Touch touch = touch_area(f.ui, "lessons", row);
    f.ui.record("lessons", row);
    const bool open = f.scratch.course.unfolded == kLessons;
    if (touch.hovered || open) f.painter().fill(row.inset(0, f.px(2)), open ? Ink(Hue::AccentSoft) : Ink(Hue::Back), f.theme.button_radius);
    if (touch.focused) focus_ring(f.ui, row, f.theme.button_radius);
    f.painter().text_fit({row.x + f.px(48), row.y, row.w - f.px(62), row.h}, f.say(Str::lessons), {Type::BodyStrong}, Hue::Ink);
    f.painter().icon(Icon::Play, {row.x + f.px(22), row.center().y}, f.px(14), Hue::Accent);
    if (touch.clicked) f.scratch.course.unfolded = open ? std::string() : std::string(kLessons);
}

/// A lesson or the quiz: a click begins it.
void lesson_row(const Frame& f, Rect row, int lesson) {
    const auto& routes = f.state.chapters->routes;
    const CourseRoute* route = lesson < static_cast<int>(routes.size()) ? &routes[static_cast<std::size_t>(lesson)] : nullptr;
    const std::string id = "lesson." + (route ? std::to_string(route->minutes) : std::string("quiz"));
    const Rect box{row.x + f.px(40), row.y, row.w - f.px(40), row.h};
    const Touch touch = touch_area(f.ui, id, box);
    f.ui.record(id, box);
    if (touch.hovered) f.painter().fill(box, Ink(Hue::Back), f.theme.button_radius);
    if (touch.focused) focus_ring(f.ui, box, f.theme.button_radius);
    const std::string_view title = route ? std::string_view(in(route->title, f.view().language)) : f.say(Str::quiz);
    const std::string says = route ? f.say(Str::lesson_row, {std::to_string(route->minutes), std::to_string(route->pages.size())})
                                   : std::string(f.say(Str::quiz_row));
    const float side = std::min(f.painter().width(says, Type::Small) + f.px(4), box.w * 0.5f);
    f.painter().text_fit({box.x + f.px(8), box.y, box.w - side - f.px(28), box.h}, title, {Type::Small}, Hue::Ink);
    f.painter().text_fit({box.right() - side - f.px(12), box.y, side, box.h}, says, {Type::Small, Align::Right}, Hue::Soft);
    if (touch.clicked) f.push(CourseAction{BeginWalk{route ? walk_of(*route, *f.state.chapters) : quiz_of(*f.state.chapters, 1)}});
}

void page_row(const Frame& f, Rect row, const Line& line) {
    const ChapterPage& page = line.chapter->pages[static_cast<std::size_t>(line.page)];
    const std::string id = "chapter." + line.chapter->id + "." + page.id;
    const Rect box{row.x + f.px(40), row.y, row.w - f.px(40), row.h};
    const Touch touch = touch_area(f.ui, id, box);
    f.ui.record(id, box);
    Painter& p = f.painter();
    const bool here = f.view().course.chapter == line.chapter->id && f.view().course.page == line.page;
    if (touch.hovered || here) p.fill(box, here ? Ink(Hue::AccentSoft) : Ink(Hue::Back), f.theme.button_radius);
    if (touch.focused) focus_ring(f.ui, box, f.theme.button_radius);
    const float side = f.px(16);
    const Point at{box.x + f.px(14), box.center().y};
    if (is_finished(f, *line.chapter, page))
        p.icon(Icon::Check, at, side * 0.8f, Hue::Good);
    else
        p.ring(at, side * 0.36f, Ink(Hue::Faint), f.px(1.4f));
    p.text_fit({box.x + f.px(32), box.y, box.w - f.px(44), box.h}, in(page.title, f.view().language), {Type::Small},
               here ? Hue::Accent : Hue::Ink);
    if (touch.clicked) f.push(CourseAction{OpenPage{line.chapter->id, line.page}});
}

}  // namespace

void draw_chapters(const Frame& f) {
    CourseScratch& s = f.scratch.course;
    // Clear the previous search.
    if (f.view().sheet != Sheet::Chapters) return s.search.clear();
    if (f.window.empty() || !f.state.chapters) return;
    if (s.unfolded.empty()) s.unfolded = f.view().course.open() ? f.view().course.chapter : f.state.progress.chapter;
    const Rect card = sheet_rect(f, f.px(kWidth), f.px(kHeight));
    const SheetScope sheet(f, "chapters", card);
    Painter& p = f.painter();
    const auto clip = p.clip(card);
    const Rect head = sheet_head(f, "chapters", card, Str::chapters, Sheet::Chapters);
    FieldLook look;
    look.placeholder = f.say(Str::chapters_hint);
    const Rect field{head.x, head.bottom() + f.px(6), head.w, f.theme.field_height};
    text_field(f.ui, "chapters.search", field, s.search, look);
    const float foot = f.px(52);
    const Rect view{head.x, field.bottom() + f.px(12), head.w, card.bottom() - foot - field.bottom() - f.px(12)};
    const std::vector<Line> lines = lines_of(f);
    float high = 0;
    const auto height = [&](const Line& line) { return f.px(line.page < 0 && line.chapter ? kChapter : line.page < 0 ? kLesson : kPage); };
    for (const Line& line : lines) high += height(line);
    const int down = (gui::pressed(gui::Key::Down, true) ? 1 : 0) - (gui::pressed(gui::Key::Up, true) ? 1 : 0);
    s.list_scroll += f.px(kPage) * static_cast<float>(down);
    scroll_area(f.ui, "chapters.scroll", view, high, s.list_scroll);
    if (lines.empty()) p.text_in({view.x, view.y, view.w, f.px(40)}, f.say(Str::chapters_none), {Type::Body}, Hue::Soft);
    float y = view.y - s.list_scroll;
    for (const Line& line : lines) {
        const Rect row{view.x, y, view.w - f.px(12), height(line)};
        y += row.h;
        // Only whole lines are drawn, since a line cut in half cannot be read.
        if (row.y < view.y - 1 || row.bottom() > view.bottom() + 1) continue;
        if (!line.chapter)
            line.page < 0 ? lessons_row(f, row) : lesson_row(f, row, line.page);
        else if (line.page >= 0)
            page_row(f, row, line);
        else
            chapter_row(f, row, *line.chapter, static_cast<int>(line.chapter - f.state.chapters->chapters.data()) + 1);
    }
    const std::string_view words = f.say(Str::chapters_reset), terms = f.say(Str::glossary);
    const float w = button_width(f.ui, words), bh = f.theme.button_height;
    const Rect bottom{head.x, card.bottom() - foot + (foot - bh) / 2 - f.px(4), head.w, bh};
    if (button(f.ui, "chapters.glossary", {bottom.x, bottom.y, button_width(f.ui, terms), bh}, terms))
        toggle_sheet(f, Sheet::Glossary);
    if (button(f.ui, "chapters.reset", {bottom.right() - w, bottom.y, w, bh}, words, ButtonKind::Plain,
               !f.state.progress.pages.empty()))
        f.push(CourseAction{ForgetProgress{}});
}

}  // namespace app
