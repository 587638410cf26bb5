#include "app/cli/chapter_class.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/chapters/check.h"
#include "app/chapters/page_run.h"
#include "app/chapters/teacher_notes.h"
#include "app/chapters/format/walk.h"
#include "app/chapters/worksheet.h"
#include "app/cli/chapter_html.h"
#include "app/cli/columns.h"
#include "app/cli/parser.h"
#include "app/content/number_text.h"
#include "app/content/xml_text.h"
#include "app/explain/inspection.h"
#include "app/timeline/labels.h"

namespace app {
namespace {

/// The page's task, and its question with the right answer.
std::string asks(const Chapter& chapter, const ChapterPage& page, const PageRun& of, Language language) {
    std::string out;
    if (page.task) out += html_box(tr(Str::chapter_do, language), fill_prose(in(page.task->say, language), *of.context), nullptr, chapter);
    if (!page.ask) return out;
    const PageQuestion question = make_question(*page.ask, *of.context, 1);
    if (!question.possible) return out;
    out += html_box(tr(Str::chapter_question, language), question_prose(*page.ask, question, *of.context), &question, chapter);
    // The derivation is in the handout's key; a plan has no room for it.
    const std::string key = question.input == AnswerInput::Act ? std::string() : key_of(*page.ask, question, *of.context);
    const std::string answer = xml_escaped(key.substr(0, key.find('\n')));
    const Prose because = fill_prose(in(page.ask->because, language), asking_context(*of.context, question));
    return out + fmt::format("<p><strong>{}</strong> {}</p>\n{}", xml_escaped(tr(Str::lesson_answer, language)), answer, html_of(because, chapter));
}

/// In whole minutes: a plan is not a timetable.
std::string clock(double minutes) { return fmt::format("{:.0f}", minutes); }

std::string row(std::string_view time, std::string_view says, std::string_view question) {
    return fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td></tr>\n", time, says, question);
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
        std::string question;
        if (const auto of = run_page(*place.chapter, page, language)) {
            says += html_of(fill_prose(in(page.notes, language), *of->context), *place.chapter);
            question = asks(*place.chapter, page, *of, language);
        }
        rows += row(clock(now) + "–" + clock(until), says, question);
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

std::string made_of(const SheetTask& task, bool filled) {
    return (task.halfway ? html_of(*task.halfway, filled) : std::string()) + html_of(task.made, filled);
}

std::string title_of(const SheetTask& task, std::size_t number, Language language) {
    const std::string made = task.made.rows.size() == 1 ? fill_in(tr(Str::worksheet_row, language), {task.made.rows.front(), task.made.title}) : task.made.title;
    return fmt::format("{}. {}", number, made);
}

/// A table of numbers as a terminal has it; empty: it is too large for one.
std::string numbers_of(const PageRun& of, const std::string& step, Language language) {
    constexpr Eigen::Index kMostNumbers = 170;
    const attn::StepId id = step.empty() ? attn::kNoStep : step_in(*of.context, step);
    if (id == attn::kNoStep || of.run.trace[id].value.size() > kMostNumbers) return "";
    const attn::Step& shown = of.run.trace[id];
    const AxisLabels labels = labels_of(of.run.trace, language);
    std::vector<std::vector<std::string>> rows = {{name_of(of.run.trace, id, language)}};
    for (int c = 0; c < static_cast<int>(shown.value.cols()); ++c) rows.front().push_back(labels.of(shown.cols, c));
    for (int r = 0; r < static_cast<int>(shown.value.rows()); ++r) {
        std::vector<std::string>& row = rows.emplace_back();
        row.push_back(labels.of(shown.rows, r));
        for (int c = 0; c < static_cast<int>(shown.value.cols()); ++c) row.push_back(number_text(shown.value(r, c)));
    }
    return in_columns(rows, right_but_first(rows.front().size()), 2);
}

/// The two rows of a change that is to be named.
std::string rows_of(const PageQuestion& question, Language language) {
    if (question.before.empty()) return "";
    std::vector<std::vector<std::string>> rows = {{""}, {std::string(tr(Str::ask_before, language))}, {std::string(tr(Str::ask_after, language))}};
    rows[0].insert(rows[0].end(), question.labels.begin(), question.labels.end());
    for (const double one : question.before) rows[1].push_back(number_text(static_cast<float>(one)));
    for (const double one : question.after) rows[2].push_back(number_text(static_cast<float>(one)));
    return in_columns(rows, right_but_first(rows[1].size()), 2);
}

constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz";

/// "b", "c a b", "0.42"; nothing: that is no answer.
std::optional<Answer> read_answer(std::string_view line, const PageQuestion& question) {
    Answer out;
    if (question.input == AnswerInput::Number) {
        const std::size_t first = line.find_first_not_of(" \r\t"), last = line.find_last_not_of(" \r\t");
        if (first == std::string_view::npos) return std::nullopt;
        out.number = number_of(line.substr(first, last - first + 1));
        return out.number ? std::optional(out) : std::nullopt;
    }
    for (const char c : line) {
        if (c == ' ' || c == ',' || c == '\r') continue;
        const std::size_t at = kLetters.find(c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c);
        if (at >= question.options.size() || std::ranges::find(out.chosen, static_cast<int>(at)) != out.chosen.end()) return std::nullopt;
        out.chosen.push_back(static_cast<int>(at));
    }
    const bool all = question.input == AnswerInput::Order ? out.chosen.size() == question.options.size() : out.chosen.size() == 1;
    return all ? std::optional(out) : std::nullopt;
}

/// What to type, in the learner's language, like the quiz itself.
std::string_view hint_for(AnswerInput input, Language language) {
    const bool english = language == Language::English;
    if (input == AnswerInput::Number)
        return english ? "type a number, such as 0.42; an empty line leaves the question out" : "请输入一个数，如 0.42；直接回车跳过这一题";
    if (input == AnswerInput::Order)
        return english ? "type all letters in order, such as c a b; an empty line leaves the question out" : "请按顺序输入所有字母，如 c a b；直接回车跳过这一题";
    return english ? "type one of the letters; an empty line leaves the question out" : "请输入一个字母；直接回车跳过这一题";
}

/// Until there is an answer; nothing: an empty line, or the end of the input (`ended`).
std::optional<Answer> wait_for_answer(Streams& streams, const PageQuestion& question, Language language, bool& ended) {
    for (std::string line; std::getline(streams.in, line);) {
        if (line.find_first_not_of(" \r") == std::string::npos) return std::nullopt;
        if (const auto answer = read_answer(line, question)) return answer;
        note(streams, hint_for(question.input, language));
    }
    ended = true;
    return std::nullopt;
}

void say_lines(Streams& streams, const Prose& prose) {
    for (const std::string& line : lines_of(prose)) say(streams, line);
}

/// Asks one; whether it was answered right, or not at all.
std::optional<bool> ask_one(Streams& streams, const PagePlace& place, const PageRun& of, const PageQuestion& question, Language language, bool& ended) {
    const ChapterPage& page = place.chapter->pages[static_cast<std::size_t>(place.page)];
    say_lines(streams, fill_prose(in(page.say, language), *of.context));
    if (const std::string numbers = numbers_of(of, page.enter.show, language); !numbers.empty()) say(streams, numbers);
    say_lines(streams, question_prose(*page.ask, question, *of.context));
    if (const std::string rows = rows_of(question, language); !rows.empty()) say(streams, rows);
    for (std::size_t i = 0; i < question.options.size(); ++i) say(streams, fmt::format("  {}  {}", kLetters[i], question.options[i]));
    const auto answer = wait_for_answer(streams, question, language, ended);
    if (ended) return std::nullopt;
    const Marked marked = mark_question(*page.ask, question, *of.context, answer.value_or(Answer{}));
    const bool right = answer && marked.right;
    say(streams, right ? std::string(tr(Str::ask_right, language)) : fill_in(tr(Str::ask_wrong, language), {marked.right_answer}));
    say_lines(streams, fill_prose(in(page.ask->because, language), asking_context(*of.context, question)));
    return answer ? std::optional(right) : std::nullopt;
}

}  // namespace

Exit ask_quiz(Streams& streams, CourseWalk quiz, const ChapterLibrary& library, Language language) {
    bool ended = false;
    for (std::size_t i = 0; i < quiz.pages.size() && !ended; ++i) {
        const PagePlace place = place_of_page(library, quiz.pages[i]);
        if (!place.chapter) continue;
        const ChapterPage& page = place.chapter->pages[static_cast<std::size_t>(place.page)];
        const auto of = run_page(*place.chapter, page, language);
        const PageQuestion question = of ? make_question(*page.ask, *of->context, 1) : PageQuestion{};
        if (!question.possible) continue;
        say(streams, fmt::format("\n{}/{}  {}", i + 1, quiz.size(), in(place.chapter->title, language)));
        quiz.first[i] = ask_one(streams, place, *of, question, language, ended);
    }
    say(streams, "\n" + fill_in(tr(Str::quiz_result, language), {std::to_string(quiz.right()), std::to_string(quiz.size())}));
    if (quiz.right() == quiz.size()) return Exit::Ok;
    say(streams, tr(Str::quiz_missed, language));
    for (std::size_t i = 0; i < quiz.pages.size(); ++i)
        if (const PagePlace place = place_of_page(library, quiz.pages[i]); place.chapter && quiz.first[i] != std::optional(true))
            say(streams, fmt::format("  {}  attenscope --chapter {}", in(place.chapter->title, language), place.chapter->id));
    return Exit::Ok;
}

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
                                    xml_escaped(tasks[i].page), xml_escaped(tasks[i].says), given, made_of(tasks[i], false));
            key += fmt::format("<dt>{}</dt>\n<dd>{}</dd>\n", title, made_of(tasks[i], true));
        }
        sections = fmt::format("<p>{}</p>\n", xml_escaped(tr(Str::worksheet_who, language))) + sections + html_key(key, language);
        articles += html_article(fmt::format("{} · {}", tr(Str::worksheet, language), in(chapter.title, language)), tr(Str::worksheet_says, language), language,
                                 sections);
    }
    return html_page(in(chapter.title, languages.front()), languages.front(), articles);
}

}  // namespace app
