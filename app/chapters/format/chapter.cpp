#include "app/chapters/format/chapter.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/chapters/format/chapter_reader.h"
#include "app/chapters/format/expression_tree.h"
#include "core/io/safe_text.h"

namespace app {
namespace {

using attn::JsonValue;

void read_options(const ChapterTable& table, std::string_view key, ChapterAsk& ask) {
    table.each(key, [&](const ChapterTable& one) {
        one.only({"en", "zh", "set", "right"});
        AskOption option;
        option.place = one.place();
        one.own_prose(option.say, true);
        one.fields("set", option.set);
        one.text("right", option.right);
        ask.options.push_back(std::move(option));
    });
}

std::optional<ChapterAsk> read_ask(const ChapterTable& page) {
    const JsonValue* value = page.find("ask");
    if (!value) return std::nullopt;
    if (value->kind != attn::JsonKind::Object) {
        page.wrong("ask", "a question is expected: { kind = \"largest_in_row\", … }");
        return std::nullopt;
    }
    const ChapterTable table(page.file(), *value, page.path_of("ask"));
    table.only({"kind", "en", "zh", "because", "step", "row", "column", "of", "tolerance", "count", "choices",
                "options", "changes", "change", "until", "do", "fresh", "texts", "reveal"});
    ChapterAsk ask;
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
        const ChapterTable both(page.file(), *texts, table.path_of("texts"));
        both.strings("en", ask.texts[0]);
        both.strings("zh", ask.texts[1]);
    }
    table.text("reveal", ask.reveal);
    return ask;
}

std::optional<ChapterTask> read_task(const ChapterTable& page) {
    const JsonValue* value = page.find("task");
    if (!value) return std::nullopt;
    if (value->kind != attn::JsonKind::Object) {
        page.wrong("task", "a task is expected: { en, zh, until = [\"…\"], do = { … } }");
        return std::nullopt;
    }
    const ChapterTable table(page.file(), *value, page.path_of("task"));
    table.only({"en", "zh", "until", "do"});
    ChapterTask task;
    task.place = table.place();
    table.own_prose(task.say, true);
    table.strings("until", task.until);
    if (task.until.empty()) table.wrong("until", "a task needs conditions: until = [\"n >= 4\"]");
    table.doing("do", task.how);
    if (!table.find("do"))
        table.wrong("do", "one way to do it is missing: the test does it, and it is shown to who is stuck");
    return task;
}

ChapterPage read_page(const ChapterTable& table, bool closing) {
    table.only({"id", "title", "en", "zh", "sentence", "set", "show", "play", "screen", "view", "pin", "light",
                "hide", "lock", "task", "ask", "notes"});
    ChapterPage page;
    page.closing = closing;
    page.place = page.enter.place = table.place();
    table.id("id", page.id);
    table.both("title", page.title, true);
    table.own_prose(page.say, !closing);
    table.fields("set", page.enter.set);
    table.text("show", page.enter.show);
    table.text("screen", page.enter.screen);
    table.cell("pin", page.enter.pin);
    table.view(page.enter.view);
    table.whole("sentence", page.sentence, 0, kSentenceParts);
    if (const JsonValue* play = table.find("play")) {
        if (play->kind != attn::JsonKind::Object) {
            table.wrong("play", "a motion is expected: { from = \"scores\", to = \"weights\" }");
        } else {
            const ChapterTable motion(table.file(), *play, table.path_of("play"));
            motion.only({"from", "to"});
            motion.text("from", page.play_from, true);
            page.play_to = page.play_from;
            motion.text("to", page.play_to);
        }
    }
    table.text("light", page.light);
    table.strings("hide", page.hide);
    std::replace(page.hide.begin(), page.hide.end(), std::string("chips"), std::string("tokens"));  // its former name
    table.strings("lock", page.lock);
    page.task = read_task(table);
    page.ask = read_ask(table);
    if (closing && !page.ask) table.wrong("ask", "a closing question needs ask");
    table.both_prose("notes", page.notes);
    return page;
}

ChapterTerm read_term(const ChapterTable& table) {
    table.only({"id", "en", "zh", "says", "see"});
    ChapterTerm term;
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

std::string name_in(const std::vector<ChapterTerm>& terms, std::string_view id, Language language) {
    for (const ChapterTerm& term : terms)
        if (term.id == id) return in(term.name, language);
    return {};
}

/// The names of the terms defined in the file itself, needed before their sentences are read.
std::vector<ChapterTerm> names_of_terms(const JsonValue& root) {
    std::vector<ChapterTerm> out;
    const JsonValue* list = root.find("term");
    if (!list) return out;
    for (const JsonValue& item : list->items) {
        const auto text = [&](std::string_view key) {
            const JsonValue* value = item.find(key);
            return value ? value->string : std::string();
        };
        ChapterTerm term;
        term.id = text("id");
        term.name = {text("en"), text("zh")};
        out.push_back(std::move(term));
    }
    return out;
}

void need_different_ids(Chapter& chapter) {
    for (std::size_t i = 0; i < chapter.pages.size(); ++i)
        for (std::size_t k = 0; k < i; ++k)
            if (chapter.pages[i].id == chapter.pages[k].id)
                chapter.problems.push_back({"another page has this id", chapter.file, "page." + chapter.pages[i].id,
                                           chapter.pages[i].place.line, chapter.pages[i].place.column});
}

}  // namespace

bool ChapterPage::hides(std::string_view panel) const {
    return std::find(hide.begin(), hide.end(), panel) != hide.end();
}
bool ChapterPage::locks(std::string_view field) const {
    return std::any_of(lock.begin(), lock.end(), [&](const std::string& one) { return one == "*" || one == field; });
}

const ChapterSource* Chapter::source(std::string_view source_id) const {
    const auto found = std::find_if(sources.begin(), sources.end(), [&](const auto& s) { return s.id == source_id; });
    return found == sources.end() ? nullptr : &*found;
}

int Chapter::page_index(std::string_view page_id) const {
    for (std::size_t i = 0; i < pages.size(); ++i)
        if (pages[i].id == page_id) return static_cast<int>(i);
    return -1;
}

Chapter parse_chapter(std::string_view bytes, std::string_view file, const std::vector<ChapterTerm>& terms) {
    Chapter chapter;
    chapter.file = std::string(file);
    chapter.memo = std::make_shared<ExpressionMemo>();
    const Toml toml = parse_toml(bytes);
    if (!toml.problem.empty()) {
        chapter.problems.push_back({toml.problem, chapter.file, "", toml.line, toml.column});
        return chapter;
    }
    const std::vector<ChapterTerm> here = names_of_terms(toml.root);
    const ChapterFile context{chapter.file,
                             [&](std::string_view id, Language language) {
                                 const std::string own = name_in(here, id, language);
                                 return own.empty() ? name_in(terms, id, language) : own;
                             },
                             &chapter.problems};
    const ChapterTable root(context, toml.root, "");
    root.only({"id", "was", "title", "summary", "minutes", "start", "source", "term", "page", "closing"});
    root.id("id", chapter.id);
    root.text("was", chapter.was);
    root.both("title", chapter.title, true);
    root.both("summary", chapter.summary);
    root.whole("minutes", chapter.minutes, 1, 600);
    root.fields("start", chapter.start);
    root.each("source", [&](const ChapterTable& table) {
        table.only({"id", "text", "url", "read"});
        ChapterSource source;
        source.place = table.place();
        table.id("id", source.id);
        table.text("text", source.text, true);
        table.text("url", source.url);
        if (!source.url.empty() && !attn::is_web_address(source.url)) {
            table.wrong("url", "an address begins with https:// or http://; this one is left out");
            source.url.clear();
        }
        table.both_prose("read", source.read);
        chapter.sources.push_back(std::move(source));
    });
    root.each("term", [&](const ChapterTable& table) { chapter.terms.push_back(read_term(table)); });
    root.each("page", [&](const ChapterTable& table) { chapter.pages.push_back(read_page(table, false)); });
    root.each("closing", [&](const ChapterTable& table) { chapter.pages.push_back(read_page(table, true)); });
    if (chapter.pages.empty()) root.wrong("page", "a chapter needs pages: [[page]]");
    need_different_ids(chapter);
    return chapter;
}

namespace {

/// Reads a file that consists of tables of one kind; its texts may link to the terms that it defines.
template <class Read>
void each_row(std::string_view bytes, std::string_view file, std::string_view kind, std::vector<ChapterProblem>& problems, Read read) {
    const Toml toml = parse_toml(bytes);
    if (!toml.problem.empty()) return problems.push_back({toml.problem, std::string(file), "", toml.line, toml.column});
    const std::vector<ChapterTerm> here = names_of_terms(toml.root);
    const ChapterFile context{std::string(file), [&](std::string_view id, Language language) { return name_in(here, id, language); }, &problems};
    const ChapterTable root(context, toml.root, "");
    root.only({kind});
    root.each(kind, read);
}

}  // namespace

std::vector<ChapterTerm> parse_glossary(std::string_view bytes, std::string_view file,
                                       std::vector<ChapterProblem>& problems) {
    std::vector<ChapterTerm> out;
    each_row(bytes, file, "term", problems, [&](const ChapterTable& table) { out.push_back(read_term(table)); });
    return out;
}

std::vector<CourseRoute> parse_routes(std::string_view bytes, std::string_view file, std::vector<ChapterProblem>& problems) {
    std::vector<CourseRoute> out;
    each_row(bytes, file, "route", problems, [&](const ChapterTable& table) {
        table.only({"minutes", "title", "pages"});
        CourseRoute route;
        route.place = table.place();
        table.whole("minutes", route.minutes, 1, 600);
        table.both("title", route.title, true);
        table.strings("pages", route.pages);
        if (route.minutes == 0) return table.wrong("minutes", "a whole number of minutes is expected");
        if (route.pages.empty()) return table.wrong("pages", "pages are expected: [\"chapter/page\", …]");
        out.push_back(std::move(route));
    });
    return out;
}

std::vector<std::array<std::string, 2>> parse_pairs(std::string_view bytes, std::string_view file,
                                                    std::vector<ChapterProblem>& problems) {
    std::vector<std::array<std::string, 2>> out;
    each_row(bytes, file, "pair", problems, [&](const ChapterTable& table) {
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
