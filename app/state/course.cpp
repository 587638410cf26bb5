// The learner's progress in the chapters, and its file.

#include "app/state/course.h"
#include "core/io/json.h"
#include "core/io/json_writer.h"

namespace app {

const PageDone* ChapterProgress::find(std::string_view in_chapter, std::string_view of_page) const {
    for (const PageDone& one : pages)
        if (one.chapter == in_chapter && one.page == of_page) return &one;
    return nullptr;
}

PageDone& ChapterProgress::at(std::string_view in_chapter, std::string_view of_page) {
    for (PageDone& one : pages)
        if (one.chapter == in_chapter && one.page == of_page) return one;
    return pages.emplace_back(PageDone{std::string(in_chapter), std::string(of_page)});
}

std::string progress_to_json(const ChapterProgress& progress) {
    attn::JsonWriter out;
    out.begin_object();
    out.key("chapter");
    out.string(progress.chapter);
    out.key("page");
    out.string(progress.page);
    if (progress.walk) {
        out.key("walk");
        out.begin_object();
        out.key("minutes");
        out.integer(progress.walk->minutes);
        out.key("quiz");
        out.integer(static_cast<std::int64_t>(progress.walk->quiz));
        out.key("at");
        out.integer(progress.walk->at);
        std::vector<std::string> first;
        for (const auto& one : progress.walk->first) first.emplace_back(!one ? "" : *one ? "right" : "wrong");
        out.key("first");
        out.strings(first);
        out.end_object();
    }
    out.key("pages");
    out.begin_array();
    for (const PageDone& one : progress.pages) {
        std::vector<std::string> row{one.chapter, one.page};
        if (one.seen) row.emplace_back("seen");
        if (one.task) row.emplace_back("task");
        if (one.right) row.emplace_back("right");
        out.strings(row);
    }
    out.end_array();
    out.end_object();
    return out.take();
}

namespace {

std::optional<CourseWalk> walk_in(const attn::JsonValue& json) {
    const auto whole = [&](std::string_view key) {
        constexpr double kMost = 1e9;
        const attn::JsonValue* value = json.find(key);
        return value && value->kind == attn::JsonKind::Number && value->number >= 0 && value->number <= kMost ? value->number : 0.0;
    };
    CourseWalk out;
    out.minutes = static_cast<int>(whole("minutes"));
    out.quiz = static_cast<std::uint64_t>(whole("quiz"));
    out.at = static_cast<int>(whole("at"));
    if (const attn::JsonValue* first = json.find("first"))
        for (const attn::JsonValue& one : first->items)
            out.first.push_back(one.string.empty() ? std::nullopt : std::optional(one.string == "right"));
    return out.minutes > 0 || out.counts() ? std::optional(out) : std::nullopt;
}

}  // namespace

ChapterProgress progress_from_json(std::string_view bytes) {
    ChapterProgress out;
    const auto json = attn::parse_json(bytes);
    if (!json || json->kind != attn::JsonKind::Object) return out;
    const auto text = [&](std::string_view key) {
        const attn::JsonValue* value = json->find(key);
        return value && value->kind == attn::JsonKind::String ? value->string : std::string();
    };
    out.chapter = json->find("chapter") ? text("chapter") : text("lesson");  // its name until version 1
    out.page = text("page");
    if (const attn::JsonValue* walk = json->find("walk")) out.walk = walk_in(*walk);
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

void follow_moved_pages(ChapterProgress& progress, const ChapterLibrary& library) {
    const auto now_in = [&](std::string_view chapter, std::string_view page) -> const Chapter* {
        const Chapter* before = library.find(chapter);
        if (before && before->page_index(page) >= 0) return nullptr;
        for (const Chapter& one : library.chapters)
            if (one.was == chapter && !one.was.empty() && one.page_index(page) >= 0) return &one;
        return nullptr;
    };
    if (const Chapter* chapter = now_in(progress.chapter, progress.page)) progress.chapter = chapter->id;
    for (PageDone& one : progress.pages)
        if (const Chapter* chapter = now_in(one.chapter, one.page); chapter && !progress.find(chapter->id, one.page))
            one.chapter = chapter->id;
}

}  // namespace app
