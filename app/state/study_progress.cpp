// What is done of the chapters, and its file.

#include "app/state/study.h"
#include "core/io/json.h"
#include "core/io/json_writer.h"

namespace app {

const PageDone* LessonProgress::find(std::string_view in_lesson, std::string_view of_page) const {
    for (const PageDone& one : pages)
        if (one.lesson == in_lesson && one.page == of_page) return &one;
    return nullptr;
}

PageDone& LessonProgress::at(std::string_view in_lesson, std::string_view of_page) {
    for (PageDone& one : pages)
        if (one.lesson == in_lesson && one.page == of_page) return one;
    return pages.emplace_back(PageDone{std::string(in_lesson), std::string(of_page)});
}

std::string progress_to_json(const LessonProgress& progress) {
    attn::JsonWriter out;
    out.begin_object();
    out.key("lesson");
    out.string(progress.lesson);
    out.key("page");
    out.string(progress.page);
    out.key("pages");
    out.begin_array();
    for (const PageDone& one : progress.pages) {
        std::vector<std::string> row{one.lesson, one.page};
        if (one.seen) row.emplace_back("seen");
        if (one.task) row.emplace_back("task");
        if (one.right) row.emplace_back("right");
        out.strings(row);
    }
    out.end_array();
    out.end_object();
    return out.take();
}

LessonProgress progress_from_json(std::string_view bytes) {
    LessonProgress out;
    const auto json = attn::parse_json(bytes);
    if (!json || json->kind != attn::JsonKind::Object) return out;
    const auto text = [&](std::string_view key) {
        const attn::JsonValue* value = json->find(key);
        return value && value->kind == attn::JsonKind::String ? value->string : std::string();
    };
    out.lesson = text("lesson");
    out.page = text("page");
    const attn::JsonValue* pages = json->find("pages");
    if (!pages || pages->kind != attn::JsonKind::Array) return out;
    for (const attn::JsonValue& row : pages->items) {
        if (row.items.size() < 2) continue;
        PageDone& one = out.at(row.items[0].string, row.items[1].string);
        for (const attn::JsonValue& word : row.items) {
            one.seen |= word.string == "seen";
            one.task |= word.string == "task";
            one.right |= word.string == "right";
        }
    }
    return out;
}

void follow_moved_pages(LessonProgress& progress, const LessonLibrary& library) {
    const auto now_in = [&](std::string_view lesson, std::string_view page) -> const Lesson* {
        const Lesson* before = library.find(lesson);
        if (before && before->page_index(page) >= 0) return nullptr;
        for (const Lesson& one : library.lessons)
            if (one.was == lesson && !one.was.empty() && one.page_index(page) >= 0) return &one;
        return nullptr;
    };
    if (const Lesson* lesson = now_in(progress.lesson, progress.page)) progress.lesson = lesson->id;
    for (PageDone& one : progress.pages)
        if (const Lesson* lesson = now_in(one.lesson, one.page); lesson && !progress.find(lesson->id, one.page))
            one.lesson = lesson->id;
}

}  // namespace app
