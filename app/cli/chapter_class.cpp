#include "app/cli/chapter_class.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/chapters/check.h"
#include "app/chapters/page_run.h"
#include "app/chapters/teacher_notes.h"
#include "app/chapters/format/walk.h"
#include "app/chapters/worksheet.h"
#include "app/cli/chapter_html.h"
#include "app/content/xml_text.h"

namespace app {
namespace {

/// The page's task, and its question with the right answer.
std::string asks(const Chapter& chapter, const ChapterPage& page, const PageRun& of, Language language) {
    std::string out;
    if (page.task) out += html_box(tr(Str::chapter_do, language), fill_prose(in(page.task->say, language), *of.context), nullptr, chapter);
    if (!page.ask) return out;
    const Asked asked = make_question(*page.ask, *of.context, 1);
    if (!asked.possible) return out;
    out += html_box(tr(Str::chapter_question, language), question_prose(*page.ask, asked, *of.context), &asked, chapter);
    // The derivation is in the handout's key; a plan has no room for it.
    const std::string key = asked.input == AnswerInput::Act ? std::string() : key_of(*page.ask, asked, *of.context);
    const std::string answer = xml_escaped(key.substr(0, key.find('\n')));
    const Prose because = fill_prose(in(page.ask->because, language), asking_context(*of.context, asked));
    return out + fmt::format("<p><strong>{}</strong> {}</p>\n{}", xml_escaped(tr(Str::lesson_answer, language)), answer, html_of(because, chapter));
}

/// In whole minutes: a plan is not a timetable.
std::string clock(double minutes) { return fmt::format("{:.0f}", minutes); }

std::string row(std::string_view time, std::string_view says, std::string_view asked) {
    return fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td></tr>\n", time, says, asked);
}

std::string plan(const CourseRoute& route, const ChapterLibrary& library, Language language) {
    std::string rows;
    double now = 0;
    const Chapter* before = nullptr;
    for (const std::string& name : route.pages) {
        const PagePlace place = place_of_page(library, name);
        if (!place.chapter) continue;
        const ChapterPage& page = place.chapter->pages[static_cast<std::size_t>(place.page)];
        const double until = now + measured_minutes(page);
        std::string says = fmt::format("<strong>{}</strong>", xml_escaped(in(page.title, language)));
        if (place.chapter != before) says = fmt::format("<div class=\"soft\">{}</div>", xml_escaped(in(place.chapter->title, language))) + says;
        before = place.chapter;
        std::string asked;
        if (const auto of = run_page(*place.chapter, page, language)) {
            says += html_of(fill_prose(in(page.notes, language), *of->context), *place.chapter);
            asked = asks(*place.chapter, page, *of, language);
        }
        rows += row(clock(now) + "–" + clock(until), says, asked);
        now = until;
    }
    if (now < route.minutes)
        rows += row(clock(now) + "–" + clock(route.minutes), xml_escaped(tr(Str::lesson_talk, language)), "");
    return fmt::format("<table class=\"plan\">\n<tr><th>{}</th><th>{}</th><th>{}</th></tr>\n{}</table>\n", xml_escaped(tr(Str::lesson_time, language)),
                       xml_escaped(tr(Str::lesson_says, language)), xml_escaped(tr(Str::lesson_asks, language)), rows);
}

std::string html_of(const SheetTable& table, bool filled) {
    std::string out = fmt::format("<table><caption>{}</caption>\n<tr><th></th>", xml_escaped(table.title));
    for (const std::string& col : table.cols) out += "<th>" + xml_escaped(col) + "</th>";
    out += "</tr>\n";
    for (std::size_t r = 0; r < table.rows.size(); ++r) {
        out += "<tr><th>" + xml_escaped(table.rows[r]) + "</th>";
        for (const std::string& cell : table.cells[r]) out += "<td>" + (filled ? xml_escaped(cell) : std::string()) + "</td>";
        out += "</tr>\n";
    }
    return out + "</table>\n";
}

std::string title_of(const SheetTask& task, std::size_t number, Language language) {
    const std::string made = task.made.rows.size() == 1 ? fill_in(tr(Str::worksheet_row, language), {task.made.rows.front(), task.made.title}) : task.made.title;
    return fmt::format("{}. {}", number, made);
}

}  // namespace

std::string lesson_plan(const CourseRoute& route, const ChapterLibrary& library, const std::vector<Language>& languages) {
    std::string articles;
    for (const Language language : languages) {
        const std::string says = fmt::format("{} · {}", tr(Str::lesson_plan, language),
                                             fill_in(tr(Str::lesson_row, language), {std::to_string(route.minutes), std::to_string(route.pages.size())}));
        articles += html_article(in(route.title, language), says, language, plan(route, library, language));
    }
    return html_page(in(route.title, languages.front()), languages.front(), articles);
}

attn::Result<std::string> worksheet_paper(const Chapter& chapter, const std::vector<Language>& languages) {
    std::string articles;
    for (const Language language : languages) {
        const std::vector<SheetTask> tasks = worksheet(chapter, language);
        if (tasks.empty())
            return attn::Error{"nothing on its pages is small enough to be computed by hand; softmax-xxt-x and q-k-v have worksheets", chapter.file, "", 0};
        std::string sections, key;
        for (std::size_t i = 0; i < tasks.size(); ++i) {
            std::string given;
            for (const SheetTable& one : tasks[i].given) given += html_of(one, true);
            const std::string title = xml_escaped(title_of(tasks[i], i + 1, language));
            sections += fmt::format("<section>\n<h2>{}</h2>\n<p class=\"soft\">{} · {}</p>\n<div class=\"tables\">\n{}{}</div>\n</section>\n", title,
                                    xml_escaped(tasks[i].page), xml_escaped(tasks[i].says), given, html_of(tasks[i].made, false));
            key += fmt::format("<dt>{}</dt>\n<dd>{}</dd>\n", title, html_of(tasks[i].made, true));
        }
        sections = fmt::format("<p>{}</p>\n", xml_escaped(tr(Str::worksheet_who, language))) + sections + html_key(key, language);
        articles += html_article(fmt::format("{} · {}", tr(Str::worksheet, language), in(chapter.title, language)), tr(Str::worksheet_says, language), language,
                                 sections);
    }
    return html_page(in(chapter.title, languages.front()), languages.front(), articles);
}

}  // namespace app
