#include "app/lesson/lesson.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/lesson/expression_tree.h"
#include "app/lesson/lesson_reader.h"
#include "core/io/safe_text.h"

namespace app {
namespace {

using attn::JsonValue;

void read_options(const LessonTable& table, std::string_view key, LessonAsk& ask) {
    table.each(key, [&](const LessonTable& one) {
        one.only({"en", "zh", "set", "right"});
        AskOption option;
        option.place = one.place();
        one.own_prose(option.say, true);
        one.fields("set", option.set);
        one.text("right", option.right);
        ask.options.push_back(std::move(option));
    });
}

std::optional<LessonAsk> read_ask(const LessonTable& page) {
    const JsonValue* value = page.find("ask");
    if (!value) return std::nullopt;
    if (value->kind != attn::JsonKind::Object) {
        page.wrong("ask", "a question is expected: { kind = \"largest_in_row\", … }");
        return std::nullopt;
    }
    const LessonTable table(page.file(), *value, page.path_of("ask"));
    table.only({"kind", "en", "zh", "because", "step", "row", "column", "of", "tolerance", "count", "choices",
                "options", "changes", "change", "until", "do", "fresh", "texts", "reveal"});
    LessonAsk ask;
    ask.place = table.place();
    table.text("kind", ask.kind, true);
    table.own_prose(ask.say, false);
    table.both_prose("because", ask.because);
    table.text("step", ask.step);
    table.expression("row", ask.row);
    table.expression("column", ask.column);
    table.text("of", ask.of);
    table.number("tolerance", ask.tolerance);
    table.whole("count", ask.count, 2, 4);
    table.strings("choices", ask.choices);
    read_options(table, "options", ask);
    read_options(table, "changes", ask);
    table.fields("change", ask.change);
    table.strings("until", ask.until);
    table.doing("do", ask.how);
    table.strings("fresh", ask.fresh);
    if (const JsonValue* texts = table.find("texts"); texts && texts->kind == attn::JsonKind::Object) {
        const LessonTable both(page.file(), *texts, table.path_of("texts"));
        both.strings("en", ask.texts[0]);
        both.strings("zh", ask.texts[1]);
    }
    table.text("reveal", ask.reveal);
    return ask;
}

std::optional<LessonTask> read_task(const LessonTable& page) {
    const JsonValue* value = page.find("task");
    if (!value) return std::nullopt;
    if (value->kind != attn::JsonKind::Object) {
        page.wrong("task", "a task is expected: { en, zh, until = [\"…\"], do = { … } }");
        return std::nullopt;
    }
    const LessonTable table(page.file(), *value, page.path_of("task"));
    table.only({"en", "zh", "until", "do"});
    LessonTask task;
    task.place = table.place();
    table.own_prose(task.say, true);
    table.strings("until", task.until);
    if (task.until.empty()) table.wrong("until", "a task needs conditions: until = [\"n >= 4\"]");
    table.doing("do", task.how);
    if (!table.find("do"))
        table.wrong("do", "one way to do it is missing: the test does it, and it is shown to who is stuck");
    return task;
}

LessonPage read_page(const LessonTable& table, bool closing) {
    table.only({"id", "title", "en", "zh", "set", "show", "play", "screen", "view", "pin", "light", "hide", "lock",
                "task", "ask", "notes"});
    LessonPage page;
    page.closing = closing;
    page.place = page.enter.place = table.place();
    table.id("id", page.id);
    table.both("title", page.title, true);
    table.own_prose(page.say, !closing);
    table.fields("set", page.enter.set);
    table.text("show", page.enter.show);
    table.text("screen", page.enter.screen);
    table.cell("pin", page.enter.pin);
    if (const JsonValue* view = table.find("view")) page.enter.view = json_text(*view);
    if (const JsonValue* play = table.find("play")) {
        if (play->kind != attn::JsonKind::Object) {
            table.wrong("play", "a motion is expected: { from = \"scores\", to = \"weights\" }");
        } else {
            const LessonTable motion(table.file(), *play, table.path_of("play"));
            motion.only({"from", "to"});
            motion.text("from", page.play_from, true);
            page.play_to = page.play_from;
            motion.text("to", page.play_to);
        }
    }
    table.text("light", page.light);
    table.strings("hide", page.hide);
    table.strings("lock", page.lock);
    page.task = read_task(table);
    page.ask = read_ask(table);
    if (closing && !page.ask) table.wrong("ask", "a closing question needs ask");
    table.both_prose("notes", page.notes);
    return page;
}

LessonTerm read_term(const LessonTable& table) {
    table.only({"id", "en", "zh", "says", "see"});
    LessonTerm term;
    term.place = table.place();
    table.id("id", term.id);
    std::string names[kLanguageCount];
    table.text("en", names[0], true);
    table.text("zh", names[1], true);
    term.name = {names[0], names[1]};
    table.both_prose("says", term.says, true);
    table.strings("see", term.see);
    return term;
}

std::string name_in(const std::vector<LessonTerm>& terms, std::string_view id, Language language) {
    for (const LessonTerm& term : terms)
        if (term.id == id) return in(term.name, language);
    return {};
}

/// Names of terms that stand in the file itself, before their sentences are read.
std::vector<LessonTerm> names_of_terms(const JsonValue& root) {
    std::vector<LessonTerm> out;
    const JsonValue* list = root.find("term");
    if (!list) return out;
    for (const JsonValue& item : list->items) {
        const auto text = [&](std::string_view key) {
            const JsonValue* value = item.find(key);
            return value ? value->string : std::string();
        };
        LessonTerm term;
        term.id = text("id");
        term.name = {text("en"), text("zh")};
        out.push_back(std::move(term));
    }
    return out;
}

void need_different_ids(Lesson& lesson) {
    for (std::size_t i = 0; i < lesson.pages.size(); ++i)
        for (std::size_t k = 0; k < i; ++k)
            if (lesson.pages[i].id == lesson.pages[k].id)
                lesson.problems.push_back({"another page has this id", lesson.file, "page." + lesson.pages[i].id,
                                           lesson.pages[i].place.line, lesson.pages[i].place.column});
}

}  // namespace

bool LessonPage::hides(std::string_view panel) const {
    return std::find(hide.begin(), hide.end(), panel) != hide.end();
}
bool LessonPage::locks(std::string_view field) const {
    return std::any_of(lock.begin(), lock.end(), [&](const std::string& one) { return one == "*" || one == field; });
}

const LessonSource* Lesson::source(std::string_view source_id) const {
    const auto found = std::find_if(sources.begin(), sources.end(), [&](const auto& s) { return s.id == source_id; });
    return found == sources.end() ? nullptr : &*found;
}

int Lesson::page_index(std::string_view page_id) const {
    for (std::size_t i = 0; i < pages.size(); ++i)
        if (pages[i].id == page_id) return static_cast<int>(i);
    return -1;
}

Lesson parse_lesson(std::string_view bytes, std::string_view file, const std::vector<LessonTerm>& terms) {
    Lesson lesson;
    lesson.file = std::string(file);
    lesson.memo = std::make_shared<ExpressionMemo>();
    const Toml toml = parse_toml(bytes);
    if (!toml.problem.empty()) {
        lesson.problems.push_back({toml.problem, lesson.file, "", toml.line, toml.column});
        return lesson;
    }
    const std::vector<LessonTerm> here = names_of_terms(toml.root);
    const LessonFile context{lesson.file,
                             [&](std::string_view id, Language language) {
                                 const std::string own = name_in(here, id, language);
                                 return own.empty() ? name_in(terms, id, language) : own;
                             },
                             &lesson.problems};
    const LessonTable root(context, toml.root, "");
    root.only({"id", "was", "title", "summary", "minutes", "start", "source", "term", "page", "closing"});
    root.id("id", lesson.id);
    root.text("was", lesson.was);
    root.both("title", lesson.title, true);
    root.both("summary", lesson.summary);
    root.whole("minutes", lesson.minutes, 1, 600);
    root.fields("start", lesson.start);
    root.each("source", [&](const LessonTable& table) {
        table.only({"id", "text", "url", "read"});
        LessonSource source;
        source.place = table.place();
        table.id("id", source.id);
        table.text("text", source.text, true);
        table.text("url", source.url);
        if (!source.url.empty() && !attn::is_web_address(source.url)) {
            table.wrong("url", "an address begins with https:// or http://; this one is left out");
            source.url.clear();
        }
        table.both_prose("read", source.read);
        lesson.sources.push_back(std::move(source));
    });
    root.each("term", [&](const LessonTable& table) { lesson.terms.push_back(read_term(table)); });
    root.each("page", [&](const LessonTable& table) { lesson.pages.push_back(read_page(table, false)); });
    root.each("closing", [&](const LessonTable& table) { lesson.pages.push_back(read_page(table, true)); });
    if (lesson.pages.empty()) root.wrong("page", "a chapter needs pages: [[page]]");
    need_different_ids(lesson);
    return lesson;
}

std::vector<LessonTerm> parse_glossary(std::string_view bytes, std::string_view file,
                                       std::vector<LessonProblem>& problems) {
    std::vector<LessonTerm> out;
    const Toml toml = parse_toml(bytes);
    if (!toml.problem.empty()) {
        problems.push_back({toml.problem, std::string(file), "", toml.line, toml.column});
        return out;
    }
    const std::vector<LessonTerm> here = names_of_terms(toml.root);
    const LessonFile context{std::string(file),
                             [&](std::string_view id, Language language) { return name_in(here, id, language); },
                             &problems};
    const LessonTable root(context, toml.root, "");
    root.only({"term"});
    root.each("term", [&](const LessonTable& table) { out.push_back(read_term(table)); });
    return out;
}

std::vector<std::array<std::string, 2>> parse_pairs(std::string_view bytes, std::string_view file,
                                                    std::vector<LessonProblem>& problems) {
    std::vector<std::array<std::string, 2>> out;
    const Toml toml = parse_toml(bytes);
    if (!toml.problem.empty()) {
        problems.push_back({toml.problem, std::string(file), "", toml.line, toml.column});
        return out;
    }
    const LessonFile context{std::string(file), [](std::string_view, Language) { return std::string(); }, &problems};
    const LessonTable root(context, toml.root, "");
    root.only({"pair"});
    root.each("pair", [&](const LessonTable& table) {
        table.only({"texts"});
        std::vector<std::string> texts;
        table.strings("texts", texts);
        if (texts.size() == 2)
            out.push_back({texts[0], texts[1]});
        else
            table.wrong("texts", "two texts are expected: [\"…\", \"…\"]");
    });
    return out;
}

}  // namespace app
